import { databaseTypes } from '@cadmus/model/database-types'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { h2Availability, postgresAvailability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaDifference } from './migrate/difference.ts'
import { databases } from './databases.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { databaseObjects } from './testing/database-objects.ts'
import { engines, type Server } from './testing/engines.ts'
import { mssqlForH2, oracleForH2 } from './testing/h2-scripts.ts'
import { expected } from './testing/introspect.ts'
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
      await changed.execute(scriptOf(schemaDifference(none.schema, before.schema, 'postgresql').statements))
      await created.execute(scriptOf(after.statements))
      await changed.execute(`INSERT INTO "Customer" (name, age) VALUES ('Ada', 36)`)
      const { statements, changes } = schemaDifference(before.schema, after.schema, 'postgresql')
      expect(changes.filter(({ grade }) => grade === 'losesData').map(({ text: step }) => step)).toEqual([
        "'total' of 'Order' changes its type, and loses the values that do not fit the new one.",
        "'gone' of 'Customer' is dropped with its values.",
        "'Ward' is dropped with all its records.",
        "The history of 'Ward' is dropped with all its records.",
      ])
      await changed.execute(scriptOf(statements))
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

it('a difference has steps and statements on every database, and none between equal schemas', () => {
  for (const type of databaseTypes) {
    const [before, after] = schemasOn(type)
    if (!before || !after) throw new Error('There are no schemas.')
    const { changes, refusals, statements } = schemaDifference(before.schema, after.schema, type)
    expect([type, changes.map(({ text: step }) => step)]).toEqual([
      type,
      expect.arrayContaining([
        "'Item' is new.",
        "'Ward' is dropped with all its records.",
        `'Customer' is renamed to '${hostile}'.`,
      ]),
    ])
    const unique = `'fullName' of '${hostile}' is unique, which fails if there are records with the same value.`
    expect([type, refusals.map(({ text: reason }) => reason)]).toEqual([type, expect.arrayContaining([unique])])
    expect([type, statements.length > 0]).toEqual([type, true])
    expect([type, schemaDifference(after.schema, after.schema, type).statements]).toEqual([type, []])
  }
})

const runs = [
  { name: 'MariaDB', database: 'mysql', engine: engines.mysql.MariaDB },
  { name: 'MariaDB in no sql_mode', database: 'mysql', engine: engines.mysql['MariaDB in no sql_mode'] },
  { name: 'HSQLDB', database: 'hsql', engine: engines.hsql.HSQLDB },
] as const

describe.each(runs)('The statements of a difference on $name', ({ engine, database }) => {
  const { quote } = databases[database].export
  let server: Server
  beforeAll(async () => {
    if (engine.availability.present) server = await engine.start()
  })
  afterAll(() => server?.stop())

  it.skipIf(!engine.availability.present)(
    'run as one script, which makes the tables of one model those of the other and keeps the records',
    async () => {
      const changed = await server.createDatabase()
      const [before, after] = schemasOn(database)
      if (!before || !after) throw new Error('There are no schemas.')
      const none = instanceSchemaOf(packageOf(aResolvedModel([]), 1), database)
      await changed.execute(scriptOf(schemaDifference(none.schema, before.schema, database).statements))
      const table = quote('Customer')
      await changed.execute(`INSERT INTO ${table} (${quote('name')}, ${quote('age')}) VALUES ('Ada', 36);
        INSERT INTO ${table} (${quote('name')}) VALUES ('Bob')`)
      await changed.execute(scriptOf(schemaDifference(before.schema, after.schema, database).statements))
      expect(await engine.introspect(changed.query)).toEqual(expected(after.schema))
      const client = quote(after.tables.get(hostile)?.name ?? '')
      await changed.execute(`INSERT INTO ${client} (${quote('fullName')}) VALUES ('Cem')`)
      const columns = ['id', 'fullName', 'age'].map(quote).join(', ')
      const records = await changed.query(`SELECT ${columns} FROM ${client} ORDER BY 1`)
      expect(records.map(record => Object.values(record).map(String))).toEqual([
        ['1', 'Ada', '36'],
        ['2', 'Bob', 'null'],
        ['3', 'Cem', 'null'],
      ])
      await changed.drop()
    },
  )

  const thingWith = (fields: Parameters<typeof text>[1], ...others: readonly ReturnType<typeof text>[]) => {
    const thing = anEntity({ uid: 'thing', name: 'Thing', typeAttributes: aList(id, text('value', fields), ...others) })
    return instanceSchemaOf(packageOf(aResolvedModel([thing]), 1), database)
  }
  const now = { dataType: 'dateTime', format: 'instant', defaultKind: 'now', nullable: false }
  const token = text('token', { format: 'guid', defaultKind: 'uuid', nullable: false, unique: true })
  it.skipIf(!engine.availability.present)(
    'fill required columns with computed defaults, each record its own',
    async () => {
      const changed = await server.createDatabase()
      // HSQLDB computes no UUID.
      const [added, own] = database === 'hsql' ? [[], 'value'] : [[token], 'token']
      const [before, after] = [thingWith({}), thingWith({}, text('at', now), ...added)]
      const { statements, refusals } = schemaDifference(before.schema, after.schema, database)
      expect(refusals).toEqual([])
      const [table, column, at, distinct] = ['Thing', 'value', 'at', own].map(quote)
      const insert = (value: string) => `INSERT INTO ${table} (${column}) VALUES ('${value}')`
      await changed.execute(scriptOf([...before.statements, insert('a'), insert('b'), ...statements, insert('c')]))
      expect(await engine.introspect(changed.query)).toEqual(expected(after.schema))
      const [counts = {}] = await changed.query(`SELECT COUNT(${at}) a, COUNT(DISTINCT ${distinct}) b FROM ${table}`)
      expect(Object.values(counts).map(String)).toEqual(['3', '3'])
      const without = thingWith({}, text('at', { ...now, defaultKind: 'literal' }), ...added)
      const { changes } = schemaDifference(after.schema, without.schema, database)
      expect(changes.map(step => step.text)).toEqual(["'at' of 'Thing' changes its default value."])
      await changed.drop()
    },
  )

  it('ask before a required column that the database cannot compute', () => {
    const { refusals } = schemaDifference(thingWith({}).schema, thingWith({}, token).schema, database)
    const reason = "'token' of 'Thing' is required and has no default, which fails if there are records already."
    expect(refusals.map(refusal => refusal.text)).toEqual(database === 'hsql' ? [reason] : [])
  })

  const day = { dataType: 'dateTime', format: 'date' }
  it.skipIf(!engine.availability.present).each([
    [{ dataType: 'boolean' }, {}, 'TRUE', 'true'],
    [{}, { dataType: 'boolean' }, "'true'", expect.stringMatching(/^(1|true)$/i)],
    [{}, { dataType: 'integer' }, "'12'", '12'],
    [{ dataType: 'double' }, { dataType: 'integer' }, '12', '12'],
    [{ dataType: 'integer', format: 'int64' }, { dataType: 'integer', format: 'int16' }, '12', '12'],
    [{}, { dataType: 'double', format: 'decimal', precision: 9, scale: 2 }, "'1.25'", '1.25'],
    [{}, { dataType: 'double' }, "'1.25'", expect.stringMatching(/^1[.]25(E0)?$/)],
    [day, {}, "DATE '2026-11-30'", '2026-11-30'],
    [{}, day, "'2026-11-30'", expect.stringMatching(/2026-11-30|Nov 30 2026/)],
    [
      { dataType: 'dateTime' },
      {},
      "TIMESTAMP '2026-11-30 10:20:30'",
      expect.stringMatching(/^2026-11-30T10:20:30[.]?0*$/),
    ],
    [{}, { dataType: 'dateTime' }, "'2026-11-30T10:20:30'", expect.stringMatching(/10:20:30/)],
    [day, { dataType: 'dateTime' }, "DATE '2026-11-30'", expect.stringMatching(/00:00:00/)],
    [{ dataType: 'dateTime' }, day, "TIMESTAMP '2026-11-30 10:20:30'", expect.stringMatching(/2026-11-30|Nov 30 2026/)],
    [{ maxLength: 40 }, { maxLength: 9 }, "'short'", 'short'],
    [{ dataType: 'boolean' }, { dataType: 'integer' }, 'TRUE', 'null'],
  ])('convert a value of %j to %j', async (from, to, stored, converted) => {
    const changed = await server.createDatabase()
    const [before, after] = [thingWith(from), thingWith(to)]
    await changed.execute(scriptOf(before.statements))
    const [table, column] = [quote('Thing'), quote('value')]
    await changed.execute(
      `INSERT INTO ${table} (${column}) VALUES (${stored}); INSERT INTO ${table} (${column}) VALUES (NULL)`,
    )
    await changed.execute(scriptOf(schemaDifference(before.schema, after.schema, database).statements))
    const records = await changed.query(`SELECT ${column} FROM ${table} ORDER BY ${quote('id')}`)
    expect(records.map(record => String(Object.values(record)[0]))).toEqual([converted, 'null'])
    await changed.drop()
  })
})

const h2 = h2Availability()
const standIns = {
  oracle: {
    mode: 'Oracle',
    adapted: (script: string) =>
      oracleForH2(
        script
          .replace(/^(?:ALTER SESSION .*|ALTER TABLE .* MODIFY .* LIMIT VALUE\)\));$/gm, '')
          .replace(/TO_(?:NUMBER|CLOB)\(/g, '('),
      ),
  },
  mssql: {
    mode: 'MSSQLServer',
    adapted: (script: string) =>
      mssqlForH2(
        script
          .replace(/^IF (\(.*\)) > 0 THROW 50000, .*;$/gm, '$1;')
          .replace(/^(?:SET XACT_ABORT|SET IDENTITY_INSERT|BEGIN TRANSACTION|COMMIT|SET QUOTED).*;$/gm, '')
          .replace(/^EXEC sp_rename N'(.*)', N'(.*)';$/gm, (_, from: string, to: string) => {
            const name = to.replaceAll("''", "'")
            return `ALTER TABLE ${from.replaceAll("''", "'")} RENAME TO [${name.replaceAll(']', ']]')}];`
          }),
      ),
  },
} as const

it.skipIf(!h2.present).each(['oracle', 'mssql'] as const)(`H2 runs the statements for %s ${h2.advice}`, async type => {
  const engine = startH2(standIns[type].mode)
  const database = await engine.createDatabase()
  const [before, after] = schemasOn(type)
  if (!before || !after) throw new Error('There are no schemas.')
  const { statements } = schemaDifference(before.schema, after.schema, type)
  const script = [...before.statements, ...statements].map(statement => `${statement};\n`).join('')
  await expect(database.execute(standIns[type].adapted(script))).resolves.toBeUndefined()
  await database.drop()
  await engine.stop()
})

/** As a person would run them. */
function scriptOf(statements: readonly string[]): string {
  return statements.join(';\n')
}

async function objectsOf(database: PostgresDatabase): Promise<string[]> {
  const run = async ({ text: query }: { text: string }) => (await database.query(query)).map(row => Object.values(row))
  return databaseObjects({ run }, 'postgresql')
}
