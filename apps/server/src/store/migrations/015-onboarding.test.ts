import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store from before the onboarding tour', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('counts existing users as onboarded, but not later ones', async () => {
    const db = plain(await emptyStore(kind, ends))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('014-memberships')).error).toBeUndefined()
    const user = (id: string) =>
      sql`insert into user_account (id, subject, issuer, username, fullname, email, is_admin, updated_at)
        values (${id}, ${id}, 'tests', ${id}, ${id}, '', 0, '2026-01-02T00:00:00.000Z')`.execute(db)
    await user('ada')
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    await user('bob')
    const { rows } = await sql`select id, onboarded_at from user_account order by id`.execute(db)
    expect(rows).toEqual([
      { id: 'ada', onboarded_at: '2026-01-02T00:00:00.000Z' },
      { id: 'bob', onboarded_at: null },
    ])
    await db.destroy()
  })
})
