import { newEntityContent } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { newUid } from '@cadmus/model/uid'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { recoverJobs } from '../../jobs/job-recovery.ts'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { listAudit } from '../audit-read.ts'
import { openStore } from '../store.ts'
import { entityFolders, listEntities } from '../entity-list.ts'
import { entityById } from '../entity.ts'
import { frozenVersions } from '../entity-version.ts'
import { manifestById, manifestContent } from '../manifest.ts'
import { migrations } from './all.ts'

const organisation = 7

describeOnBothStores('A store of the first schema', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store of the first schema is migrated in order of numbers without loss; partial imports are removed', async () => {
    expect(Object.keys(migrations)).toEqual(Object.keys(migrations).toSorted())
    const settings = await emptyStore(kind, ends)
    const old = plain(settings)
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: old, provider }).migrateTo('001-ground')
    expect(error).toBeUndefined()
    await fill(old)
    await old.destroy()

    const store = openStore(settings)
    ends.push(() => store.close())
    await store.migrate()
    await store.check()
    const db = store.of(organisation)
    const { rows } = await listEntities(db, organisation, { page: 0, limit: 10 })
    expect(rows.map(({ name, path }) => [name, path])).toEqual([
      ['A/B', 'user-defined/Shop%2FEU/A%2FB'],
      ['Customer', 'user-defined/Shop%2FEU/Customer'],
    ])
    const { folders } = await entityFolders(db, organisation, { page: 0, limit: 10 })
    expect(folders.map(({ path }) => path)).toEqual(['user-defined/Shop%2FEU'])
    expect((await entityById(db, organisation, 1))?.content.description).toBe('latest')
    const versions = await frozenVersions(db, organisation, 1, ['0.9.0'])
    expect(versions.map(({ version, content }) => [version, content.description])).toEqual([['0.9.0', 'former']])
    const manifest = await manifestById(db, organisation, 20)
    expect([manifest?.name, manifest?.path]).toEqual(['Shop/EU', 'user-defined/Shop%2FEU'])
    const content = manifest && (await manifestContent(db, manifest))
    expect(content?.description).toBe('of the shop')
    const page = { offset: 0, limit: 10, orderBy: 'at', direction: 'desc' } as const
    const { entries } = await listAudit(db, organisation, 'ENTITY', page)
    expect(entries.map(entry => entry.DESCRIPTION)).toEqual(['second', 'first'])
    const members = db.selectFrom('manifest_member').select('entity_id').where('organisation_id', '=', organisation)
    expect((await members.orderBy('position').execute()).map(row => row.entity_id)).toEqual([2, 1])

    expect(await recoverJobs({ store, log: pino({ level: 'silent' }) })).toBe(1)
    const ids = await db.selectFrom('entity').select('id').where('organisation_id', '=', organisation).execute()
    expect(ids.map(row => row.id).toSorted()).toEqual([1, 2])
  })
})

/** Two entities with a slash, a version, a manifest, two audit entries, and an interrupted import. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`insert into organisation (id, code, code_folded, name, licence_limits, created_at)
    values (${organisation}, 'SEVEN', 'seven', 'Seven', '', '')`.execute(db)
  const contents = {
    latest: newEntityContent({ name: 'A/B', description: 'latest' }),
    former: newEntityContent({ name: 'A/B', description: 'former' }),
    customer: newEntityContent({ name: 'Customer' }),
    half: newEntityContent({ name: 'Half' }),
    shop: newManifestContent({ uid: newUid(), name: 'Shop/EU', description: 'of the shop' }),
  }
  for (const [hash, content] of Object.entries(contents)) {
    const body = JSON.stringify({ ...content, format: 1 })
    await sql`insert into content values (${organisation}, ${hash}, ${body})`.execute(db)
  }
  const entity = (id: number, hash: string, { name, uid }: { name: string; uid: string }, importId: number) =>
    sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash, latest_version,
      import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at, updated_by)
      values (${organisation}, ${id}, ${uid}, ${name}, ${name.toLowerCase()}, ${`user-defined/Shop/EU/${name}`},
      'user-defined/Shop/EU', ${hash}, '1.0.0', ${importId}, 0, 'EXCLUSIVE', 20, 0, '', 1, '', '', '')`.execute(db)
  await entity(1, 'latest', contents.latest, 0)
  await entity(2, 'customer', contents.customer, 0)
  await entity(3, 'half', contents.half, 9)
  await sql`insert into entity_version (organisation_id, entity_id, version, content_hash, created_at, created_by)
    values (${organisation}, 1, '0.9.0', 'former', '', '')`.execute(db)
  await sql`insert into manifest (organisation_id, id, uid, name, name_folded, path, folder, content_hash, latest_version,
    import_id, hidden, entity_count, sub_manifest_count, revision, created_at, updated_at, updated_by)
    values (${organisation}, 20, ${contents.shop.uid}, 'Shop/EU', 'shop/eu', 'user-defined/Shop/EU', 'user-defined/Shop',
    'shop', '1.0.0', 0, 0, 2, 0, 1, '', '', '')`.execute(db)
  for (const [position, id] of [2, 1].entries()) {
    await sql`insert into manifest_member (organisation_id, manifest_id, entity_id, entity_organisation_id, type, position)
      values (${organisation}, 20, ${id}, ${organisation}, 'EXCLUSIVE', ${position})`.execute(db)
  }
  for (const [id, description] of ['first', 'second'].entries()) {
    await sql`insert into audit_entry (organisation_id, id, at, kind, target_id, action_type, user_id, user_name,
      user_name_folded, user_email, name, path, description, import_id)
      values (${organisation}, ${30 + id}, ${`2026-01-0${id + 1}T00:00:00.000Z`}, 'ENTITY', 1, 'CREATE', '', '', '', '',
      'A/B', '', ${description}, 0)`.execute(db)
  }
  await sql`insert into import_run (organisation_id, id, user_id, started_at, heartbeat_at)
    values (${organisation}, 9, 'u', '', '')`.execute(db)
}
