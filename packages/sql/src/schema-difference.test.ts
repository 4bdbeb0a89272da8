import { databaseTypes } from '@cadmus/model/database-types'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { describe, expect, it } from 'vitest'
import { schemaDifference } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { databaseObjects } from './testing/database-objects.ts'
import { packageOf } from './testing/packages.ts'

const { present, advice } = postgresAvailability()

const id = aKey({ uid: 'key' })
const text = (name: string, fields = {}) => aTypeAttribute({ uid: name, name, nullable: true, ...fields })
const hostile = `end"; DROP TABLE x; -- '$$`
const defaultValue = "a'; -- \\ $$ ;\nb"

const customer = anEntity({
  name: 'Customer',
  typeAttributes: aList(id, text('name', { maxLength: 80 }), text('age', { dataType: 'integer' }), text('gone')),
})
const ward = anEntity({ name: 'Ward', typeAttributes: aList(aKey()) })
const order = anEntity({
  name: 'Order',
  typeAttributes: aList(aKey(), text('total', { dataType: 'integer' })),
  entityAttributes: [aRelationship(customer, { uid: 'customer', position: 2 })],
})

const client = {
  ...customer,
  name: hostile,
  typeAttributes: aList(
    id,
    { ...text('fullName', { maxLength: 120, unique: true }), uid: 'name' },
    text('age'),
    text(hostile, { choices: [defaultValue, 'b'], defaultValue, nullable: false }),
  ),
}
const item = anEntity({
  name: 'Item',
  typeAttributes: aList(aKey()),
  entityAttributes: [aRelationship(order, { position: 1, onDelete: 'cascade' })],
})
const sold = {
  ...order,
  typeAttributes: aList(aKey(), text('total', { dataType: 'double', precision: 12, scale: 2, indexed: true })),
  entityAttributes: [aRelationship(client, { uid: 'customer', position: 2, foreignKeyTypeAttribute: 'clientId' })],
}

/** With the options of seed 1. */
const schemasOn = (database: (typeof databaseTypes)[number]) =>
  [
    [customer, ward, order],
    [client, sold, item],
  ].map(entities => instanceSchemaOf(packageOf(aResolvedModel(entities), 1), database))

describe.skipIf(!present)(`The statements of a difference on PostgreSQL ${advice}`, () => {
  it('run as one script, which makes the tables of one model those of the other and keeps the records', async () => {
    const server = await startPostgres()
    const [changed, created] = [await server.createDatabase(), await server.createDatabase()]
    try {
      const [before, after] = schemasOn('postgresql')
      if (!before || !after) throw new Error('There are no schemas.')
      const none = instanceSchemaOf(packageOf(aResolvedModel([]), 1), 'postgresql')
      await changed.execute(scriptOf(schemaDifference(none.schema, before.schema, 'postgresql').statements ?? []))
      await created.execute(scriptOf(after.statements))
      await changed.execute(`INSERT INTO "Customer" (name, age) VALUES ('Ada', 36)`)
      const { statements, changes } = schemaDifference(before.schema, after.schema, 'postgresql')
      expect(changes.filter(({ grade }) => grade === 'losesData').map(({ text: step }) => step)).toEqual([
        "'total' of 'Order' changes its type, and loses the values that do not fit the new one.",
        "'gone' of 'Customer' is dropped with its values.",
        "'Ward' is dropped with all its records.",
        "The history of 'Ward' is dropped with all its records.",
      ])
      await changed.execute(scriptOf(statements ?? []))
      expect(await objectsOf(changed)).toEqual(await objectsOf(created))
      const table = after.tables.get(hostile)?.name.replaceAll('"', '""')
      expect(await changed.query(`SELECT id, "fullName", age FROM "${table}"`)).toEqual([
        { id: '1', fullName: 'Ada', age: '36' },
      ])
      expect(schemaDifference(after.schema, after.schema, 'postgresql')).toEqual({
        changes: [],
        refusals: [],
        statements: [],
      })
    } finally {
      await Promise.all([changed, created].map(database => database.drop()))
      await server.stop()
    }
  })
})

it('a difference has steps on every database, and statements where tables can be altered', () => {
  const differences = databaseTypes.map(type => {
    const [before, after] = schemasOn(type)
    if (!before || !after) throw new Error('There are no schemas.')
    return [type, schemaDifference(before.schema, after.schema, type)] as const
  })
  for (const [type, { changes, refusals }] of differences) {
    const texts = changes.map(({ text: step }) => step)
    expect([type, texts]).toEqual([
      type,
      expect.arrayContaining([
        "'Item' is new.",
        "'Ward' is dropped with all its records.",
        `'Customer' is renamed to '${hostile}'.`,
      ]),
    ])
    const unique = `'fullName' of '${hostile}' is unique, which fails if there are records with the same value.`
    expect([type, refusals.map(({ text: reason }) => reason)]).toEqual([type, expect.arrayContaining([unique])])
  }
  const written = differences.flatMap(([type, { statements }]) => (statements === null ? [] : [type]))
  expect(written).toEqual(['postgresql'])
})

/** As a person would run them. */
function scriptOf(statements: readonly string[]): string {
  return statements.join(';\n')
}

async function objectsOf(database: PostgresDatabase): Promise<string[]> {
  const run = async ({ text: query }: { text: string }) => (await database.query(query)).map(row => Object.values(row))
  return databaseObjects({ run }, 'postgresql')
}
