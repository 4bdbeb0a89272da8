import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store from before access tokens', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it("a store from before access tokens has the provider's permissions from each user's newest session", async () => {
    const db = plain(await emptyStore(kind, ends))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('012-attribute-name-index')).error).toBeUndefined()
    for (const id of ['told', 'untold', 'away'])
      await sql`insert into user_account (id, subject, issuer, username, fullname, email, is_admin, updated_at)
        values (${id}, ${id}, 'tests', ${id}, ${id}, '', 0, '')`.execute(db)
    const session = (id: string, user: string, day: string, permissions: string | null) =>
      sql`insert into session (id, token_hash, refresh_hash, user_id, is_admin, permissions, provider_tokens, created_at, expires_at,
        refresh_expires_at) values (${id}, ${id}, ${id}, ${user}, 0, ${permissions}, '', ${day}, ${day}, ${day})`.execute(
        db,
      )
    await session('1', 'told', '2026-02-01', '["new"]')
    await session('2', 'told', '2026-01-01', '["old"]')
    await session('3', 'untold', '2026-01-01', null)
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    const { rows } = await sql`select id, permissions from user_account order by id`.execute(db)
    expect(rows).toEqual([
      { id: 'away', permissions: null },
      { id: 'told', permissions: '["new"]' },
      { id: 'untold', permissions: null },
    ])
    await db.destroy()
  })
})
