import type { OperationFault, WireRecord } from '@cadmus/model/api/operation'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { anEntity, aKey, aList, aResolvedModel } from '@cadmus/model/testing/builders'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { databases, type RunDatabase } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines, type RunnerServer } from '../testing/engine-runners.ts'
import { packageOf } from '../testing/packages.ts'
import type { Runner } from '../testing/runners.ts'
import { compileApi } from './compile.ts'
import { PlanFault } from './plan.ts'

const fields = ['orderNo', 'lineNo', 'code'].map(name =>
  newTypeAttribute({ name, position: 0, maxLength: 20, nullable: true, unique: name === 'code' }),
)
const members = fields.slice(0, 2).map(({ uid, name }) => ({ uid, name, descending: false }))
const line = {
  ...anEntity({ name: 'Line', typeAttributes: aList(aKey(), ...fields) }),
  groups: [{ uid: 'g', kind: 'unique' as const, name: '', members }],
}

function packageFor(tenancy: boolean) {
  const model = packageOf(aResolvedModel([line]), 1)
  model.configuration.configurationBuild.serviceConfiguration.applyMultiTenancy = tenancy
  return model
}

describe.each(Object.entries(runnerEngines))('On %s', (_, { dialect, availability, start }) => {
  let server: RunnerServer | undefined
  const runners: Runner[] = []
  beforeAll(async () => {
    if (availability.present) server = await start()
  })
  afterAll(async () => {
    for (const runner of runners) await runner.close()
    await server?.stop()
  })

  it.skipIf(!availability.present).each([false, true])(
    `a duplicate names the fields of the violated key; records without a value are none (tenancy: %s) ${availability.advice}`,
    async tenancy => {
      const model = packageFor(tenancy)
      const schema = instanceSchemaOf(model, dialect)
      const compiled = compileApi(apiOf(model), schema, dialect)
      const runner = await server?.open(compiled.session)
      if (!runner) throw new Error('There is no server.')
      runners.push(runner)
      await runner.make(schema.statements)
      const insert = (record: WireRecord) => insertInto(runner, compiled, record, tenancy)
      expect(await insert({ orderNo: 'A', lineNo: '1', code: 'x' })).toBeUndefined()
      expect(await insert({ orderNo: 'A', lineNo: '2', code: "for key 'y'" })).toBeUndefined()
      expect(await insert({ orderNo: 'A', lineNo: '1' })).toEqual({
        kind: 'conflict',
        message: 'There is a record with this orderNo and lineNo already.',
        fields: ['orderNo', 'lineNo'],
      })
      expect(await insert({ code: "for key 'y'" })).toMatchObject({
        message: 'There is a record with this code already.',
        fields: ['code'],
      })
      for (let count = 0; count < 2; count += 1) expect(await insert({ orderNo: 'B' })).toBeUndefined()
    },
  )
})

async function insertInto(
  runner: Runner,
  compiled: ReturnType<typeof compileApi>,
  record: WireRecord,
  tenancy: boolean,
): Promise<OperationFault | undefined> {
  const operation = { kind: 'insert', entity: 'Line', record } as const
  const { writes, steps } = compiled.plan(operation, { name: 'ann', tenant: tenancy ? 'a' : null })
  if (writes) await runner.begin()
  try {
    let step = steps.next([])
    while (!step.done) step = steps.next(await runner.run(step.value))
    if (writes) await runner.commit()
    return undefined
  } catch (error) {
    if (writes) await runner.rollback()
    return error instanceof PlanFault ? error.fault : compiled.faultOf(error)
  }
}

it.each<[RunDatabase, string]>([
  [
    'mssql',
    "Violation of UNIQUE KEY constraint 'uq_Line_code'. Cannot insert duplicate key in object 'dbo.Line'. The duplicate key value is (constraint 'x').",
  ],
  [
    'mssql',
    "Cannot insert duplicate key row in object 'dbo.Line' with unique index 'uq_Line_code'. The duplicate key value is (x).",
  ],
  ['oracle', 'ORA-00001: unique constraint (SHOP.uq_Line_code) violated'],
  ['mysql', "Duplicate entry 'for key 'y'' for key 'Line.uq_Line_code'"],
])('the message of %s names the violated key: %s', (dialect, message) => {
  expect(databases[dialect].run.queries.violatedKeyOf(new Error(message))).toBe('uq_Line_code')
})
