import { postgresAvailability } from '@cadmus/testing/availability'
import { newEntityContent } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyStore, plain } from '../testing/old-store.ts'
import { inBatches } from './statements.ts'
import { openStore, type Store } from './store.ts'
import { insertEntities } from './entity.ts'
import { insertManifests } from './manifest.ts'
import { MemberParts, memberRows } from './model-source.ts'
import { hideEntities } from './pending-deletion.ts'

const actor = { userName: 'Test' }
const organisationId = 5
const [shop, mixed] = [9001, 9002]
const ids = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

type Listed = { entityId: number; organisationId: number }

for (const kind of ['sqlite', 'postgres'] as const) {
  describe.skipIf(kind === 'postgres' && !postgresAvailability().present)(`Members of a manifest (${kind})`, () => {
    const ends: (() => Promise<void> | void)[] = []
    let store: Store
    let requested: Kysely<unknown>

    beforeAll(async () => {
      const settings = await emptyStore(kind, ends)
      store = openStore(settings)
      ends.unshift(() => store.close())
      await store.migrate()
      requested = plain(settings)
      ends.unshift(() => requested.destroy())
      // Disables automatic statistics while plans are checked.
      for (const table of kind === 'postgres' ? ['entity', 'manifest_member'] : [])
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(requested)
      await addEntities(0, ids(1, 2), 0)
      await addEntities(organisationId, ids(1000, 1200), shop)
      await addEntities(organisationId, [5000], mixed)
      await addEntities(organisationId, [5001], mixed, 77)
      await addEntities(organisationId, [5002], 9003)
      await addManifest(
        shop,
        ids(1000, 1200).map(entityId => ({ entityId, organisationId })),
      )
      const own = [5000, 5001, 5002, 1000].map(entityId => ({ entityId, organisationId }))
      await addManifest(mixed, [...own, { entityId: 2, organisationId: 0 }, { entityId: 4711, organisationId }])
    })
    afterAll(async () => {
      for (const end of ends) await end()
    })

    async function addEntities(organisation: number, list: readonly number[], manifestId: number, importId = 0) {
      for (const part of inBatches(list, 500)) {
        const rows = part.map(id => ({
          id,
          path: `user-defined/E ${id}`,
          manifestId,
          importId,
          content: newEntityContent({ name: `E ${id}` }),
        }))
        await insertEntities(store.of(organisation), organisation, rows, actor)
      }
    }

    async function addManifest(id: number, listed: readonly Listed[]) {
      const content = newManifestContent({ name: `M${id}` })
      const members = listed.map(one => ({ ...one, type: 'TEMPLATE' as const }))
      const row = { id, path: `user-defined/M${id}`, content, members, subManifests: [] }
      await insertManifests(store.of(organisationId), organisationId, [row], actor)
    }

    const read = async (parts: MemberParts, ...manifests: number[]) =>
      (await parts.read(store.of(organisationId), organisationId, manifests)).toSorted((a, b) => a.id - b.id)

    it('are custom and library entities with path and hash, each once', async () => {
      const parts = await read(new MemberParts(), mixed, shop)
      expect(parts.map(({ id }) => id)).toEqual([2, ...ids(1000, 1200), 5000, 5002])
      expect(parts[0]).toEqual({ id: 2, path: 'user-defined/E 2', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    })

    it('exclude unpublished imports, entities being deleted and missing ones', async () => {
      expect((await read(new MemberParts(), mixed)).map(({ id }) => id)).toEqual([2, 1000, 5000, 5002])
      await hideEntities(store.of(organisationId), organisationId, { manifestId: 9003, jobId: 1 })
      expect((await read(new MemberParts(), mixed)).map(({ id }) => id)).toEqual([2, 1000, 5000])
    })

    it('are identical objects for unchanged rows', async () => {
      const parts = new MemberParts()
      const before = await read(parts, shop)
      await sql`update entity set path = 'user-defined/Other' where id = 1001`.execute(requested)
      const after = await read(parts, shop)
      expect(after[1]).toEqual({ ...before[1], path: 'user-defined/Other' })
      expect(after.filter((one, index) => one !== before[index])).toHaveLength(1)
    })

    it.skipIf(kind === 'sqlite')(
      'are looked up individually by their whole key, with and without statistics',
      async () => {
        const query = memberRows(store.of(organisationId), organisationId, [shop]).compile()
        const plan = async () => {
          const explained = { ...query, sql: `explain (analyze, timing off) ${query.sql}` }
          const { rows } = await requested.executeQuery<{ 'QUERY PLAN': string }>(explained)
          return rows.map(row => row['QUERY PLAN']).join('\n')
        }
        const counted = async () =>
          (await sql<{ reltuples: number }>`select reltuples from pg_class where relname = 'entity'`.execute(requested))
            .rows
        expect(await counted()).toEqual([{ reltuples: -1 }])
        const before = await plan()
        await sql`analyze`.execute(requested)
        for (const text of [before, await plan()]) {
          expect(text).not.toMatch(/Seq Scan on entity/)
          expect(text).toMatch(/Index Scan using entity_pkey on entity .*rows=1 loops=1200/)
          expect(text).toMatch(
            /Index Cond: \(\(organisation_id = '5'::bigint\) AND \(id = manifest_member.entity_id\)\)/,
          )
          expect(text).not.toMatch(/Rows Removed by (Join )?Filter: \d{4,}/)
        }
      },
    )
  })
}
