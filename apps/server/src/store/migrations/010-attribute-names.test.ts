import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

const organisation = 7

describeOnBothStores('A store from before the attribute search', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store from before the attribute search has each indexable name once per organisation after its migration', async () => {
    const settings = await emptyStore(kind, ends)
    const db = plain(settings)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('009-unseen')).error).toBeUndefined()
    const names = Array.from({ length: 1_200 }, (_, at) => `Name ${at}`)
    const columns = [...names, ...names.slice(0, 300), 'Übung', 'x'.repeat(200), 'y'.repeat(201), 'z'.repeat(4_000)]
    for (const [at, name] of columns.entries()) {
      await sql`insert into entity_column (organisation_id, uid, entity_id, name)
        values (${organisation}, ${`uid ${at}`}, ${at}, ${name})`.execute(db)
    }
    await sql`insert into entity_column (organisation_id, uid, entity_id, name) values (0, 'uid', 1, 'Name 1')`.execute(
      db,
    )
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    const { rows } = await sql<{ organisation_id: number; name: string; name_folded: string }>`
      select organisation_id, name, name_folded from attribute_name`.execute(db)
    const of = (id: number) => rows.filter(row => Number(row.organisation_id) === id)
    expect(
      of(organisation)
        .map(row => row.name)
        .toSorted(),
    ).toEqual([...names, 'Übung', 'x'.repeat(200)].toSorted())
    expect(of(0)).toEqual([expect.objectContaining({ name: 'Name 1', name_folded: 'name 1' })])
    expect(rows.find(row => row.name === 'Übung')?.name_folded).toBe('übung')
    await db.destroy()
  })
})
