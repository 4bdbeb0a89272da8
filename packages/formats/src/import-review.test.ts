import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { describe, expect, it } from 'vitest'
import { writeCdm } from './cdm/write.ts'
import { readCdm } from './cdm/read.ts'
import { readDataModel } from './data-model/read.ts'
import { writeDataModel } from './data-model/write.ts'
import { readSqlScripts } from './ddl/read.ts'
import { countsOfEntity, type EntityCounts, findingsByEntity, type ThingCount, thingCounts } from './import-review.ts'
import type { ImportedModel } from './imported-model.ts'

const readings = {
  ...Object.fromEntries(
    scriptDatabases.map(database => [
      database,
      (model: ResolvedModel) =>
        readSqlScripts(new Map([['a.sql', databaseScript(model, database, { applyAutoIncrement: true }).sql]])),
    ]),
  ),
  cdm: (model: ResolvedModel) => readCdm(writeCdm(model).files),
  dataModel: (model: ResolvedModel) => readDataModel(writeDataModel(model, { applyJoin: true }).files),
}

function reviewOf(model: ImportedModel) {
  const entities = model.entities.map(countsOfEntity)
  const paths = model.entities.map(({ corpusPath }) => corpusPath)
  return { entities, totals: thingCounts(model, entities), findings: findingsByEntity(model.report, paths) }
}

/** What was read is what is imported and what is listed, and the totals are the sums of the entities. */
function expectBalance(model: ImportedModel): void {
  const { entities, totals, findings } = reviewOf(model)
  const sum = (of: keyof EntityCounts) => entities.reduce((total, entity) => total + entity[of], 0)
  const imported = (thing: ThingCount['thing']) => totals.find(total => total.thing === thing)?.imported ?? 0
  for (const { read, imported: taken, listed } of totals) expect(taken + listed).toBe(read)
  const sums = [entities.length, sum('attributes') + sum('relationships'), sum('keys'), sum('relationships')]
  expect([imported('table'), imported('column'), imported('key'), imported('foreignKey')]).toEqual(sums)
  expect(imported('unique')).toBe(sum('uniques'))
  // Relationships are indexed without saying so.
  expect(imported('index')).toBeGreaterThanOrEqual(sum('indexes'))
  const listed = totals.reduce((total, one) => total + one.listed, 0)
  expect(findings.filter(({ kind }) => kind === 'lost').length).toBeGreaterThanOrEqual(listed)
}

describe.each(Object.entries(readings))('The counts of a review add up: %s', (_, read) => {
  it.each(Object.keys(hardModels))('%s', name => {
    const model = hardModels[name]?.()
    if (model) expectBalance(read(model))
    expect(model).toBeDefined()
  })

  it('generated models', () => {
    for (let seed = 1; seed <= 5; seed += 1) expectBalance(read(arbitraryModel(seed)))
  })
})

describe('Findings', () => {
  const indexOf = (script: string, part: string) => {
    const model = readSqlScripts(new Map([['a.sql', script]]))
    expectBalance(model)
    const finding = reviewOf(model).findings.find(({ message }) => message.includes(part))
    return finding && model.entities[finding.entity]?.name
  }

  it('are those of a table wherever its statements are', () => {
    const tables =
      'CREATE TABLE pa (id int PRIMARY KEY, CHECK (id > length(id)));\nCREATE TABLE pb (id int PRIMARY KEY);\n'
    expect(indexOf(tables, 'The check')).toBe('pa')
    expect(indexOf(`${tables}CREATE INDEX ia ON pa (lower(id));`, 'ia')).toBe('pa')
    expect(indexOf(`${tables}ALTER TABLE pb ENABLE ROW LEVEL SECURITY;`, 'Row level')).toBe('pb')
    expect(indexOf(`${tables}COMMENT ON COLUMN pb.x IS 'y';`, 'has a comment')).toBe('pb')
    expect(indexOf(`${tables}CREATE VIEW v AS SELECT 1;`, 'Views')).toBeUndefined()
    expect(indexOf('CREATE TABLE pa (day boolean PRIMARY KEY);', 'must be')).toBe('pa')
  })

  it('of a dropped table are those of the import as a whole', () => {
    const script = 'CREATE TABLE pa (id int);\nCREATE TABLE pb (id int, CHECK (id > length(id)));\nDROP TABLE pb;'
    expect(indexOf(script, 'The check')).toBeUndefined()
  })

  it('of a folder are those of the entity below whose path they are', () => {
    const lines = [
      { level: 'warning', kind: 'lost', path: 'a/Pet.cdm.json/Pet/name', message: 'x' },
      { level: 'warning', kind: 'changed', path: '/a/Pet.cdm.json/Pet', message: 'y' },
      { level: 'warning', kind: 'lost', path: 'a/Pets', message: 'z' },
    ] as const
    const found = findingsByEntity(lines, ['/b/Dog.cdm.json/Dog', '/a/Pet.cdm.json/Pet'])
    expect(found.map(({ entity, message }) => [entity, message])).toEqual([
      [-1, 'z'],
      [1, 'x'],
      [1, 'y'],
    ])
  })
})
