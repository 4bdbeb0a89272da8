import { newConfiguration } from '@cadmus/model/configuration'
import { configurationContent } from '@cadmus/model/content'
import { newEntityContent, noScopes } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { openStore } from '../store.ts'
import { searchParts } from '../search-parts.ts'
import { insertSearchTexts } from '../search-text.ts'
import { searchTexts } from '../searched-texts.ts'
import { migrations } from './all.ts'

const organisation = 7
const entities = 120

async function insertContent(db: Kysely<unknown>, hash: string, content: unknown): Promise<void> {
  await sql`insert into content values (${organisation}, ${hash}, ${JSON.stringify(content)})`.execute(db)
}

async function insertEntity(db: Kysely<unknown>, id: number): Promise<void> {
  await sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash,
    latest_version, import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at,
    updated_by) values (${organisation}, ${id}, ${`uid${id}`}, '', '', '', '', ${`hash${id}`},
    '1.0.0', 0, 0, 'EXCLUSIVE', 0, 0, '', 1, '', '', '')`.execute(db)
}

describeOnBothStores('A store from before the search for anything', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store from before the search for anything finds all existing texts after its migration', async () => {
    const settings = await emptyStore(kind, ends)
    const db = plain(settings)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('023-following-changes')).error).toBeUndefined()
    const store = async (hash: string, content: unknown) => insertContent(db, hash, content)
    for (let id = 1; id <= entities; id++) {
      const attribute = newTypeAttribute({ name: 'state', position: 0, choices: [`open${id}`] })
      await store(
        `hash${id}`,
        newEntityContent({ name: `Entity${id}`, description: `number${id}`, typeAttributes: [attribute] }),
      )
      await insertEntity(db, id)
    }
    await store('manifest', newManifestContent({ name: 'Shop', description: 'everything' }))
    const configuration = newConfiguration('Shop')
    configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions.push('shop:read')
    await store('configuration', configurationContent({ configuration, named: [] }))
    await sql`insert into manifest (organisation_id, id, uid, name, name_folded, path, folder, content_hash,
      configuration_hash, latest_version, entity_count, sub_manifest_count, revision, import_id, hidden, created_at, updated_at,
      updated_by) values (${organisation}, 900, 'uid', 'Shop', 'shop', '', '', 'manifest', 'configuration', '1.0.0', 0, 0, 0, 0, 0,
      '', '', '')`.execute(db)
    const scopes = JSON.stringify({ ...noScopes, deleteOperationScopes: ['own:delete'] })
    await sql`insert into entity_scopes (organisation_id, entity_id, scopes) values (${organisation}, 950, ${scopes})`.execute(
      db,
    )
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    await db.destroy()

    const migrated = openStore(settings)
    const result = async (search: string) =>
      (await searchTexts(migrated.of(organisation), organisation, search)).map(
        ({ documentKind, documentId, text }) => `${text.kind} of ${documentKind} ${documentId}: ${text.text}`,
      )
    expect(await result('number120')).toEqual(['description of entity 120: number120'])
    expect(await result('open77')).toEqual(['choice of entity 77: open77'])
    expect(await result('everything')).toEqual(['description of manifest 900: everything'])
    expect(await result('read')).toEqual(['scope of configuration 900: shop:read'])
    expect(await result('own')).toEqual(['scope of entity 950: own:delete'])
    await migrated.close()
  })

  it('a migration that ends in the middle leaves the store as it was, and runs at the next start', async () => {
    const settings = await emptyStore(kind, ends)
    const db = plain(settings)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('023-following-changes')).error).toBeUndefined()
    for (let id = 1; id <= entities; id++) {
      await insertContent(db, `hash${id}`, id === entities ? 'unreadable' : newEntityContent({ name: `Entity${id}` }))
      await insertEntity(db, id)
    }
    const interrupted = openStore(settings)
    await expect(interrupted.migrate()).rejects.toThrow()
    await interrupted.close()
    await expect(sql`select * from search_text`.execute(db)).rejects.toThrow('search_text')

    const repaired = JSON.stringify(newEntityContent({ name: 'Repaired', description: 'repaired' }))
    await sql`update content set body = ${repaired} where hash = ${`hash${entities}`}`.execute(db)
    await db.destroy()
    const next = openStore(settings)
    await next.migrate()
    expect(await searchTexts(next.of(organisation), organisation, 'repaired')).toHaveLength(1)
    await next.close()
  })

  it.runIf(kind === 'postgres')('a search reads the index before the store knows its size', async () => {
    const settings = await emptyStore(kind, ends)
    const store = openStore(settings)
    await store.migrate()
    const texts = [{ kind: 'description', part: 'document', uid: '', name: '', text: 'all of them' }] as const
    const documents = Array.from({ length: 2000 }, (_, index) => ({ id: index + 1, parts: searchParts(texts) }))
    await insertSearchTexts(store.of(organisation), organisation, 'entity', documents)
    await store.close()
    const db = plain(settings)
    const plan = await sql<{ 'QUERY PLAN': string }>`explain select texts from search_text
      where organisation_id = ${organisation} and search_vector(words) @@ ${"'7dthe':*"}::tsquery limit 20`.execute(db)
    expect(plan.rows.map(row => row['QUERY PLAN']).join()).toContain('search_text_words')
    await db.destroy()
  })
})
