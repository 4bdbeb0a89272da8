import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store with rows left behind by deletions during saves', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store with rows left behind by deletions during saves keeps only rows of existing entities, each in its own organisation', async () => {
    const db = plain(await emptyStore(kind, ends))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('010-attribute-names')).error).toBeUndefined()
    // The second belongs to a running import; the third's id also exists in the other organisation.
    const entities = [
      [7, 1, 0],
      [7, 2, 55],
      [8, 3, 0],
      [0, 4, 0],
    ] as const
    for (const [organisation, id, importId] of entities)
      await sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash, latest_version,
        import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at, updated_by) values
        (${organisation}, ${id}, ${`uid ${id}`}, 'E', 'e', 'E', '', 'h', '1.0.0', ${importId}, 0, '', 0, 0, '', 1, '', '', '')`.execute(
        db,
      )
    const places = [
      [7, 1],
      [7, 2],
      [7, 3],
      [7, 4],
      [8, 3],
      [8, 1],
      [0, 4],
    ] as const
    for (const [organisation, id] of places) {
      const uid = `of ${id}`
      await sql`insert into entity_column (organisation_id, uid, entity_id, name) values (${organisation}, ${uid}, ${id}, 'n')`.execute(
        db,
      )
      await sql`insert into entity_reference (organisation_id, from_id, attribute_uid, to_id) values (${organisation}, ${id}, '', 99)`.execute(
        db,
      )
      await sql`insert into open_reference (organisation_id, from_id, uid, path) values (${organisation}, ${id}, ${uid}, '')`.execute(
        db,
      )
      await sql`insert into entity_version (organisation_id, entity_id, version, content_hash, created_at, created_by)
        values (${organisation}, ${id}, '1.0.0', 'h', '', '')`.execute(db)
    }
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    for (const [table, column] of [
      ['entity_column', 'entity_id'],
      ['entity_reference', 'from_id'],
      ['open_reference', 'from_id'],
      ['entity_version', 'entity_id'],
    ] as const) {
      const { rows } = await sql<{ organisation_id: number; id: number }>`
        select organisation_id, ${sql.ref(column)} as id from ${sql.table(table)} order by 1, 2`.execute(db)
      const left = rows.map(row => [Number(row.organisation_id), Number(row.id)])
      expect([table, left]).toEqual([
        table,
        [
          [0, 4],
          [7, 1],
          [7, 2],
          [8, 3],
        ],
      ])
    }
    await db.destroy()
  })
})
