import type { Caller, Filter, Operation, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { type Configuration, newConfiguration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { expect } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { compileApi } from '../queries/compile.ts'
import { packageOf } from './packages.ts'
import { outcomeOf } from './runners.ts'
import { sqliteRunner } from './sqlite-runner.ts'

// For tests only: operations on tables of SQLite.

const ann: Caller = { name: 'ann', tenant: null }

/** Tables of the entities. An operation gives its outcome, the same one as written JSON if it only reads. */
export async function open(
  entities: readonly EntityNode[],
  change: (build: Configuration['configurationBuild']) => void = () => {},
) {
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.sqlConfiguration.applyLimitOffset = true
  change(configuration.configurationBuild)
  const model = { ...packageOf(aResolvedModel(entities), 1), configuration }
  const schema = instanceSchemaOf(model, 'sqlite')
  const compiled = compileApi(apiOf(model), schema, 'sqlite')
  const runner = sqliteRunner(compiled.session)
  await runner.make(schema.statements)
  const run = async (operation: Operation, isWritten = false) =>
    (await outcomeOf(compiled, runner, operation, ann, isWritten)).outcome
  const read = async (operation: Operation) => {
    const outcome = await run(operation)
    expect(await run(operation, true)).toEqual(outcome)
    if ('fault' in outcome) return outcome.fault.message
    if (outcome.kind === 'list') return outcome.records
    return outcome.kind === 'record' ? outcome.record : null
  }
  const insert = async (entity: string, ...records: readonly WireRecord[]) => {
    for (const [index, record] of records.entries())
      expect(await run({ kind: 'insert', entity, record }, index % 2 > 0)).toMatchObject({ kind: 'record' })
  }
  return { run, read, insert }
}

export const field = (name: string, change: Partial<TypeAttribute> = {}) =>
  aTypeAttribute({ name, nullable: true, ...change })
/** A field of each type. */
export const thing = anEntity({
  name: 'Thing',
  typeAttributes: aList(
    aKey(),
    field('text', { maxLength: 5 }),
    field('choice', { choices: ['a', 'b'] }),
    field('guid', { format: 'guid' }),
    field('small', { dataType: 'integer', format: 'int16' }),
    field('big', { dataType: 'integer' }),
    field('price', { dataType: 'double', precision: 6, scale: 2 }),
    field('exact', { dataType: 'double', format: 'decimal' }),
    field('ratio', { dataType: 'double' }),
    field('rate', { dataType: 'float', format: 'single' }),
    field('code', { format: 'fixed', maxLength: 3 }),
    field('flag', { dataType: 'boolean' }),
    field('day', { dataType: 'dateTime', format: 'date' }),
    field('hour', { dataType: 'dateTime', format: 'time' }),
    field('moment', { dataType: 'dateTime' }),
    field('data', { dataType: 'object' }),
    field('bytes', { dataType: 'object', format: 'binary' }),
  ),
})

export const is = (name: string, comparison: Filter['comparison'], value: WireValue): Filter => ({
  field: name,
  comparison,
  value,
})
