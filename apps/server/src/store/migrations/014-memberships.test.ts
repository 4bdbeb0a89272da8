import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store from before the administration of organisations', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it("a store from before the administration of organisations has the provider's last permissions by organisation, and finds all users by name", async () => {
    const settings = await emptyStore(kind, ends)
    const db = plain(settings)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('013-personal-tokens')).error).toBeUndefined()
    for (const [id, code, name] of [
      [7, 'ACME', 'Äcme Trading'],
      [8, 'GLOBEX', 'Globex'],
    ] as const)
      await sql`insert into organisation (id, code, code_folded, name, licence_limits, created_at)
        values (${id}, ${code}, ${code.toLowerCase()}, ${name}, '', '')`.execute(db)
    const sent = [
      { oc: 'acme', on: 'Acme', ng: 2 },
      { oc: 'NOWHERE', on: 'No', ng: 1 },
    ]
    for (const [user, permissions] of [
      ['ada', JSON.stringify(sent)],
      ['bob', null],
      ['cai', '[]'],
    ] as const)
      await sql`insert into user_account (id, subject, issuer, username, fullname, email, is_admin, permissions, updated_at)
        values (${user}, ${user}, 'i', ${user}, ${`${user.toUpperCase()} Ülm`}, ${`${user}@Example.com`}, 0,
          ${permissions}, '')`.execute(db)
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    const { rows: stored } = await sql<Record<string, unknown>>`select * from provider_membership`.execute(db)
    expect(stored.map(row => [Number(row['organisation_id']), row['user_id'], Number(row['subscription'])])).toEqual([
      [7, 'ada', 2],
    ])
    const { rows: users } = await sql<Record<string, unknown>>`
      select id, name_folded, search_folded from user_account order by id`.execute(db)
    expect(users[2]).toMatchObject({ name_folded: 'cai ülm', search_folded: 'cai ülm\ncai\ncai@example.com' })
    const { rows: names } = await sql<{ name_folded: string }>`
      select name_folded from organisation order by id`.execute(db)
    expect(names.map(row => row.name_folded)).toEqual(['äcme trading', 'globex'])
    await db.destroy()
  })
})
