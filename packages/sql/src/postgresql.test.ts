import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { databaseScript, databaseStatements } from './script.ts'
import { expected, introspectPostgres } from './testing/introspect.ts'
import { hardModels } from './testing/hard-models.ts'

const { present, advice } = postgresAvailability()

const long = 'x'.repeat(57)

/** Entities in order: the name, the key, and further indexed attributes. */
const conflicts: Record<string, readonly (readonly [name: string, key: string, indexed?: readonly string[]])[]> = {
  'a later table': [
    ['ab', 'id'],
    ['ab_id_seq', 'id'],
  ],
  'a later table if the first name is used': [
    ['ab_id_seq', 'id'],
    ['ab', 'id'],
    ['ab_id_seq1', 'id'],
  ],
  'another sequence, and its next name as a later table': [
    ['a_b', 'c'],
    ['a', 'b_c'],
    ['a_b_c_seq1', 'id'],
  ],
  'the key of a later table': [
    ['pk_ab', 'id'],
    ['ab_id_seq', 'id'],
  ],
  'an index of another table': [
    ['ix_a', 'b'],
    ['a', 'id', ['b_seq']],
  ],
  'its own table': [[`${long}_i_seq`, 'i']],
  'two tables named like each other’s sequences': [
    [`${long}_k_seq`, 'j'],
    [`${long}_j_seq`, 'k'],
  ],
  'a later table, truncated within a character': [
    ['é'.repeat(31), 'id'],
    [`${'é'.repeat(28)}_id_seq`, 'id'],
  ],
}

describe.skipIf(!present)(`PostgreSQL ${advice}`, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  it('reads the same texts with standard_conforming_strings off', async () => {
    const database = await server.createDatabase()
    const { sql } = databaseScript(hardModels['data-types']!(), 'postgresql', { applyAutoIncrement: true })
    await database.execute(`SET standard_conforming_strings = off; SET backslash_quote = off;\n${sql}`)
    const [comment] = await database.query(`select obj_description('"Everything"'::regclass) as text`)
    expect(comment?.['text']).toContain('a \\ backslash.')
    await database.drop()
  })

  it.each(Object.entries(conflicts))(
    'creates tables and generates keys if a sequence has the name of %s',
    async (_what, entities) => {
      const resolvedModel = aResolvedModel(entities.map(([name, key, more = []]) => keyed(name, key, more)))
      const database = await server.createDatabase()
      try {
        const { sql, schema } = databaseScript(resolvedModel, 'postgresql', { applyAutoIncrement: true })
        await database.execute(sql)
        expect(await introspectPostgres(statement => database.query(statement))).toEqual(expected(schema))
        for (const { name } of schema.tables) {
          const quoted = `"${name}"`
          await database.execute(`insert into ${quoted} default values`)
          expect(await database.query(`select * from ${quoted}`)).toMatchObject([{}])
        }
      } finally {
        await database.drop()
      }
    },
  )

  it('creates a table whose constraints have the names of its type checks', async () => {
    const checked = (name: string) => aTypeAttribute({ name, dataType: 'double', nullable: true })
    const target = keyed('other', 'id')
    const tables = [
      { name: 'ck', typeAttributes: aList(aKey(), checked('ck_x'), chosen('x_check')) },
      { name: 'uq', typeAttributes: aList(aKey(), checked('uq_x'), aTypeAttribute({ name: 'x_check', unique: true })) },
      {
        name: 'fk',
        typeAttributes: aList(aKey(), checked('fk_x')),
        entityAttributes: [aRelationship(target, { foreignKeyTypeAttribute: 'x_check', position: 9 })],
      },
    ]
    const database = await server.createDatabase()
    const { sql, schema } = databaseScript(aResolvedModel([target, ...tables.map(anEntity)]), 'postgresql', {
      applyAutoIncrement: false,
    })
    await database.execute(sql)
    expect(await introspectPostgres(statement => database.query(statement))).toEqual(expected(schema))
    await expect(database.execute(`insert into "ck" ("id", "x_check") values (1, 'b')`)).rejects.toThrow()
    await database.drop()
  })

  it('does not name a sequence whose default name is free', async () => {
    const scripts = [
      ['ab_id_seq', 'ab'],
      ['ab', 'ab_id_seq2'],
      ['a_b', 'a', 'a_b_c_seq2'],
    ].map(
      names =>
        databaseStatements(aResolvedModel(names.map(name => keyed(name, name === 'a' ? 'b_id' : 'id'))), 'postgresql', {
          applyAutoIncrement: true,
        }).statements,
    )
    expect(scripts.flat().filter(statement => statement.includes('SEQUENCE NAME'))).toEqual([])
  })
})

function chosen(name: string) {
  return aTypeAttribute({ name, choices: ['a'], nullable: true })
}

function keyed(name: string, key: string, indexed: readonly string[] = []) {
  const others = indexed.map(other =>
    aTypeAttribute({ name: other, dataType: 'integer', indexed: true, nullable: true }),
  )
  return anEntity({ name, typeAttributes: aList(aKey({ name: key, dataType: 'integer' }), ...others) })
}
