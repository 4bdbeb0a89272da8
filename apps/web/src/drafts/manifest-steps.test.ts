import { newEntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { newUid } from '@cadmus/model/uid'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { changesQuery, type ManifestChange, manifestChangesQuery } from '../api/edit-log.ts'
import { readEntityStates } from '../api/entity-states.ts'
import { entityQuery } from '../api/entities.ts'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { noticeStore } from '../ui/notices.ts'
import { applyTyped } from '../ui/typed-text.ts'
import { questionStore } from '../workbench/confirm.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { openToEdit } from './open-to-edit.ts'
import { entityStandIn } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
// Connects the store with its server.
import '../features/entity/entity-saves.ts'
import { nextInManifest, takeInManifest, undoSaves } from './manifest-steps.ts'
import { undoOfSaves } from './save-all.ts'
import { operationIdIn, runOf } from './save-run.ts'

vi.mock('../api/entity-states.ts', () => ({ readEntityStates: vi.fn(), readChanges: vi.fn() }))

const manifest = { id: 90, entityPaths: [{ id: 91 }, { id: 92 }, { id: 93 }] }
const [one, two, three] = [91, 92, 93]
const key = (id: number) => draftKey(id, undefined)
const contents = new Map(manifest.entityPaths.map(({ id }) => [id, newEntityContent({ name: `E${id}` })]))
const contentOf = (id: number, description: string) => ({ ...contents.get(id)!, description })

function entry(sequence: number, id: number, more: Partial<ManifestChange> = {}): ManifestChange {
  return {
    sequence,
    changeId: sequence,
    entryId: sequence,
    operationId: null,
    description: `Described E${id}`,
    version: '1.0.0',
    at: '2026-01-01T10:00:00Z',
    actor: { name: 'Ann' },
    own: true,
    follows: false,
    before: '"before"',
    after: `"${sequence}"`,
    document: { kind: 'entity', id, name: `E${id}` },
    ...more,
  }
}

/** The log of the manifest, newest first, as the server has it. Every entry has changed the description from `before` to `after`. */
function logged(...entries: readonly ManifestChange[]) {
  queryClient.setQueryData(manifestChangesQuery(manifest.id).queryKey, entries)
  vi.spyOn(queryClient, 'fetchQuery').mockImplementation(async options =>
    queryClient.getQueryData(options.queryKey as never),
  )
  for (const { id } of manifest.entityPaths) {
    const own = entries.filter(({ document }) => document.id === id)
    const isChanged = own[0] !== undefined && own[0].cause?.kind !== 'undo'
    queryClient.setQueryData(entityQuery(id).queryKey, {
      entity: entityStandIn(id, contentOf(id, isChanged ? 'after' : 'before'), undefined),
      etag: '"now"',
    })
    queryClient.setQueryData(changesQuery('entity', id, '"now"').queryKey, own)
  }
  vi.mocked(readEntityStates).mockImplementation(async requested => {
    const changes = requested.map(({ id, change }) => {
      const own = entries.filter(one => one.document.id === id)
      const last = own.find(({ sequence }) => typeof change !== 'object' || sequence === change.last)
      const [before, after] = [contentOf(id, 'before'), contentOf(id, 'after')]
      const states = last?.cause?.kind === 'undo' ? { before: after, after: before } : { before, after }
      const entity = entityStandIn(id, after, undefined)
      return [id, { entity, etag: '"now"', change: last ? { entries: [last], ...states, others: [] } : null }] as const
    })
    return new Map(changes)
  })
  return entries
}

const descriptions = () =>
  manifest.entityPaths.map(({ id }) => entityStore.get(key(id))?.draft.content.description ?? null)

describe('Undo in a manifest', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.mocked(readEntityStates).mockReset()
    workbench.getState().closeTabs(workbench.getState().tabs.map(({ tabId }) => tabId))
  })

  it('takes back saved changes of its entities, the newest first, and makes them again', async () => {
    const changes = logged(entry(12, two), entry(11, one))
    expect(nextInManifest(manifest, changes, 'undo')).toMatchObject({
      title: 'E92',
      name: expect.stringMatching(/saved/),
    })
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual([null, 'before', null])
    expect(noticeStore.getState().notices.at(-1)?.text).toMatch(/^Undid in E92, not saved yet: Described E92, saved/)
    expect(noticeStore.getState().notices.at(-1)?.isUnsaved?.()).toBe(true)
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual(['before', 'before', null])
    expect(nextInManifest(manifest, changes, 'undo')).toBeUndefined()
    await takeInManifest(manifest, 'redo')
    expect(nextInManifest(manifest, changes, 'undo')?.title).toBe('E91')
    await takeInManifest(manifest, 'redo')
    expect(nextInManifest(manifest, changes, 'redo')).toBeUndefined()
  })

  it('takes back steps in their order when the key is pressed again before the last one is read', async () => {
    logged(entry(14, three), entry(13, two), entry(12, one))
    await Promise.all([1, 2, 3].map(async () => takeInManifest(manifest, 'undo')))
    expect(descriptions()).toEqual(['before', 'before', 'before'])
    expect(noticeStore.getState().notices.map(({ text }) => text)).not.toContain('There is nothing to undo.')
  })

  it('takes back a change of several entities in all of them', async () => {
    logged(entry(13, three), entry(12, two, { changeId: 5 }), entry(11, one, { changeId: 5 }))
    await takeInManifest(manifest, 'undo')
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual(['before', 'before', 'before'])
    expect(noticeStore.getState().notices.at(-1)?.text).toMatch(/^Undid in 2 documents/)
  })

  it('takes back and makes again the saves of one action as one step', async () => {
    const run = newUid()
    const saved = (sequence: number, id: number) => entry(sequence, id, { operationId: operationIdIn(run) })
    const changes = logged(saved(13, three), saved(12, two), entry(11, one, { operationId: newUid() }))
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual([null, 'before', 'before'])
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual(['before', 'before', 'before'])
    await takeInManifest(manifest, 'redo')
    expect(nextInManifest(manifest, changes, 'undo')?.title).toBe('E91')
    await takeInManifest(manifest, 'redo')
    expect(nextInManifest(manifest, changes, 'redo')).toBeUndefined()
    expect(nextInManifest(manifest, changes, 'undo')?.title).toBe('E93')
  })

  it('reads the log on until it has all of an action', async () => {
    const run = newUid()
    const saved = (sequence: number, id: number, follows = false) =>
      entry(sequence, id, { operationId: operationIdIn(run), follows })
    const newest = Array.from({ length: limits.editEntries.page }, (_, index) => saved(300 - index, three, index > 0))
    const earlier = [saved(12, two), entry(11, one, { operationId: newUid() })]
    logged(...newest, ...earlier)
    queryClient.setQueryData(manifestChangesQuery(manifest.id).queryKey, newest)
    queryClient.setQueryData(manifestChangesQuery(manifest.id, 201).queryKey, earlier)
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual([null, 'before', 'before'])
  })

  it('of the message about several saves takes back each last one, also an undo', async () => {
    const cause = { kind: 'undo' as const, sequence: 12 }
    logged(entry(14, one), entry(13, two, { cause }), entry(12, two), entry(11, two))
    await undoSaves([one, two].map(id => ({ kind: 'entity', key: key(id) })))
    expect(descriptions()).toEqual(['before', 'after', null])
    expect(entityStore.get(key(two))?.draft.done.at(-1)?.cause).toEqual({ kind: 'redo', sequence: 13 })
  })

  it('of the message about several saves leaves what the user has saved since', async () => {
    const run = newUid()
    const inRun = () => ({ operationId: operationIdIn(run) })
    logged(entry(13, two), entry(12, two, inRun()), entry(11, one, inRun()))
    await undoSaves([one, two].map(id => ({ kind: 'entity', key: key(id), run: runOf(run) })))
    expect(descriptions()).toEqual(['before', null, null])
    expect(noticeStore.getState().notices.map(({ text }) => text)).toContain(sheetTexts.changedSince)
  })

  it('of the message about several saves leaves out a deleted entity', async () => {
    logged(entry(13, three), entry(12, two), entry(11, one))
    const states = vi.mocked(readEntityStates).getMockImplementation()!
    vi.mocked(readEntityStates).mockImplementation(async (requested, scope) =>
      states(
        requested.filter(({ id }) => id !== two),
        scope,
      ),
    )
    const fetched = vi.mocked(queryClient.fetchQuery).getMockImplementation()!
    vi.mocked(queryClient.fetchQuery).mockImplementation(async options => {
      if (options.queryKey.includes(two)) throw new ApiError(404, { message: 'Gone.' })
      return fetched(options)
    })
    await undoSaves([one, two, three].map(id => ({ kind: 'entity', key: key(id) })))
    expect(descriptions()).toEqual(['before', null, 'before'])
    expect(noticeStore.getState().notices.map(({ text }) => text)).toContain(sheetTexts.changedSince)
  })

  it('of the message about several saves takes back all before a save, also when they are dropped without a tab meanwhile', async () => {
    logged(entry(13, three), entry(12, two), entry(11, one))
    const fetching = vi.spyOn(queryClient, 'isFetching').mockReturnValue(1)
    vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise(() => undefined))
    // Saved without a tab, they are dropped once nothing is read.
    for (const id of [one, two, three]) {
      const [before, saved] = ['before', 'after'].map(text => entityStandIn(id, contentOf(id, text), undefined))
      openToEdit({ store: entityStore, saved: before!, etag: '"before"' }, { hidden: true })
      entityStore.edit(key(id), () => [{ kind: 'changeEntity', change: { description: 'after' } }])
      entityStore.dispatch(key(id), { kind: 'save', request: { id: `save ${id}` } })
      entityStore.dispatch(key(id), {
        kind: 'stored',
        operationId: `save ${id}`,
        answer: { saved: saved!, etag: '"now"' },
      })
    }
    const states = vi.mocked(readEntityStates).getMockImplementation()!
    const held = Promise.withResolvers<void>()
    vi.mocked(readEntityStates).mockImplementation(async (...input) => held.promise.then(async () => states(...input)))
    const undo = undoOfSaves([one, two, three].map(id => ({ kind: 'entity', key: key(id) })))
    undo?.run()
    const applied = applyTyped()
    expect(applied).toBeInstanceOf(Promise)
    await expect.poll(() => vi.mocked(readEntityStates).mock.calls.length).toBe(1)
    fetching.mockReturnValue(0)
    queryClient.setQueryData(changesQuery('entity', 99, '"now"').queryKey, [])
    held.resolve()
    expect(await applied).toBe(true)
    expect(descriptions()).toEqual(['before', 'before', 'before'])
    expect([...entityStore.unsaved()].toSorted()).toEqual([one, two, three].map(key))
  })

  it('takes back an unsaved step before saved ones, and nothing of others', async () => {
    logged(entry(12, two, { own: false }), entry(11, one))
    entityStore.receive(entityStandIn(three, contentOf(three, 'before'), undefined), '"now"', undefined)
    entityStore.edit(key(three), () => [{ kind: 'changeEntity', change: { description: 'typed' } }])
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual([null, null, 'before'])
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual(['before', null, 'before'])
    await takeInManifest(manifest, 'undo')
    expect(noticeStore.getState().notices.at(-1)?.text).toBe('There is nothing to undo.')
  })

  it('skips a change whose fields somebody else has changed since, names no undo for it, and goes on with the next one', async () => {
    logged(entry(12, two), entry(11, one))
    const theirs = entityStandIn(two, contentOf(two, 'theirs'), undefined)
    queryClient.setQueryData(entityQuery(two).queryKey, { entity: theirs, etag: '"now"' })
    vi.spyOn(entityStore, 'describePlaces').mockResolvedValue([])
    const answered = async (answer: 'confirm' | 'cancel') => {
      const steps = takeInManifest(manifest, 'undo')
      await expect.poll(() => questionStore.getState().question).not.toBeNull()
      questionStore.getState().question?.answer(answer)
      await steps
    }
    const shown = () => noticeStore.getState().notices.map(({ text }) => text)
    const before = shown()
    await answered('cancel')
    expect(workbench.getState().tabs).toEqual([])
    await answered('confirm')
    expect(descriptions()).toEqual([null, 'theirs', null])
    expect(shown()).toEqual(before)
    await takeInManifest(manifest, 'undo')
    expect(descriptions()).toEqual(['before', 'theirs', null])
  })

  it('goes on below what the log says was undone, and makes that again', () => {
    const cause = { kind: 'undo' as const, sequence: 12 }
    const changes = logged(entry(13, two, { cause }), entry(12, two), entry(11, one))
    expect(nextInManifest(manifest, changes, 'undo')?.title).toBe('E91')
    expect(nextInManifest(manifest, changes, 'redo')?.title).toBe('E92')
  })
})
