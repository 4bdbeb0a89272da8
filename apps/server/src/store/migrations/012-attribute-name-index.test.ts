import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store without the index on attribute names', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('the migration adds the missing index on attribute names', async () => {
    const db = plain(await emptyStore(kind, ends))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('011-left-behind')).error).toBeUndefined()
    await sql`drop index attribute_name_folded`.execute(db)
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    // Fails if the index does not exist.
    await sql`drop index attribute_name_folded`.execute(db)
    await db.destroy()
  })
})
