import { Kysely, sql, SqliteDialect } from 'kysely'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from './store.ts'
import { migrations } from './migrations/all.ts'
import { builderSql, reviewedSql } from './guard.ts'
import { openSqlite } from './sqlite.ts'
import { organisationTables } from './tables.ts'

describe('Decisions §5 everything stored belongs to one organisation', () => {
  let store: Store
  beforeAll(async () => {
    store = openStore({ kind: 'sqlite', file: ':memory:' })
    await store.migrate()
  })
  afterAll(() => store.close())

  const refused = /does not stay within its organisation/
  const entities = () => store.of(1).selectFrom('entity')

  it('a read must name the organisation', async () => {
    await expect(entities().selectAll().execute()).rejects.toThrow(refused)
    await expect(entities().selectAll().where('organisation_id', '=', 1).execute()).resolves.toEqual([])
    await expect(entities().selectAll().where('organisation_id', 'in', [1, 0]).execute()).resolves.toEqual([])
  })

  it('a read of another organisation is rejected, alone, in a list and behind an OR', async () => {
    await expect(entities().selectAll().where('organisation_id', '=', 2).execute()).rejects.toThrow(refused)
    await expect(entities().selectAll().where('organisation_id', 'in', [1, 2]).execute()).rejects.toThrow(refused)
    const either = entities().where(or => or.or([or('organisation_id', '=', 1), or('id', '=', 3)]))
    await expect(either.selectAll().execute()).rejects.toThrow(refused)
  })

  it('every joined table must be bound, by value or through a bound column', async () => {
    const own = entities().where('entity.organisation_id', '=', 1)
    const byHash = own.innerJoin('content', 'content.hash', 'entity.content_hash').select('body')
    await expect(byHash.execute()).rejects.toThrow(refused)
    const byKey = own.innerJoin('content', join =>
      join
        .onRef('content.hash', '=', 'entity.content_hash')
        .onRef('content.organisation_id', '=', 'entity.organisation_id'),
    )
    await expect(byKey.select('body').execute()).resolves.toEqual([])
  })

  it('a nested query is checked like any other', async () => {
    const nested = entities()
      .where('organisation_id', '=', 1)
      .where('id', 'in', query => query.selectFrom('manifest_member').select('entity_id'))
    await expect(nested.selectAll().execute()).rejects.toThrow(refused)
  })

  it('writes reach neither the library nor another organisation', async () => {
    const db = store.of(1)
    const row = { organisation_id: 2, hash: 'a', body: 'b' }
    await expect(db.insertInto('content').values(row).execute()).rejects.toThrow(refused)
    await expect(
      db
        .insertInto('content')
        .values([{ ...row, organisation_id: 1 }, row])
        .execute(),
    ).rejects.toThrow(refused)
    await expect(db.deleteFrom('entity').where('organisation_id', 'in', [1, 0]).execute()).rejects.toThrow(refused)
    await expect(db.updateTable('entity').set({ name: 'x' }).where('id', '=', 1).execute()).rejects.toThrow(refused)
    await expect(db.deleteFrom('entity').where('organisation_id', '=', 1).execute()).resolves.toBeDefined()
  })

  it('a transaction is guarded too, and the shared handle reaches no organisation', async () => {
    const work = store
      .of(1)
      .transaction()
      .execute(tx => tx.deleteFrom('entity').where('id', '=', 2).execute())
    await expect(work).rejects.toThrow(refused)
    const shared = store.shared.selectFrom('entity').selectAll().where('organisation_id', '=', 1)
    await expect(shared.execute()).rejects.toThrow(refused)
  })

  it('raw SQL is rejected, alone, as a condition and as a value, unless reviewed', async () => {
    const unreviewed = /was not reviewed/
    await expect(sql`select * from entity`.execute(store.of(1))).rejects.toThrow(unreviewed)
    await expect(sql`delete from entity`.execute(store.shared)).rejects.toThrow(unreviewed)
    const own = entities().where('organisation_id', '=', 1)
    await expect(
      own
        .where(sql<boolean>`1 = 1 or 2 = 2`)
        .selectAll()
        .execute(),
    ).rejects.toThrow(unreviewed)
    const secret = sql<string>`(select body from content where organisation_id = 2)`.as('body')
    await expect(own.select(secret).execute()).rejects.toThrow(unreviewed)
    const reviewed = own.where(sql<boolean>`lower(user_email) = ${'a'}`).selectAll()
    await expect(reviewed.execute()).rejects.toThrow(/no such column/)
  })

  it('only migrations can change the schema', async () => {
    await expect(store.of(1).schema.dropTable('entity').execute()).rejects.toThrow(/is not guarded/)
  })

  it('every reviewed fragment is in use', () => {
    const sources = readdirSync(import.meta.dirname)
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'raw-sql.ts')
      .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'))
    const used = sources.flatMap(source =>
      [...source.matchAll(/sql(?:<\w+>)?`((?:[^`$]|\$\{(?:[^`}]|`[^`]*`)*\})*)`/g)].map(match =>
        (match[1] ?? '').replaceAll(/\$\{(?:[^`}]|`[^`]*`)*\}/g, '?').replaceAll('\\\\', '\\'),
      ),
    )
    expect(new Set(used)).toEqual(new Set([...reviewedSql].filter(text => !builderSql.includes(text))))
  })

  it('every table of organisations is guarded', async () => {
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: openSqlite(':memory:', {}) }) })
    for (const migration of Object.values(migrations)) await migration.up(db)
    const tables = await db.introspection.getTables()
    await db.destroy()
    const owned = tables
      .filter(({ columns }) => columns.some(({ name }) => name === 'organisation_id'))
      .map(({ name }) => name)
    // Memberships and tokens are read before an organisation is chosen, and a server runs the jobs of all.
    const shared = ['job', 'membership', 'personal_token', 'provider_membership']
    expect(owned.toSorted()).toEqual([...organisationTables, ...shared].toSorted())
  })
})
