import { attributesIn } from '@cadmus/model/conditions/condition'
import { conditionText } from '@cadmus/model/conditions/text'
import { aKey, aList, anEntity, aResolvedModel } from '@cadmus/model/testing/builders'
import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { isProving } from '@cadmus/testing/proof'
import { attribute } from '@cadmus/sql/testing/hard-names'
import { singleOptions } from '@cadmus/sql/testing/single-options'
import { describe, expect, it } from 'vitest'
import { placedModel } from '../placed-model.ts'
import { comparableTables } from '../testing/comparable-schema.ts'
import { expectSameAgain } from '../testing/option-round-trip.ts'
import { schemaWriter } from './export.ts'
import { readSqlScripts } from './read.ts'

const applied = { applyAutoIncrement: true }
const renaming = [{ naming: 'snake' }, { naming: 'upper', tablePrefix: 'app_' }, { tablePrefix: 'T' }] as const

describe.each(Object.entries(hardModels))('Options that change the names of %s', (_, make) => {
  it.each(scriptDatabases)('an import restores the names of the model: %s', type => {
    const resolvedModel = make()
    const { schema: expected } = databaseStatements(resolvedModel, type, applied)
    for (const sqlExport of renaming) {
      const { sql } = databaseScript(resolvedModel, type, { ...applied, sqlExport })
      const model = readSqlScripts(new Map([['Shop.sql', sql]]))
      const { schema } = databaseStatements(placedModel(model), type, applied)
      expect(withoutEndless(comparableTables(schema, type))).toEqual(withoutEndless(comparableTables(expected, type)))
      expect(model.report.filter(({ level }) => level === 'warning')).toEqual([])
    }
  })
})

// In full proofs with all models, otherwise with two for each option.
describe.each(scriptDatabases)(
  'A script with any option is imported as the model that it was written from: %s',
  type => {
    it.each(singleOptions(type))('%s', (name, sqlExport) => {
      const models = Object.values(hardModels)
      const at = singleOptions(type).findIndex(([other]) => other === name) % models.length
      for (const make of isProving() ? models : [...models, ...models].slice(at, at + 2))
        expect(expectSameAgain(make(), type, sqlExport)).toBeGreaterThan(0)
    })
  },
)

it.each(scriptDatabases)('A statement of any length is read from a script that expects tables: %s', type => {
  const columns = Array.from({ length: 400 }, (_, at) => attribute(`a column that has the number ${at}`))
  const wide = aResolvedModel([anEntity({ name: "Wide's ~' \\", typeAttributes: aList(aKey(), ...columns) })])
  for (const exists of ['skip', 'drop'] as const) expect(expectSameAgain(wide, type, { exists })).toBe(1)
})

it('A file for each table is named after its number and table, with names and notes in the last one', () => {
  const resolvedModel = hardModels['references']?.() ?? aResolvedModel([])
  const sqlExport = { files: 'perTable', foreignKeys: 'apart', naming: 'snake' } as const
  const { files } = schemaWriter.write(
    { resolvedModel },
    { databaseType: 'postgresql', applyAutoIncrement: true, sqlExport },
  )
  const paths = [...files.keys()]
  expect(paths.every((path, at) => path.startsWith(`${String(at + 1).padStart(3, '0')}_`))).toBe(true)
  expect(paths.at(-1)).toMatch(/^\d{3}_foreign_keys\.sql$/)
  const withNames = paths.filter(path => files.get(path)?.includes('-- Names in the model:'))
  expect(withNames).toEqual([paths.at(-1)])
})

describe.each(scriptDatabases)('Options that change names for %s', type => {
  it.each(renaming)('restore the names of groups: %o', sqlExport => {
    const script = `CREATE TABLE Person (id bigint PRIMARY KEY, born date, firstName varchar(20), lastName varchar(20),
  CONSTRAINT ByWholeName UNIQUE (firstName, lastName));
CREATE INDEX "Names, backwards" ON Person (lastName DESC, born);
CREATE INDEX ix_Person_born_firstName ON Person (born, firstName);`
    const model = readSqlScripts(new Map([['Shop.sql', script]]))
    const { sql } = databaseScript(placedModel(model), type, { ...applied, sqlExport })
    const groupsOf = ({ entities }: typeof model) => entities.map(({ groups }) => groups.map(({ name }) => name))
    expect(groupsOf(model)).toEqual([['ByWholeName', 'Names, backwards', '']])
    expect(groupsOf(readSqlScripts(new Map([['Shop.sql', sql]])))).toEqual(groupsOf(model))
  })

  it.each(renaming)('restore the names of checks and of the columns in them: %o', sqlExport => {
    const script = `CREATE TABLE Person (id bigint PRIMARY KEY, firstName varchar(20) NOT NULL, lowPrice decimal(9,2), highPrice decimal(9,2) CHECK (highPrice > 1),
  CONSTRAINT ByWholePrice CHECK (lowPrice <= highPrice), CHECK (lowPrice > 2), CHECK (lowPrice < 200));`
    const model = readSqlScripts(new Map([['Shop.sql', script]]))
    const { sql } = databaseScript(placedModel(model), type, { ...applied, sqlExport })
    const checksOf = ({ entities }: typeof model) =>
      entities.flatMap(({ checks }) => checks.map(({ name, condition }) => [name, conditionText(condition)]))
    const again = readSqlScripts(new Map([['Shop.sql', sql]]))
    expect(checksOf(model)).toContainEqual(['ByWholePrice', 'lowPrice <= highPrice'])
    expect(checksOf(again).map(([, text]) => text)).toEqual(checksOf(model).map(([, text]) => text))
    expect(checksOf(again)).toContainEqual(['ByWholePrice', 'lowPrice <= highPrice'])
    const uids = again.entities.flatMap(({ checks }) => checks.flatMap(({ condition }) => attributesIn(condition)))
    expect(uids.filter(({ uid }) => uid === '')).toEqual([])
  })
})

/** Names of ten thousand characters fit neither a line nor a model. */
function withoutEndless(tables: object): unknown {
  return JSON.parse(JSON.stringify(tables).replaceAll(/"(?:T|app_)?a[ _]name[ _]that[^"]{0,200}"/gi, '"endless"'))
}
