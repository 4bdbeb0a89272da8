import { createEntity, deleteEntity, listEntities as listCall, updateEntity } from '@cadmus/model/contract/entity'
import { createManifestByWizard, deleteManifest, getManifest } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { newEntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { isProving } from '@cadmus/testing/proof'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined, organisationId } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'
import { insertEntities } from './entity.ts'
import { type EntityListQuery, listEntities, searchNameIndexes } from './entity-list.ts'
import { NameIndexes } from './name-indexes.ts'

const actor = { userName: 'Test' }
const pieces = [
  'Order',
  'ORDER',
  'é',
  'e\u0301',
  'Ä',
  'İ',
  'ß',
  'zz',
  'Z',
  '_',
  '%',
  '\\',
  '"',
  "'",
  '🙂',
  '中',
  ' ',
  '.',
  '1',
]
const texts = [
  'order',
  'rder',
  'é',
  'E\u0301',
  'ä',
  'i',
  'SS',
  'ß',
  'zz',
  'z',
  '_',
  '%',
  '%%',
  '\\',
  '\\\\',
  '"',
  "'",
  '🙂',
  '中',
]
const odd = [
  '\u{d83d}',
  '\u{de42}',
  '\u{fffd}',
  '\0',
  'a\0b',
  ' ',
  ' z ',
  'zzorder',
  'nothing has this',
  'x%y',
  'r_e',
  '.*',
  '1',
]

describeOnBothStores('The in-memory name search', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  /** The index of another server on the same store. */
  const other = new NameIndexes()
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  const db = () => server.context.store.of(organisation)
  const list = (query: Partial<EntityListQuery>, indexes?: NameIndexes) =>
    listEntities(db(), organisation, { page: 0, limit: 1000, ...query }, indexes)
  /** The reference implementation: all entities whose name contains the text, case-insensitively, in order. */
  const naive = async (query: Partial<EntityListQuery>) => {
    const { search = '', limit = 1000, page = 0, ...rest } = query
    const { rows } = await list({ ...rest, limit: 100_000 })
    const result = rows.filter(row => foldName(row.name).includes(foldName(search)))
    return { ids: result.slice(page * limit, (page + 1) * limit).map(({ id }) => id), total: result.length }
  }
  const expectTrue = async (query: Partial<EntityListQuery>) => {
    const expected = await naive(query)
    for (const indexes of [server.context.store.names, other]) {
      const { rows, total } = await list(query, indexes)
      expect([query, total, rows.map(({ id }) => id)]).toEqual([query, expected.total, expected.ids])
    }
  }
  const place = { page: 0, limit: 10 }
  /** Asserts that the index and not the store answered. */
  const expectInMemory = async () => {
    expect(
      await searchNameIndexes(db(), server.context.store.names, [organisation, 0], { ...place, search: 'e' }),
    ).not.toBeNull()
  }
  const insert = async (names: readonly string[], manifestId = 0) => {
    const ids = await server.context.store.ids.take(names.length)
    const made = names.map((name, index) => ({
      id: ids[index] ?? -1,
      path: `user-defined/${name}`,
      manifestId,
      content: newEntityContent({ name }),
    }))
    await db()
      .transaction()
      .execute(tx => insertEntities(tx, organisation, made, actor))
    return ids
  }

  it('finds the same entities, order and count as a full scan', async () => {
    const near = await addManifest(server, 'NearBy')
    const random = chance(7)
    const name = () => Array.from({ length: 1 + random(4) }, () => pieces[random(pieces.length)] ?? '').join('')
    const names = new Set(Array.from({ length: 400 }, name).filter(one => one.trim() !== ''))
    const half = [...names].slice(0, names.size / 2)
    await insert(half)
    await insert([...names].slice(names.size / 2), near)
    for (const one of half.slice(0, 60)) await addPredefined(server, { name: one })
    for (const search of [...texts, ...odd.filter(text => !text.includes('\0') && text.isWellFormed())]) {
      await expectTrue({ search })
      await expectTrue({ search, filter: 'PRIVATE', limit: 7, page: 1 })
      await expectTrue({ search, filter: 'DEFAULT' })
      await expectTrue({ search, filter: 'RESOLVED' })
      await expectTrue({ search, filter: 'EXCLUSIVE', limit: 5 })
    }
    // Texts that no name can contain are answered like the store does.
    for (const search of ['\u{d83d}', '\u{de42}', 'a\u{d83d}']) {
      expect(await list({ search }, other)).toEqual(await list({ search: search.toWellFormed() }))
    }
    await expectInMemory()
  })

  it('orders by relevance like the store, page by page', async () => {
    const near = await addManifest(server, 'NearToo')
    await insert(['Order', 'Orders', 'ReOrder', 'order_2'], near)
    for (const search of ['order', 'z', '🙂', 'orders']) {
      for (const query of [{ near }, {}, { near, limit: 3, page: 1 }, { near, filter: 'DEFAULT' as const, limit: 4 }]) {
        const requested = { search, order: 'match' as const, ...query }
        const expected = await list(requested)
        expect([requested, await list(requested, other)]).toEqual([requested, expected])
      }
    }
  })

  it('continues after a place, whatever happened to its entity', async () => {
    const walk = async (indexes: NameIndexes | undefined, between: (seen: number) => Promise<void>) => {
      const ids: number[] = []
      for (let after: string | null | undefined; after !== null;) {
        const { rows, next } = await list({ search: 'r', limit: 9, ...(after ? { after } : {}) }, indexes)
        ids.push(...rows.map(({ id }) => id))
        await between(ids.length)
        after = next
      }
      return ids
    }
    const nothing = () => Promise.resolve()
    expect(await walk(other, nothing)).toEqual(await walk(undefined, nothing))
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: 'Or_moving' }, targetManifestId: -1 },
    })
    // A new name is stored beside the index, followed by indexed ones.
    expect(await walk(other, nothing)).toEqual(await walk(undefined, nothing))
    await designer.call(deleteEntity, { params: { id: entity.id } })
    expect(await walk(other, nothing)).toEqual(await walk(undefined, nothing))
    server.advance(60_000)
  })

  it('includes created, renamed, deleted, imported, duplicated and inserted entities at once on every server', async () => {
    const all = async (...searches: string[]) => {
      for (const search of searches) await expectTrue({ search })
      await expectInMemory()
    }
    await all('fresh', 'pati')
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: 'Fresh_one' }, targetManifestId: -1 },
    })
    await all('fresh', 'esh_')
    await designer.call(updateEntity, {
      params: { id: entity.id },
      body: { entity: { name: 'Ripe_one' } },
      ifMatch: '*',
    })
    await all('fresh', 'ripe', '_one')
    await designer.call(updateEntity, {
      params: { id: entity.id },
      body: { entity: { name: 'Fresh_one' } },
      ifMatch: '*',
    })
    await all('fresh', 'ripe')
    await designer.call(deleteEntity, { params: { id: entity.id } })
    await all('fresh', 'ripe')
    const bytes = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const { manifest } = await designer.call(importManifest, {
      files: { manifestFile: { name: 'clinic.zip', bytes } },
    })
    const [first] = (await designer.call(getManifest, { params: { id: manifest.id } })).manifest.entityPaths
    const name = first?.name ?? ''
    expect(name).not.toBe('')
    await all(name, name.slice(1))
    await designer.call(createManifestByWizard, { body: { manifestName: 'Copied', duplicateManifest: manifest.id } })
    await all(name, name.slice(1))
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'keep' } })
    await all(name, name.slice(1))
    // A change without audit entry, which only a defect could cause.
    await insert(['Unnoticed'])
    await all('unnoticed')
    await addPredefined(server, { name: 'UnnoticedToo' })
    await all('unnoticed')
  })

  it(
    'the in-memory name search is correct after a rebuild, and while a large manifest is being deleted',
    { timeout: 240_000 },
    async () => {
      const masses = isProving() ? 1200 : 300
      const manifestId = await addManifest(server, 'Masses')
      await insert(
        Array.from({ length: masses }, (_, index) => `Mass${index}`),
        manifestId,
      )
      await expectTrue({ search: 'mass', limit: 20 })
      const going = designer.call(deleteManifest, { params: { id: manifestId }, query: { onReferences: 'keep' } })
      let isOver = false
      void going.finally(() => (isOver = true))
      const seen = new Set<number>()
      while (!isOver) {
        seen.add((await list({ search: 'mass', limit: 20 }, other)).total)
        // Lets the deletion continue.
        await new Promise(resolve => setImmediate(resolve))
      }
      await going
      // All entities are visible, or none.
      expect([...seen].filter(total => total !== 0 && total !== masses)).toEqual([])
      await expectTrue({ search: 'mass', limit: 20 })
      await expectInMemory()
    },
  )

  it('the in-memory name search is up to date under concurrent searches and renames', async () => {
    for (let round = 0; round < 12; round++) {
      const name = `Racing${round}`
      const { entity } = await designer.call(createEntity, { body: { entity: { name }, targetManifestId: -1 } })
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          list({ search: name.toLowerCase(), filter: 'PRIVATE' }, index % 2 === 0 ? other : server.context.store.names),
        ),
      )
      expect(answers.map(({ rows }) => rows.map(({ id }) => id))).toEqual(answers.map(() => [entity.id]))
      server.advance(2000)
    }
    const { entity } = await designer.call(listCall, { query: { search: 'racing', filter: 'PRIVATE' } })
    expect(entity.map(item => item.name)).toHaveLength(12)
  })
})

/** A seeded generator of numbers below `max`. */
function chance(seed: number): (max: number) => number {
  let state = seed
  return max => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 0x80_00_00_00) * max)
  }
}
