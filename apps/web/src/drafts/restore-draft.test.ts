import { newConfiguration, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { describe, expect, it } from 'vitest'
import type { SavedConfiguration } from '../api/configurations.ts'
import { ApiError, unreachable } from '../api/error.ts'
import { configurationDrafts, configurationDraftForm } from './configuration-store.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { operationOf } from './open-draft.ts'
import { OpenDrafts } from './open-drafts.ts'
import { hasUnsaved, toStoredDraft, type StoredDraft } from './stored-draft.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { restoreDraft } from './restore-draft.ts'

function shown(configuration: Configuration): SavedConfiguration {
  const version = { versions: ['1.0.0'], latestVersion: '1.0.0', currentVersion: '1.0.0' }
  return { id: 4, name: 'Shop', path: 'user-defined/Shop', isDefault: false, ...version, configuration }
}

/** Restores a stored draft of configuration 4 while the server's response is pending. */
function restoring() {
  const base = newConfiguration('Shop')
  const answer = Promise.withResolvers<{ saved: SavedConfiguration; etag: string }>()
  const stored: StoredDraft<Configuration, ConfigurationEdit> = {
    format: 3,
    editFormat: 1,
    base,
    etag: '"0"',
    at: '2026-01-01T00:00:00Z',
    steps: [],
  }
  const store = new OpenDrafts({
    kind: 'configuration',
    drafts: configurationDrafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion }) => ({ path, version: currentVersion, manifest: null }),
    deletion: async () => null,
  })
  const person = { stays: true }
  const options = {
    store,
    form: configurationDraftForm,
    load: () => answer.promise,
    settle: async () => null,
    standIn: () => shown(base),
    nameIn: () => 'Shop',
  }
  const restored = restoreDraft(options, '4', stored, () => person.stays)
  const tabs = () => workbench.getState().tabs.map(({ tabId }) => tabId)
  return { answer, base, person, restored, store, tabs }
}

describe('restoring a draft', () => {
  it('a draft is kept in the browser if the user navigates before the server responds', async () => {
    const { answer, base, person, restored, store, tabs } = restoring()
    person.stays = false
    answer.resolve({ saved: shown(base), etag: '"1"' })
    expect(await restored).toBe('later')
    expect(tabs()).toEqual([])
    expect(store.state.getState().open.size).toBe(0)
  })

  it('a draft is not treated as deleted if the organisation changed during the read', async () => {
    const { answer, person, restored, store, tabs } = restoring()
    person.stays = false
    answer.reject(new ApiError(404, { message: 'Not found.', code: 'not_found' }))
    expect(await restored).toBe('later')
    expect(tabs()).toEqual([])
    expect(store.state.getState().open.size).toBe(0)
  })

  it('a draft is restored only after a pending save of its document', async () => {
    const { answer, base, restored, store } = restoring()
    store.receive(shown(base), '"1"', undefined)
    const never = () => new Promise<never>(() => undefined)
    store.connect({ send: never, settle: never, load: never, success: 'Saved.' })
    store.edit('4', content => [
      { kind: 'changeConfiguration', changes: [{ path: ['manifestName'], value: `${content.manifestName}s` }] },
    ])
    void store.save('4')
    answer.resolve({ saved: shown(base), etag: '"1"' })
    expect(await restored).toBe('conflicted')
    expect(store.get('4')).toMatchObject({ state: 'saving', restored: false })
  })

  it('a draft is shown if the user waited for it', async () => {
    const { answer, base, restored, tabs } = restoring()
    answer.resolve({ saved: shown(base), etag: '"1"' })
    expect(await restored).toBe('shown')
    expect(tabs()).toEqual(['configuration:4'])
    workbench.getState().closeTabs(['configuration:4'])
  })
})

describe('restoring a draft whose save was pending when the page was left', () => {
  const form = configurationDraftForm

  /** Reloads the page; `left` is the stored draft. */
  async function loaded(page: ReturnType<typeof openedConfiguration>, storedStates: unknown) {
    const again = openedConfiguration()
    const options = {
      store: again.store,
      form,
      load: async () => page.server.load(),
      settle: async (_saved: SavedConfiguration, operationId: string) => page.server.savedBy(operationId),
      standIn: () => shown(newConfiguration('Shop')),
      nameIn: () => 'Shop',
    }
    again.store.state.setState({ open: new Map() })
    expect(await restoreDraft(options, '4', storedStates, () => true)).toBe('shown')
    workbench.getState().closeTabs(['configuration:4'])
    return again.store.get('4')?.draft
  }

  const storedFrom = (page: ReturnType<typeof openedConfiguration>): unknown => {
    const operation = operationOf(page.open())
    const stored = toStoredDraft(page.open().draft, '2026-01-01T00:00:00Z', undefined, { operation })
    return JSON.parse(JSON.stringify(stored))
  }

  it('a restored draft does not undo later changes by other users to its saved content', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'second')
    const storedStates: unknown[] = []
    await page.saveWithLostResponse(() => storedStates.push(storedFrom(page)))
    storedStates.push(storedFrom(page))
    page.server.setPool({ username: 'first' })
    for (const stored of storedStates) expect((await loaded(page, stored))?.changes ?? 0).toBe(0)
  })

  it('a restored draft contains only the edits after the save and conflicts with nothing', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'second')
    await page.saveWithLostResponse()
    page.write('username', 'third')
    const draft = await loaded(page, storedFrom(page))
    expect(draft?.incoming).toBeNull()
    expect(draft?.base.packageProperties.connectionPoolInfo.username).toBe('second')
    expect(draft?.content.packageProperties.connectionPoolInfo.username).toBe('third')
  })

  it('a restored draft contains the undo of sent edits and later edits', async () => {
    for (const revert of ['undo', 'discard'] as const) {
      for (const instead of [undefined, 'third']) {
        const page = openedConfiguration({ username: 'first', url: 'u' })
        page.write('username', 'second')
        const storedStates: unknown[] = []
        await page.saveWithLostResponse(() => {
          page.store.dispatch('4', { kind: revert })
          if (instead !== undefined) page.write('url', instead)
          storedStates.push(storedFrom(page))
        })
        storedStates.push(storedFrom(page))
        for (const stored of storedStates) {
          const draft = await loaded(page, stored)
          expect(draft?.base.packageProperties.connectionPoolInfo).toMatchObject({ username: 'second', url: 'u' })
          const expected = { username: 'first', url: instead ?? 'u' }
          expect(draft?.content.packageProperties.connectionPoolInfo).toMatchObject(expected)
        }
      }
    }
  })

  it('a draft whose sent edits were all undone is kept in the browser until the outcome of the save is known', async () => {
    const page = openedConfiguration({ username: 'first' })
    const stored = () => hasUnsaved(page.store.drafts, page.open())
    page.write('username', 'second')
    await page.saveWithLostResponse(() => page.store.dispatch('4', { kind: 'undo' }))
    expect([page.open().draft.changes, stored()]).toEqual([0, true])
    await page.store.save('4')
    expect([page.open().draft.changes, stored()]).toEqual([0, false])
    expect(page.server.pool.username).toBe('first')
  })

  it('a restored draft is complete if the save was never stored', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'second')
    await page.saveWithLostResponse(() => {
      throw unreachable()
    })
    page.server.setPool({ url: 'theirs' })
    const draft = await loaded(page, storedFrom(page))
    expect(draft?.content.packageProperties.connectionPoolInfo).toMatchObject({ username: 'second', url: 'theirs' })
    expect(draft?.changes).toBe(1)
  })
})
