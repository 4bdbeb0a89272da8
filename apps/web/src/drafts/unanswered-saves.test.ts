import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import { describe, expect, it } from 'vitest'
import { ApiError, unreachable } from '../api/error.ts'
import { hiddenValue } from '../commands/hidden-value.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'

const set = (field: string, value: string) => (): ConfigurationEdit[] => [
  { kind: 'changeConfiguration', changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }] },
]
const password = (value: string) => set('password', value)
const property = (name: string, change: object) => (content: Configuration) => [
  {
    kind: 'changeConfiguration' as const,
    changes: [
      {
        path: ['packageProperties', 'customProperties'],
        value: content.packageProperties.customProperties.map(item =>
          item.name === name ? { ...item, ...change } : item,
        ),
      },
    ],
  },
]

async function neverArrived() {
  const page = openedConfiguration({ username: 'first', url: 'u' })
  page.write('username', 'same')
  await page.saveLost(() => {
    throw unreachable()
  })
  return page
}

describe('A save that nobody answers', () => {
  it('is no conflict with what is typed next, a secret too, and what was sent is stored', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    page.write('url', 'v')
    expect(await page.saveLost()).toBe(false)
    const seen = page.store.seen('4')
    page.read()
    page.store.editAbove('4', seen, password('Lion-3'))
    page.write('url', 'w')
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'Lion-3', url: 'w' })
    expect(page.server.refused).toBe(0)
    expect(page.open().draft.changes).toBe(0)
  })

  it('of which somebody else changed the secret since is one', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    await page.saveLost()
    page.server.sets({ password: 'Bear-1' })
    page.write('password', 'Lion-3')
    expect(await page.save()).toBe(false)
    expect(page.server.pool.password).toBe('Bear-1')
    page.read()
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
  })

  it('and after which the old value is typed back, is what that is unsaved above', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveLost()
    page.write('username', 'first')
    page.server.sets({ url: 'theirs' })
    page.read()
    await expect.poll(() => page.pool()).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.open().draft.changes).toBe(1)
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'first', url: 'theirs' })
  })

  it('is not undone by what was read before it was stored and comes late', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveLost(() => {
      page.server.sets({ url: 'theirs' })
      page.read()
      page.store.undo('4')
    })
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.pool()).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.open().draft.changes).toBe(0)
  })

  it('and of which a secret is taken back, is what that is unsaved above, once it is read', async () => {
    for (const takeBack of ['undo', 'discard'] as const) {
      const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
      page.write('password', 'Lion-2')
      await page.saveLost()
      page.store[takeBack]('4')
      page.server.sets({ username: 'theirs' })
      page.read()
      await expect.poll(() => page.open().draft.changes).toBe(1)
      expect(page.open()).toMatchObject({ saving: false, unanswered: null })
      expect(page.server.pool.password).toBe('Lion-2')
      expect(await page.save()).toBe(true)
      expect(page.server.pool).toMatchObject({ password: 'Lion-1', username: 'theirs' })
    }
  })

  it('of which a secret is taken back that somebody else changed, stores nothing when it is read', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    await page.saveLost(() => {
      throw unreachable()
    })
    page.store.undo('4')
    page.write('url', 'mine')
    page.server.sets({ password: 'Bear-1' })
    page.read()
    await expect.poll(() => page.open().unanswered).toBeNull()
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'u' })
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'mine' })
  })

  it('nor when it is asked for again, is asked for by what is read next', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    await page.saveLost()
    page.store.undo('4')
    page.server.meanwhile = () => {
      throw unreachable()
    }
    page.read()
    await expect.poll(() => page.open().saving).toBe(false)
    expect(page.open().unanswered).not.toBeNull()
    page.server.meanwhile = () => undefined
    page.read()
    await expect.poll(() => page.open().draft.changes).toBe(1)
    expect(page.server.pool.password).toBe('Lion-2')
  })

  it('that never arrived is not taken for stored where somebody else stored the very same', async () => {
    for (const takeBack of ['undo', 'discard'] as const) {
      const page = await neverArrived()
      page.store[takeBack]('4')
      page.server.sets({ username: 'same' })
      page.read()
      await expect.poll(() => page.open().unanswered).toBeNull()
      expect(page.open().draft).toMatchObject({ changes: 0, etag: page.server.etag })
      expect(page.pool().username).toBe('same')
    }
  })

  it('and is in conflict with what was typed since', async () => {
    const page = await neverArrived()
    page.write('username', 'mine')
    page.server.sets({ username: 'same' })
    page.read()
    await expect.poll(() => page.open().unanswered).toBeNull()
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'same']])
    expect(page.server.pool.username).toBe('same')
  })

  it('or whose answer cannot be read, is none that others made', async () => {
    for (const status of [200, 408, 500]) {
      const page = openedConfiguration({ username: 'first' })
      page.write('username', 'second')
      const { save } = page.server
      page.server.save = (...given) => {
        save.apply(page.server, given)
        throw new ApiError(status, { message: 'Cut.', code: 'answer' })
      }
      expect(await page.save()).toBe(false)
      page.server.save = save
      page.write('username', 'third')
      expect(await page.save()).toBe(true)
      expect(page.server.pool.username).toBe('third')
    }
  })

  it('is what was typed on top of, also where others went on from it', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveLost()
    page.write('username', 'third')
    page.server.sets({ username: 'theirs' })
    page.read()
    await expect.poll(() => page.open().unanswered).toBeNull()
    expect(await page.save()).toBe(false)
    expect(page.open().conflicts.map(({ base, mine, theirs }) => [base, mine, theirs])).toEqual([
      ['second', 'third', 'theirs'],
    ])
  })

  it('that never arrived is forgotten once others stored something else', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveLost(() => {
      throw unreachable()
    })
    page.server.sets({ url: 'theirs' })
    page.read()
    page.write('username', 'third')
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'third', url: 'theirs' })
    expect(page.server.states).toHaveLength(4)
  })
})

describe('What is typed over a secret', () => {
  it('is in conflict with another value that was stored while it was typed, whose values nobody sees', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    const seen = page.store.seen('4')
    page.write('url', 'mine')
    page.server.sets({ password: 'Bear-1', username: 'theirs' })
    page.read()
    page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    expect(page.server.pool.password).toBe('Bear-1')
    await page.settle('mine')
    expect(page.server.pool).toMatchObject({ password: 'Lion-2', url: 'mine', username: 'theirs' })
  })

  it('and it is said who stored that, as the log has it', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.log.whoChanged = async (_saved, places) =>
      places.map(() => ({ who: 'Ann', when: '2026-01-01T00:00:00Z', own: true }))
    const seen = page.store.seen('4')
    page.server.sets({ password: 'Bear-1' })
    page.read()
    page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(false)
    await expect.poll(() => page.open().conflicts.map(({ field, who }) => [field, who])).toEqual([['password', 'Ann']])
    page.read()
    page.write('username', 'me')
    expect(page.open().conflicts.map(({ who, own }) => [who, own])).toEqual([['Ann', true]])
  })

  it('also where it is applied while something else is saved', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    const seen = page.store.seen('4')
    page.server.sets({ password: 'Bear-1' })
    page.read()
    page.write('url', 'mine')
    page.server.meanwhile = () => page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(true)
    page.server.meanwhile = () => undefined
    expect(await page.save()).toBe(false)
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'mine' })
    await page.settle('theirs')
    expect(page.open().draft.changes).toBe(0)
    expect(page.server.pool.password).toBe('Bear-1')
  })

  it('is not with what one saved oneself meanwhile', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    const seen = page.store.seen('4')
    expect(await page.save()).toBe(true)
    page.store.editAbove('4', seen, password('Lion-3'))
    expect(await page.save()).toBe(true)
    expect(page.server.pool.password).toBe('Lion-3')
  })

  it('is where its property was made open or deleted, and never gets into the open', async () => {
    const page = openedConfiguration()
    page.server.setsProperties(() => ['key', 'other'].map(name => ({ name, value: `${name} 1`, secret: true })))
    page.read()
    const seen = page.store.seen('4')
    page.server.setsProperties(all => all.map(item => ({ ...item, value: '', secret: false })))
    page.read()
    page.store.editAbove('4', seen, property('key', { value: 'Lion-2', secret: true }))
    expect(await page.save()).toBe(false)
    expect(page.rows()).toContainEqual(['value', hiddenValue, ''])
    await page.settle('mine')
    const { customProperties } = page.server.newest.packageProperties
    expect(customProperties.map(({ name, secret }) => [name, secret])).toEqual([
      ['key', true],
      ['other', false],
    ])
    page.server.setsProperties(() => [])
    page.store.editAbove('4', page.store.seen('4'), property('key', { value: 'Lion-3' }))
    expect(await page.save()).toBe(false)
    expect(page.open().conflicts.map(({ path, field }) => [path, field])).toEqual([
      ['packageProperties.customProperties.key', 'deleted'],
    ])
  })
})
