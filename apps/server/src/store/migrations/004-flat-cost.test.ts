import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { openStore } from '../store.ts'
import { entityFolders, listEntities } from '../entity-list.ts'
import { counterValue } from '../counters.ts'
import { migrations } from './all.ts'

describeOnBothStores('A store from before counters and search indexes', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store from before counters and search indexes keeps its data and can be listed, searched and counted', async () => {
    const settings = await emptyStore(kind, ends)
    const old = plain(settings)
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: old, provider }).migrateTo('003-audit')
    expect(error).toBeUndefined()
    await fill(old)
    await old.destroy()

    const store = openStore(settings)
    await store.migrate()
    const db = store.of(7)
    const list = async (query: object) =>
      (await listEntities(db, 7, { page: 0, limit: 10, ...query })).rows.map(row => row.name)
    expect(await list({})).toEqual(['Customer', 'Order'])
    expect(await list({ search: 'rde' })).toEqual(['Order'])
    expect(await list({ search: 'or' })).toEqual(['Order'])
    expect((await entityFolders(db, 7, { page: 0, limit: 10 })).folders.map(({ path }) => path)).toEqual([
      'user-defined/Shop',
    ])
    expect(await counterValue(db, [7, 0], { name: 'entities', folder: '' })).toBe(2)
    expect(await counterValue(db, [7], { name: 'ENTITY', folder: '' })).toBe(1)
    const references = await db.selectFrom('entity_reference').selectAll().where('organisation_id', '=', 7).execute()
    expect(references).toMatchObject([{ from_id: 2, to_id: 1, foreign_key: 'customerId', target: 'id', place: 0 }])
    await store.close()
  })
})

async function fill(db: Kysely<unknown>): Promise<void> {
  const customer = newEntityContent({ name: 'Customer' })
  const relationship = newEntityAttribute({
    associatedEntity: { id: 1, name: 'Customer', path: 'user-defined/Shop/Customer' },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: 'customerId',
    position: 1,
  })
  const order = newEntityContent({ name: 'Order', entityAttributes: [relationship] })
  for (const [id, content, importId, hidden] of [
    [1, customer, 0, 0],
    [2, order, 0, 0],
    [3, newEntityContent({ name: 'Half' }), 9, 0],
    [4, newEntityContent({ name: 'Hidden' }), 0, 1],
  ] as const) {
    const { name, uid } = content
    await sql`insert into content values (7, ${`hash${id}`}, ${JSON.stringify({ ...content, format: 1 })})`.execute(db)
    await sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash, latest_version,
      import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at, updated_by)
      values (7, ${id}, ${uid}, ${name}, ${name.toLowerCase()}, ${`user-defined/Shop/${name}`}, 'user-defined/Shop',
      ${`hash${id}`}, '1.0.0', ${importId}, ${hidden}, 'EXCLUSIVE', 0, 0, '', 1, '', '', '')`.execute(db)
  }
  await sql`insert into entity_reference values (7, 2, ${relationship.uid}, 1)`.execute(db)
  await sql`insert into audit_entry (organisation_id, id, at, kind, target_id, action_type, user_id, user_name,
    user_name_folded, user_email, name, path, description, import_id, sequence)
    values (7, 5, '', 'ENTITY', 1, 'CREATE', '', '', '', '', 'Customer', '', '', 0, 1)`.execute(db)
}
