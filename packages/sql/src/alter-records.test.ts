import { newConfiguration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alterable, alterationOf } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'
import { runnerEngines, type RunnerServer } from './testing/engine-runners.ts'

const attribute = (name: string, change: Partial<TypeAttribute> = {}) =>
  aTypeAttribute({ name, uid: `uid of ${name}`, nullable: true, ...change })
const entity = (name: string, ...attributes: readonly TypeAttribute[]) =>
  anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList(aKey({ uid: `key of ${name}` }), ...attributes) })
const named = (node: EntityNode, name: string): EntityNode => ({ ...node, name })

const [one, two, gone] = [entity('One', attribute('value')), entity('Two', attribute('value')), entity('Gone')]
const flag = { dataType: 'boolean' } as const
const order = entity(
  'Order',
  attribute('flag', flag),
  attribute('code', { maxLength: 9 }),
  attribute('note'),
  attribute('text'),
  attribute('size'),
  attribute('ref', { format: 'guid' }),
)
const guid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
/** Only its generated key. */
const keyed = anEntity({
  name: 'Keyed',
  uid: 'uid of Keyed',
  typeAttributes: aList(aKey({ dataType: 'string', format: 'guid', uid: 'its key' })),
})
const keyless = (name: string) =>
  anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList(attribute('flag', flag)) })
const [required, optional] = [keyless('Required'), keyless('Optional')]
const numbered = entity('Numbered')
const before = [one, two, gone, order, numbered, keyed, required, optional]
const line = {
  ...entity('Line'),
  entityAttributes: [aRelationship(order, { uid: 'uid of orderId', position: 1 })],
}
const after = [
  named(one, 'Two'),
  named(two, 'One'),
  {
    ...order,
    typeAttributes: aList(
      ...order.typeAttributes.slice(0, 1),
      attribute('flag', { dataType: 'integer' }),
      attribute('code', { maxLength: 9, unique: true }),
      attribute('note', { name: 'remark', nullable: false, defaultValue: 'none' }),
      attribute('size', { maxLength: 9, defaultValue: 'small' }),
      attribute('ref', { format: 'guid', nullable: false, defaultKind: 'uuid', unique: true }),
      attribute('added', { nullable: false, defaultValue: 'new' }),
      attribute('stamped', { nullable: false, dataType: 'dateTime', format: 'instant', defaultKind: 'now' }),
      attribute('token', { nullable: false, format: 'guid', defaultKind: 'uuid', unique: true }),
    ),
  },
  { ...numbered, typeAttributes: aList(...numbered.typeAttributes, attribute('more')) },
  line,
  entity('Keyed'),
  {
    ...required,
    typeAttributes: aList(attribute('flag', { dataType: 'integer', nullable: false, defaultValue: '7' })),
  },
  { ...optional, typeAttributes: aList(attribute('flag', { dataType: 'integer' })) },
]

describe.each(alterable)('Records after an alteration on %s', dialect => {
  const engine = runnerEngines[{ sqlite: 'SQLite', postgresql: 'PostgreSQL' }[dialect]]
  let server: RunnerServer
  beforeAll(async () => {
    if (engine?.availability.present) server = await engine.start()
  })
  afterAll(() => server?.stop())
  const schemaOf = (entities: readonly EntityNode[]) => {
    const configuration = newConfiguration('Shop')
    return instanceSchemaOf({ ...packageOf(aResolvedModel(entities), 1), configuration }, dialect)
  }

  it.skipIf(!engine?.availability.present)('are unchanged, under the new names, keys and rules', async () => {
    const runner = await server.open([])
    const rows = async (text: string) =>
      (await runner.run({ text, parameters: [], answers: 'rows' })).map(row => row.map(String))
    try {
      const [old, now] = [schemaOf(before), schemaOf(after)]
      await runner.make(old.statements)
      await runner.make([
        `INSERT INTO "One" ("value") VALUES ('first')`,
        `INSERT INTO "Two" ("value") VALUES ('second')`,
        `INSERT INTO "Order" ("code", "note", "flag") VALUES ('a', 'noted', 1 = 1), ('b', NULL, NULL)`,
        ...['Required', 'Optional'].map(name => `INSERT INTO "${name}" ("flag") VALUES (1 = 1), (NULL)`),
        `INSERT INTO "Numbered" ("id") VALUES (7), (9)`,
        `DELETE FROM "Numbered" WHERE "id" = 9`,
      ])
      const { locks, statements, names } = alterationOf(old.schema, now.schema, dialect)
      expect(names).toEqual(['Line'])
      if (dialect === 'sqlite') await runner.make(['PRAGMA foreign_keys = OFF'])
      await runner.begin()
      await runner.make([...locks, ...statements])
      await runner.commit()
      if (dialect === 'sqlite') await runner.make(['PRAGMA foreign_keys = ON'])

      expect(await rows('SELECT "id", "value" FROM "Two"')).toEqual([['1', 'first']])
      expect(await rows('SELECT "id", "value" FROM "One"')).toEqual([['1', 'second']])
      expect(await rows('SELECT "id", "flag", "code", "remark", "size", "added" FROM "Order" ORDER BY "id"')).toEqual([
        ['1', 'null', 'a', 'noted', 'null', 'new'],
        ['2', 'null', 'b', 'none', 'null', 'new'],
      ])
      // Each record gets a UUID of its own.
      const computed = await rows('SELECT "stamped", "token", "ref" FROM "Order"')
      const alike = [/\d{4}/, guid, guid].map(text => expect.stringMatching(text))
      expect(computed).toEqual([alike, alike])
      expect(new Set(computed.flatMap(([, ...uuids]) => uuids)).size).toBe(4)
      // Values that cannot be converted are lost, but not their records.
      expect(await rows('SELECT "flag" FROM "Required"')).toEqual([['7'], ['7']])
      expect(await rows('SELECT "flag" FROM "Optional"')).toEqual([['null'], ['null']])
      await expect(runner.make(['SELECT 1 FROM "Gone"'])).rejects.toThrow()
      await expect(runner.make(['SELECT "text" FROM "Order"'])).rejects.toThrow()
      await expect(runner.make([`INSERT INTO "Order" ("code") VALUES ('a')`])).rejects.toThrow()
      await expect(runner.make(['INSERT INTO "Line" ("orderId") VALUES (99)'])).rejects.toThrow()
      await runner.make(['INSERT INTO "Line" ("orderId") VALUES (2)'])
      // Generated keys continue after the largest key; SQLite also counts removed records.
      await runner.make([`INSERT INTO "Numbered" ("more") VALUES ('x')`])
      expect(await rows('SELECT "id" FROM "Numbered" ORDER BY "id"')).toEqual([
        ['7'],
        [dialect === 'sqlite' ? '10' : '8'],
      ])
    } finally {
      await runner.close()
    }
  })
})
