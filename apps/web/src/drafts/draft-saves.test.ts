import { newConfiguration, secretPlaceholder, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge-configuration'
import { describe, expect, it } from 'vitest'
import type { SavedConfiguration } from '../api/configurations.ts'
import { ApiError } from '../api/error.ts'
import { hiddenValue } from '../commands/hidden-value.ts'
import { configurationDrafts } from '../features/configuration/configuration-store.ts'
import { noticeStore } from '../ui/notices.ts'
import { DraftSaves } from './draft-saves.ts'
import { DraftStore, settledDraft } from './draft-store.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']

/** What a server does with saves of one configuration: merges, refuses, and shows no secret. */
class Server {
  readonly states: Configuration[] = [newConfiguration('Shop')]
  refused = 0

  get etag() {
    return `"${this.states.length - 1}"`
  }

  get pool() {
    return this.newest.packageProperties.connectionPoolInfo
  }

  get newest(): Configuration {
    return this.states.at(-1) ?? newConfiguration('Shop')
  }

  load = () => ({ saved: shown(withoutSecrets(this.newest)), etag: this.etag })

  /** Somebody else's save. */
  sets(pool: Partial<Pool>) {
    this.states.push(withPool(this.newest, pool))
  }

  save(wanted: Configuration, etag: string) {
    const base = this.states[Number(etag.slice(1, -1))] ?? this.newest
    const isKept = wanted.packageProperties.connectionPoolInfo.password === secretPlaceholder
    const mine = isKept ? withPool(wanted, { password: base.packageProperties.connectionPoolInfo.password }) : wanted
    const { merged, conflicts } = mergeConfigurations(base, mine, this.newest)
    if (merged) {
      this.states.push(merged)
      return this.load()
    }
    this.refused += 1
    const told = conflicts.map(one => {
      const hidden = isSecretField(one, [base, mine]) ? { base: null, mine: null, theirs: null } : {}
      return { ...one, ...hidden, who: 'Ann', when: '2026-01-01T00:00:00Z' }
    })
    throw new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: told, etag: this.etag })
  }
}

function withPool(configuration: Configuration, pool: Partial<Pool>): Configuration {
  const { packageProperties } = configuration
  const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...pool }
  return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo } }
}

function shown(configuration: Configuration): SavedConfiguration {
  const version = { versions: ['1.0.0'], latestVersion: '1.0.0', currentVersion: '1.0.0' }
  return { id: 4, name: 'Shop', path: 'user-defined/Shop', isDefault: false, ...version, configuration }
}

function opened(pool: Partial<Pool> = {}) {
  const server = new Server()
  server.sets(pool)
  const drafts = configurationDrafts
  const store = new DraftStore({
    kind: 'configuration',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
    deletion: async () => ({ who: 'Ann', when: '2026-01-01T00:00:00Z' }),
  })
  const saves = new DraftSaves({
    store,
    send: async ({ content, etag }) => server.save(content, etag),
    load: async () => server.load(),
    success: 'Saved.',
  })
  /** The page reads what there is, as it does when it is looked at again. */
  const read = () => {
    const { saved, etag } = server.load()
    store.receive(saved, etag, undefined)
  }
  read()
  const open = () => {
    const found = store.get('4')
    if (!found) throw new Error('It is not open.')
    return found
  }
  return {
    server,
    store,
    saves,
    read,
    open,
    write: (field: keyof Pool, value: string) => store.edit('4', () => [set(field, value)]),
    pool: () => open().draft.content.packageProperties.connectionPoolInfo,
    rows: () => open().conflicts.map(({ field, mine, theirs }) => [field, mine, theirs]),
    save: () => saves.save('4'),
    settle: (keep: 'mine' | 'theirs') => saves.settle('4', keep),
  }
}

const set = (field: string, value: string): ConfigurationEdit => ({
  kind: 'changeConfiguration',
  changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }],
})
const said = () => noticeStore.getState().next

describe('A conflict', () => {
  it('keeps mine above what was shown: what was saved since then is shown anew, and nothing of it is lost', async () => {
    const page = opened({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
    page.server.sets({ username: 'newer', url: 'also new' })
    await page.settle('mine')
    expect(page.server.pool).toMatchObject({ username: 'newer', url: 'also new' })
    expect(page.rows()).toEqual([['username', 'mine', 'newer']])
    await page.settle('mine')
    expect(page.server.pool).toMatchObject({ username: 'mine', url: 'also new' })
    expect(page.open()).toMatchObject({ conflicts: [], error: null, draft: { changes: 0 } })
  })

  it('of which the page read a newer state meanwhile is kept above the one that was shown, too', async () => {
    const page = opened({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    await page.save()
    page.server.sets({ username: 'newer' })
    page.read()
    await page.settle('mine')
    expect(page.server.pool.username).toBe('newer')
    expect(page.rows()).toEqual([['username', 'mine', 'newer']])
  })

  it('that takes theirs takes what was shown, and what they saved since then', async () => {
    const page = opened({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.write('url', 'only mine')
    page.server.sets({ username: 'theirs' })
    await page.save()
    page.server.sets({ username: 'newer' })
    page.read()
    await page.settle('theirs')
    expect(page.pool()).toMatchObject({ username: 'newer', url: 'only mine' })
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'newer', url: 'only mine' })
  })

  it('shows what I write meanwhile, and is none where that is what they have', async () => {
    const page = opened({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs', url: 'theirs too' })
    await page.save()
    page.write('username', 'mine again')
    page.write('url', 'mine too')
    expect(page.rows().toSorted()).toEqual([
      ['url', 'mine too', 'theirs too'],
      ['username', 'mine again', 'theirs'],
    ])
    page.write('url', 'theirs too')
    expect(page.rows()).toEqual([['username', 'mine again', 'theirs']])
    page.write('username', 'theirs')
    expect(page.open()).toMatchObject({ conflicts: [], draft: { changes: 0 } })
    expect(page.pool()).toMatchObject({ username: 'theirs', url: 'theirs too' })
  })

  it('goes with what it is about: discarded there is nothing to keep, and nothing is said to be saved', async () => {
    const page = opened({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    await page.save()
    page.store.discard('4')
    expect(page.open()).toMatchObject({ conflicts: [], against: null, draft: { changes: 0 } })
    expect(page.pool().username).toBe('theirs')
    const before = said()
    await page.settle('mine')
    expect(await page.save()).toBe(true)
    expect([said(), page.server.pool.username]).toEqual([before, 'theirs'])
  })
})

describe('What others saved', () => {
  it.each(['discard', 'undo', 'write'] as const)('is shown once nothing contests it: %s', way => {
    const page = opened({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    expect(page.pool().username).toBe('mine')
    if (way === 'write') page.write('username', 'first')
    else page.store[way]('4')
    expect(page.pool().username).toBe('theirs')
    expect(page.open().draft).toMatchObject({ changes: 0, etag: page.server.etag })
  })

  it('is not written over where my discarded changes come back', async () => {
    const page = opened({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    page.store.discard('4')
    noticeStore.getState().notices.at(-1)?.action?.run()
    expect(page.pool().username).toBe('mine')
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
  })

  it('is seen after a save that was refused by a rule', async () => {
    const page = opened({ username: 'first' })
    page.write('url', 'mine')
    page.server.sets({ username: 'theirs' })
    const { save } = page.server
    page.server.save = () => {
      throw new ApiError(400, { message: 'Not so.', code: 'invalid' })
    }
    expect(await page.save()).toBe(false)
    expect(page.open().error).toBe('Not so.')
    expect(page.pool()).toMatchObject({ username: 'theirs', url: 'mine' })
    page.server.save = save
    expect(await page.save()).toBe(true)
  })
})

describe('A password that was typed', () => {
  it('never goes over a newer one that nobody here saw: the server judges, also after the page was read again', async () => {
    const page = opened({ password: 'old' })
    page.write('password', 'mine')
    page.server.sets({ password: 'theirs' })
    page.read()
    expect(await page.save()).toBe(false)
    expect(page.server.pool.password).toBe('theirs')
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    page.write('url', 'u')
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    await page.settle('mine')
    expect(page.server.pool).toMatchObject({ password: 'mine', url: 'u' })
  })

  it('gives way where theirs is taken', async () => {
    const page = opened({ password: 'old' })
    page.write('password', 'mine')
    page.write('url', 'u')
    page.server.sets({ password: 'theirs' })
    await page.save()
    await page.settle('theirs')
    expect(page.pool().password).toBe(secretPlaceholder)
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'theirs', url: 'u' })
  })

  it('is no conflict with what others saved beside it', async () => {
    const page = opened({ password: 'old', username: 'first' })
    page.write('password', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'mine', username: 'theirs' })
    expect(page.pool()).toMatchObject({ password: secretPlaceholder, username: 'theirs' })
  })
})

describe('The time of a draft', () => {
  it('is when a person changed it last, whatever is read since then', () => {
    const page = opened({ username: 'first' })
    page.write('url', 'mine')
    const changedAt = '2026-01-02T03:04:05.000Z'
    page.store.put('4', { ...settledDraft, draft: page.open().draft, changedAt, restored: true })
    page.server.sets({ username: 'theirs' })
    page.read()
    page.store.looked('4')
    expect(page.open()).toMatchObject({ changedAt, draft: { changes: 1 } })
    page.write('url', 'mine again')
    expect(Date.parse(page.open().changedAt ?? '')).toBeGreaterThan(Date.parse(changedAt))
    page.store.discard('4')
    expect(page.open().changedAt).toBeNull()
  })
})
