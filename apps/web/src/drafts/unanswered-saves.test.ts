import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { describe, expect, it } from 'vitest'
import { ApiError, unreachable } from '../api/error.ts'
import { hiddenValue } from '../commands/hidden-value.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { conflictsOf, isSaving, operationOf } from './open-draft.ts'

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
  await page.saveWithLostResponse(() => {
    throw unreachable()
  })
  return page
}

describe('a save without a response', () => {
  it('an unanswered save does not conflict with the next edit, including secrets, and its result is kept', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    page.write('url', 'v')
    expect(await page.saveWithLostResponse()).toBe(false)
    const seen = page.store.seen('4')
    page.read()
    page.store.editAbove('4', seen, password('Lion-3'))
    page.write('url', 'w')
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'Lion-3', url: 'w' })
    expect(page.server.refused).toBe(0)
    expect(page.open().draft.changes).toBe(0)
  })

  it('an unanswered save conflicts if someone else changed its secret since', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    await page.saveWithLostResponse()
    page.server.setPool({ password: 'Bear-1' })
    page.write('password', 'Lion-3')
    expect(await page.save()).toBe(false)
    expect(page.server.pool.password).toBe('Bear-1')
    page.read()
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
  })

  it('an unanswered save becomes the base when the old value is entered again', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveWithLostResponse()
    page.write('username', 'first')
    page.server.setPool({ url: 'theirs' })
    page.read()
    await expect.poll(() => page.pool()).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.open().draft.changes).toBe(1)
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'first', url: 'theirs' })
  })

  it('an unanswered save is not undone by a state that was read earlier and arrives late', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveWithLostResponse(() => {
      page.server.setPool({ url: 'theirs' })
      page.read()
      page.store.dispatch('4', { kind: 'undo' })
    })
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.pool()).toMatchObject({ username: 'first', url: 'theirs' })
    expect(page.open().draft.changes).toBe(0)
  })

  it('an unanswered save with a reverted secret becomes the base once it is read', async () => {
    for (const revert of ['undo', 'discard'] as const) {
      const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
      page.write('password', 'Lion-2')
      await page.saveWithLostResponse()
      page.store.dispatch('4', { kind: revert })
      page.server.setPool({ username: 'theirs' })
      page.read()
      await expect.poll(() => page.open().draft.changes).toBe(1)
      expect(page.open()).toMatchObject({ state: 'dirty' })
      expect(page.server.pool.password).toBe('Lion-2')
      expect(await page.save()).toBe(true)
      expect(page.server.pool).toMatchObject({ password: 'Lion-1', username: 'theirs' })
    }
  })

  it('an unanswered save with a reverted secret that another user changed stores nothing when it is read', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    await page.saveWithLostResponse(() => {
      throw unreachable()
    })
    page.store.dispatch('4', { kind: 'undo' })
    page.write('url', 'mine')
    page.server.setPool({ password: 'Bear-1' })
    page.read()
    await expect.poll(() => operationOf(page.open())).toBeNull()
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'u' })
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'mine' })
  })

  it('an unanswered save whose lookup fails is looked up again at the next read', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    await page.saveWithLostResponse()
    page.store.dispatch('4', { kind: 'undo' })
    page.server.duringSave = () => {
      throw unreachable()
    }
    page.read()
    await expect.poll(() => isSaving(page.open())).toBe(false)
    expect(page.open().state).toBe('unknown')
    page.server.duringSave = () => undefined
    page.read()
    await expect.poll(() => page.open().draft.changes).toBe(1)
    expect(page.server.pool.password).toBe('Lion-2')
  })

  it('a save that never arrived is not taken as stored when someone else stored the same content', async () => {
    for (const revert of ['undo', 'discard'] as const) {
      const page = await neverArrived()
      page.store.dispatch('4', { kind: revert })
      page.server.setPool({ username: 'same' })
      page.read()
      await expect.poll(() => operationOf(page.open())).toBeNull()
      expect(page.open().draft).toMatchObject({ changes: 0, etag: page.server.etag })
      expect(page.pool().username).toBe('same')
    }
  })

  it('a save that never arrived conflicts with content stored by others', async () => {
    const page = await neverArrived()
    page.write('username', 'mine')
    page.server.setPool({ username: 'same' })
    page.read()
    await expect.poll(() => operationOf(page.open())).toBeNull()
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'same']])
    expect(page.server.pool.username).toBe('same')
  })

  it("a save with an unreadable response is not taken for someone else's", async () => {
    for (const status of [200, 408, 500]) {
      const page = openedConfiguration({ username: 'first' })
      page.write('username', 'second')
      const { save } = page.server
      page.server.save = (...parameters) => {
        save.apply(page.server, parameters)
        throw new ApiError(status, { message: 'Cut.', code: 'answer' })
      }
      expect(await page.save()).toBe(false)
      page.server.save = save
      page.write('username', 'third')
      expect(await page.save()).toBe(true)
      expect(page.server.pool.username).toBe('third')
    }
  })

  it('an unanswered save is the base of later edits, also if others changed the document since', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveWithLostResponse()
    page.write('username', 'third')
    page.server.setPool({ username: 'theirs' })
    page.read()
    await expect.poll(() => operationOf(page.open())).toBeNull()
    expect(await page.save()).toBe(false)
    expect(conflictsOf(page.open()).map(({ base, mine, theirs }) => [base, mine, theirs])).toEqual([
      ['second', 'third', 'theirs'],
    ])
  })

  it('a save that never arrived is dropped once others stored something else', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'second')
    await page.saveWithLostResponse(() => {
      throw unreachable()
    })
    page.server.setPool({ url: 'theirs' })
    page.read()
    page.write('username', 'third')
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'third', url: 'theirs' })
    expect(page.server.states).toHaveLength(4)
  })
})

describe('editing a secret', () => {
  it('an edited secret conflicts with a value stored during the edit, and neither value is shown', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    const seen = page.store.seen('4')
    page.write('url', 'mine')
    page.server.setPool({ password: 'Bear-1', username: 'theirs' })
    page.read()
    page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    expect(page.server.pool.password).toBe('Bear-1')
    await page.keep('mine')
    expect(page.server.pool).toMatchObject({ password: 'Lion-2', url: 'mine', username: 'theirs' })
  })

  it('a conflict about a secret names its author from the log', async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.log.findAuthors = async (_saved, places) =>
      places.map(() => ({ who: 'Ann', when: '2026-01-01T00:00:00Z', own: true }))
    const seen = page.store.seen('4')
    page.server.setPool({ password: 'Bear-1' })
    page.read()
    page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(false)
    await expect
      .poll(() => conflictsOf(page.open()).map(({ field, who }) => [field, who]))
      .toEqual([['password', 'Ann']])
    page.read()
    page.write('username', 'me')
    expect(conflictsOf(page.open()).map(({ who, own }) => [who, own])).toEqual([['Ann', true]])
  })

  it('an edited secret conflicts also when it is applied during a save', async () => {
    const page = openedConfiguration({ password: 'Lion-1', url: 'u' })
    const seen = page.store.seen('4')
    page.server.setPool({ password: 'Bear-1' })
    page.read()
    page.write('url', 'mine')
    page.server.duringSave = () => page.store.editAbove('4', seen, password('Lion-2'))
    expect(await page.save()).toBe(true)
    page.server.duringSave = () => undefined
    expect(await page.save()).toBe(false)
    expect(page.server.pool).toMatchObject({ password: 'Bear-1', url: 'mine' })
    await page.keep('theirs')
    expect(page.open().draft.changes).toBe(0)
    expect(page.server.pool.password).toBe('Bear-1')
  })

  it("an edited secret does not conflict with the user's own save", async () => {
    const page = openedConfiguration({ password: 'Lion-1' })
    page.write('password', 'Lion-2')
    const seen = page.store.seen('4')
    expect(await page.save()).toBe(true)
    page.store.editAbove('4', seen, password('Lion-3'))
    expect(await page.save()).toBe(true)
    expect(page.server.pool.password).toBe('Lion-3')
  })

  it('an edited secret conflicts when its property became plain or was deleted, and is never disclosed', async () => {
    const page = openedConfiguration()
    page.server.setProperties(() => ['key', 'other'].map(name => ({ name, value: `${name} 1`, secret: true })))
    page.read()
    const seen = page.store.seen('4')
    page.server.setProperties(all => all.map(item => ({ ...item, value: '', secret: false })))
    page.read()
    page.store.editAbove('4', seen, property('key', { value: 'Lion-2', secret: true }))
    expect(await page.save()).toBe(false)
    expect(page.rows()).toContainEqual(['value', hiddenValue, ''])
    await page.keep('mine')
    const { customProperties } = page.server.newest.packageProperties
    expect(customProperties.map(({ name, secret }) => [name, secret])).toEqual([
      ['key', true],
      ['other', false],
    ])
    page.server.setProperties(() => [])
    page.store.editAbove('4', page.store.seen('4'), property('key', { value: 'Lion-3' }))
    expect(await page.save()).toBe(false)
    expect(conflictsOf(page.open()).map(({ path, field }) => [path, field])).toEqual([
      ['packageProperties.customProperties.key', 'deleted'],
    ])
  })
})
