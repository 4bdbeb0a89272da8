import { newManifestContent } from '@cadmus/model/manifest'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from './store.ts'
import { listManifests, manifestFolders, parentsOf, subManifestsOf } from './manifest-list.ts'
import { appendMembers, removeMembers } from './manifest-members.ts'
import { insertManifests, lockManifest, manifestById, manifestContent } from './manifest.ts'

const actor = { userName: 'Test' }

describe('The manifest store', () => {
  let store: Store
  beforeAll(async () => {
    store = openStore({ kind: 'sqlite', file: ':memory:' })
    await store.migrate()
    for (const [organisationId, id, name, subs] of [
      [1, 11, 'Beta', []],
      [1, 12, 'alpha', [11]],
      [2, 13, 'Gamma', []],
    ] as const) {
      await insertManifests(
        store.of(organisationId),
        organisationId,
        [
          {
            id,
            path: `user-defined/${name}`,
            content: newManifestContent({ name }),
            members: [],
            subManifests: subs.map(sub => ({ id: sub, organisationId })),
          },
        ],
        actor,
      )
    }
  })
  afterAll(() => store.close())

  it("lists an organisation's manifests by name, case-insensitively", holds('M7.19'), async () => {
    const { rows, total } = await listManifests(store.of(1), 1, { page: 0, limit: 10 })
    expect(rows.map(row => row.name)).toEqual(['alpha', 'Beta'])
    expect(total).toBe(2)
  })

  it('continues after the place of an answer', async () => {
    const first = await listManifests(store.of(1), 1, { page: 0, limit: 1 })
    const second = await listManifests(store.of(1), 1, { page: 0, limit: 1, after: first.next ?? '' })
    expect(second.rows.map(row => row.name)).toEqual(['Beta'])
  })

  it('searches substrings, with % and _ taken literally', holds('M7.23'), async () => {
    const names = async (search: string) =>
      (await listManifests(store.of(1), 1, { page: 0, limit: 10, search })).rows.map(row => row.name)
    expect(await names('LPH')).toEqual(['alpha'])
    expect(await names('%')).toEqual([])
    expect(await names('a_p')).toEqual([])
  })

  it('returns parents, ordered sub-manifests, and folders', holds('M7.16'), async () => {
    const { rows } = await parentsOf(store.of(1), 1, 11, { page: 0, limit: 10 })
    expect(rows.map(row => row.name)).toEqual(['alpha'])
    expect((await subManifestsOf(store.of(1), { id: 12, organisation_id: 1 })).map(row => row.name)).toEqual(['Beta'])
    expect(await manifestFolders(store.of(1), 1, { page: 0, limit: 10 })).toMatchObject({
      folders: [{ name: 'user-defined', path: 'user-defined' }],
      total: 1,
    })
  })

  it('updates rows, content and counts when members are added and removed', async () => {
    const members = [5, 6].map(entityId => ({ entityId, organisationId: 1, type: 'EXCLUSIVE' as const }))
    await store
      .of(1)
      .transaction()
      .execute(async tx => {
        const locked = await lockManifest(tx, 1, 11)
        if (locked) await appendMembers(tx, locked, members, actor)
      })
    const row = await manifestById(store.of(1), 1, 11)
    expect(row).toMatchObject({ entity_count: 2, revision: 1 })
    await store
      .of(1)
      .transaction()
      .execute(async tx => {
        const locked = await lockManifest(tx, 1, 11)
        if (locked) await removeMembers(tx, locked, [5], actor)
      })
    const after = await manifestById(store.of(1), 1, 11)
    expect(after).toMatchObject({ entity_count: 1 })
    expect(after && (await manifestContent(store.of(1), after)).entities).toEqual([{ id: 6, type: 'EXCLUSIVE' }])
  })

  it('returns nothing of another organisation', async () => {
    expect(await manifestById(store.of(1), 1, 13)).toBeUndefined()
    expect(await lockManifest(store.of(1), 1, 13)).toBeUndefined()
  })
})
