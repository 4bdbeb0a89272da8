import { newConfiguration } from '@cadmus/model/configuration'
import { compareMigration } from '@cadmus/model/contract/comparison'
import { databaseTypes } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import type { MigrationOptions } from '../tasks.ts'
import { migrationTexts } from '@cadmus/model/messages/migration'
import { migrationOf } from './migration.ts'
import type { SideModel } from './sides.ts'

function sideOf(entities: readonly EntityNode[], version: string): SideModel {
  return {
    resolvedModel: aResolvedModel(entities),
    configuration: undefined,
    shown: { name: 'My Shop', version, packageVersion: null },
  }
}

function migration(
  before: readonly EntityNode[],
  after: readonly EntityNode[],
  options: Partial<MigrationOptions> = {},
) {
  const sides = { before: sideOf(before, '1.0.0'), after: sideOf(after, '1.1.0') }
  return compareMigration.answer.parse(
    migrationOf(sides, { database: 'postgresql', direction: 'up', naming: 'plain', ...options }),
  )
}

const key = aKey({ uid: 'key' })
const text = (name: string, fields = {}) => aTypeAttribute({ uid: name, name, nullable: true, ...fields })
const customer = anEntity({ name: 'Customer', typeAttributes: aList(key, text('name'), text('age')) })
const client = {
  ...customer,
  name: 'Client',
  typeAttributes: aList(key, { ...text('fullName', { maxLength: 5 }), uid: 'name' }),
}

it('has a script up and down, with steps, their grades and the questions to ask the data first', () => {
  const up = migration([customer], [client])
  expect(up).toMatchObject({ problems: [], refused: [], script: { fileName: 'My_Shop_1.0.0_to_1.1.0_postgresql.sql' } })
  expect(up.steps).toEqual([
    {
      grade: 'losesData',
      entity: 'Customer',
      attribute: 'age',
      text: "'age' of 'Customer' is dropped with its values.",
      question: 'SELECT COUNT(*) FROM (SELECT 1 AS n FROM "Customer" WHERE "age" IS NOT NULL) q',
      key: expect.stringContaining('"droppedColumn"'),
    },
    {
      grade: 'mayFail',
      entity: 'Client',
      attribute: 'fullName',
      text: "'fullName' of 'Client' has at most 5 characters, which fails if there are records with more.",
      question: 'SELECT COUNT(*) FROM (SELECT 1 AS n FROM "Customer" WHERE CHAR_LENGTH("name"::text) > 5) q',
      key: expect.stringContaining('"length"'),
    },
    expect.objectContaining({ grade: 'rewrites', text: "'fullName' of 'Client' changes its type.", key: null }),
    expect.objectContaining({ grade: 'safe', text: "'Customer' is renamed to 'Client'." }),
    expect.objectContaining({ grade: 'safe', text: "'name' of 'Customer' is renamed to 'fullName'." }),
  ])
  expect(up.script?.text).toMatch(/^-- Migration from My Shop 1\.0\.0 to My Shop 1\.1\.0 for PostgreSQL\.\n-- Safe: /)
  expect(up.script?.text).toContain('ALTER TABLE "Client" RENAME COLUMN "name" TO "fullName";\n')
  const down = migration([customer], [client], { direction: 'down', naming: 'flyway' })
  expect(down.script?.fileName).toBe('U1.1.0__My_Shop_from_1.0.0.sql')
  expect(down.script?.text).toContain('ALTER TABLE "Customer" RENAME COLUMN "fullName" TO "name";\n')
  expect(down.steps.map(({ grade }) => grade)).toEqual(['safe', 'safe', 'safe', 'safe'])
})

it('is empty for equal tables, on every database', () => {
  for (const database of databaseTypes) {
    expect(migration([customer], [customer], { database })).toMatchObject({
      problems: [],
      refused: [],
      steps: [],
      script: { text: '' },
    })
  }
})

it('has the names that the export options of the manifest give', () => {
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.sqlExport.naming = 'snake'
  const [before, after] = [[customer], [client]].map(entities => ({ ...sideOf(entities, '1.0.0'), configuration }))
  if (!before || !after) throw new Error('There are no sides.')
  const { script } = migrationOf({ before, after }, { database: 'postgresql', direction: 'up', naming: 'plain' })
  expect(script?.text).toContain('ALTER TABLE "client" RENAME COLUMN "name" TO "full_name";\n')
})

it.each(['native', 'table'] as const)(
  'leaves choices written as %s as they are, and has no script if they differ',
  choices => {
    const configuration = newConfiguration('Shop')
    configuration.configurationBuild.sqlExport.choices = choices
    const state = (fields: object, other: object = {}) => [
      anEntity({
        uid: 'order',
        name: 'Order',
        typeAttributes: aList(
          key,
          text('state', { choices: ['new', 'paid'], maxLength: 20, nullable: false, ...fields }),
          text('note', { nullable: false, ...other }),
        ),
      }),
    ]
    const migrated = (now: ReturnType<typeof state>) => {
      const [before, after] = [state({}), now].map(entities => ({ ...sideOf(entities, '1.0.0'), configuration }))
      if (!before || !after) throw new Error('There are no sides.')
      return migrationOf({ before, after }, { database: 'postgresql', direction: 'up', naming: 'plain' })
    }
    expect(migrated(state({}))).toMatchObject({ problems: [], steps: [], script: { text: '' } })
    const { script } = migrated(state({ nullable: true }, { nullable: true }))
    expect(script?.text).toContain('ALTER COLUMN "state" DROP NOT NULL')
    expect(script?.text).not.toMatch(/ TYPE |CHECK|Order_state/)
    expect(migrated(state({ choices: ['new', 'paid', 'sent'] }))).toMatchObject({
      problems: [migrationTexts.choices],
      refused: [],
      steps: [],
      script: null,
    })
  },
)

it('is refused where values cannot be converted, with what to do instead', () => {
  const [before, after] = ['boolean', 'dateTime'].map(dataType =>
    anEntity({ uid: 'a', name: 'Item', typeAttributes: aList(key, text('value', { dataType })) }),
  )
  if (!before || !after) throw new Error('There are no entities.')
  expect(migration([before], [after])).toEqual({
    problems: [],
    refused: [
      "'value' of 'Item' changes to a type to which its values cannot be converted. Map or derive them by a data step, or add an attribute of the new type beside it and remove the old one later.",
    ],
    unpaired: [],
    dataSteps: [],
    steps: [],
    script: null,
  })
})

it('has no script if a side cannot be exported, and says which', () => {
  const related = anEntity({
    name: 'Order',
    typeAttributes: aList(aKey()),
    entityAttributes: [aRelationship(customer)],
  })
  const { problems, script } = migration([customer], [related])
  expect(script).toBeNull()
  expect(problems[0]).toMatch(/^After \(My Shop 1\.1\.0\): /)
})

it('takes the data steps that only the later manifest has, and lists them', () => {
  const [before, after] = [
    [customer],
    [{ ...customer, typeAttributes: aList(key, text('name'), text('age'), text('rank', { nullable: false })) }],
  ].map(entities => sideOf(entities, '1.0.0'))
  if (!before || !after) throw new Error('There are no sides.')
  const value = { kind: 'text', value: 'new' } as const
  const step = { kind: 'fill', uid: 'step', attribute: { uid: 'rank', name: 'rank' }, value } as const
  const { resolvedModel } = after
  const manifests = resolvedModel.manifests.map(manifest => ({ ...manifest, dataSteps: [step] }))
  const sides = { before, after: { ...after, resolvedModel: { ...resolvedModel, manifests } } }
  const options = { database: 'postgresql', naming: 'plain' } as const
  const up = migrationOf(sides, { ...options, direction: 'up' })
  expect(up).toMatchObject({ refused: [], dataSteps: [step] })
  expect(up.steps).toMatchObject([
    { grade: 'rewrites', text: "'rank' of 'Customer' gets 'new' where it has no value." },
  ])
  expect(up.script?.text).toContain(`UPDATE "Customer" SET "cadmus_data_0" = ('new')`)
  expect(migrationOf(sides, { ...options, direction: 'down' }).dataSteps).toEqual([step])
})
