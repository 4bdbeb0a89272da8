import { describe, expect, it } from 'vitest'
import { connectionStore } from '../api/connection.ts'
import { ApiError, unreachable } from '../api/error.ts'
import { hiddenValue } from '../commands/hidden-value.ts'
import { noticeStore } from '../ui/notices.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { settledDraft } from './open-draft.ts'

const away = () => {
  throw unreachable()
}
const said = () => noticeStore.getState().next

describe('A conflict', () => {
  it('keeps mine above what was shown: what was saved since then is shown anew, and nothing of it is lost', async () => {
    const page = openedConfiguration({ username: 'first' })
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
    const page = openedConfiguration({ username: 'first' })
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
    const page = openedConfiguration({ username: 'first', url: 'u' })
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
    const page = openedConfiguration({ username: 'first', url: 'u' })
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
    const page = openedConfiguration({ username: 'first' })
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

describe('A save that is refused', () => {
  it('takes back what is still said of the save before', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    expect(await page.save()).toBe(true)
    const isSaid = () => noticeStore.getState().notices.some(({ kind }) => kind === 'success')
    expect(isSaid()).toBe(true)
    page.write('username', 'mine again')
    page.server.sets({ username: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(isSaid()).toBe(false)
  })
})

describe('What others saved', () => {
  it.each(['discard', 'undo', 'write'] as const)('is shown once nothing contests it: %s', way => {
    const page = openedConfiguration({ username: 'first' })
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
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    page.store.discard('4')
    noticeStore.getState().notices.at(-1)?.action?.run()
    expect(page.pool().username).toBe('mine')
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
  })

  it('is shown after a save that did not reach the server, once that is back', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.server.meanwhile = () => {
      page.server.sets({ url: 'theirs' })
      page.read()
      page.server.meanwhile = away
      away()
    }
    expect(await page.save()).toBe(false)
    expect(page.open()).toMatchObject({ error: 'The server cannot be reached.', draft: { changes: 1 } })
    page.server.meanwhile = () => undefined
    connectionStore.setState({ away: true })
    connectionStore.setState({ away: false })
    await expect.poll(() => page.pool()).toMatchObject({ username: 'mine', url: 'theirs' })
    expect(page.open()).toMatchObject({ error: null, saving: false, unanswered: null })
  })

  it('is seen after a save that was refused by a rule', async () => {
    const page = openedConfiguration({ username: 'first' })
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
    const page = openedConfiguration({ password: 'old' })
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

  it.each(['mine', 'theirs'] as const)(
    'while a conflict about something else is shown is shown with it, and settled with it: %s',
    async keep => {
      const page = openedConfiguration({ username: 'first', password: 'Lion-1' })
      page.write('username', 'mine')
      page.server.sets({ username: 'theirs', password: 'Tiger-2' })
      await page.save()
      page.write('password', 'Lion-3')
      expect(page.rows()).toEqual([
        ['username', 'mine', 'theirs'],
        ['password', hiddenValue, hiddenValue],
      ])
      await page.settle(keep)
      await page.save()
      const kept =
        keep === 'mine' ? { username: 'mine', password: 'Lion-3' } : { username: 'theirs', password: 'Tiger-2' }
      expect(page.server.pool).toMatchObject(kept)
    },
  )

  it.each([{ password: 'Lion-1' }, {}])(
    'while a save is under way does not go over one that they set: the next save tells, %o',
    async before => {
      const page = openedConfiguration({ username: 'first', ...before })
      page.write('username', 'mine')
      page.server.sets({ password: 'Tiger-2' })
      page.server.meanwhile = () => page.write('password', 'Lion-3')
      expect(await page.save()).toBe(true)
      page.server.meanwhile = () => undefined
      expect(await page.save()).toBe(false)
      expect(page.server.pool.password).toBe('Tiger-2')
      expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
      await page.settle('mine')
      expect(page.server.pool).toMatchObject({ username: 'mine', password: 'Lion-3' })
    },
  )

  it('and taken back while it is saved is named with what is contested, before it goes over theirs', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-0' })
    page.write('password', 'Lion-1')
    page.write('password', 'Lion-2')
    page.server.meanwhile = () => {
      page.store.undo('4')
      page.write('username', 'mine')
      page.server.sets({ username: 'theirs' })
    }
    await page.save()
    page.server.meanwhile = () => undefined
    page.server.sets({ password: 'Tiger-3' })
    page.read()
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'theirs', password: 'Tiger-3' })
    expect(page.rows().map(([field]) => field)).toEqual(['username', 'password'])
    await page.settle('theirs')
    expect(page.server.pool).toMatchObject({ username: 'theirs', password: 'Tiger-3' })
  })

  it.each(['Lion-1', ''])('and taken back while it is saved comes back with the next save: %o', async typed => {
    const page = openedConfiguration({ password: 'Lion-0', url: 'u' })
    page.write('password', typed)
    page.server.meanwhile = () => page.store.discard('4')
    await page.save()
    expect([page.server.pool.password, page.open().draft.changes]).toEqual([typed, 1])
    page.server.meanwhile = () => undefined
    await page.save()
    expect([page.server.pool.password, page.open().draft.changes]).toEqual(['Lion-0', 0])
  })

  it('and deleted, with that given up while it is saved, does not go over one that they set since', async () => {
    const page = openedConfiguration({ password: 'Lion-0', url: 'u' })
    page.write('password', '')
    page.server.meanwhile = () => page.store.discard('4')
    await page.save()
    page.server.meanwhile = () => undefined
    page.server.sets({ password: 'Tiger-1' })
    page.write('url', 'mine')
    expect(await page.save()).toBe(false)
    expect(page.server.pool).toMatchObject({ password: 'Tiger-1', url: 'u' })
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
  })

  it('gives way where theirs is taken', async () => {
    const page = openedConfiguration({ password: 'old' })
    page.write('password', 'mine')
    page.write('url', 'u')
    page.server.sets({ password: 'theirs' })
    await page.save()
    await page.settle('theirs')
    expect(page.pool().password).toBe(
      page.server.load().saved.configuration.packageProperties.connectionPoolInfo.password,
    )
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'theirs', url: 'u' })
  })

  it('is no conflict with what others saved beside it', async () => {
    const page = openedConfiguration({ password: 'old', username: 'first' })
    page.write('password', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'mine', username: 'theirs' })
    expect(page.pool()).toMatchObject({ password: expect.stringMatching(/^\*{8} /), username: 'theirs' })
  })
})

describe('The time of a draft', () => {
  it('is when a person changed it last, whatever is read since then', () => {
    const page = openedConfiguration({ username: 'first' })
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
