import { describe, expect, it } from 'vitest'
import { connectionStore } from '../api/connection.ts'
import { ApiError, unreachable } from '../api/error.ts'
import { hiddenValue } from '../commands/hidden-value.ts'
import { noticeStore } from '../ui/notices.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'

const away = () => {
  throw unreachable()
}
const noticeCount = () => noticeStore.getState().next

describe('Redo after a save', () => {
  it('makes a step again that was undone before the save', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('url', 'saved')
    page.write('username', 'undone')
    page.write('password', 'hidden')
    page.store.dispatch('4', { kind: 'undo' })
    page.store.dispatch('4', { kind: 'undo' })
    await page.save()
    expect(page.open()).toMatchObject({ state: 'clean', draft: { done: [] } })
    page.store.dispatch('4', { kind: 'redo' })
    expect(page.pool()).toMatchObject({ url: 'saved', username: 'undone' })
    page.store.dispatch('4', { kind: 'redo' })
    await page.save()
    expect(page.server.pool).toMatchObject({ url: 'saved', username: 'undone', password: 'hidden' })
  })
})

describe('resolving a conflict', () => {
  it('keeping mine applies to the state shown; a newer saved state is shown again and no change in it is lost', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
    page.server.setPool({ username: 'newer', url: 'also new' })
    await page.keep('mine')
    expect(page.server.pool).toMatchObject({ username: 'newer', url: 'also new' })
    expect(page.rows()).toEqual([['username', 'mine', 'newer']])
    await page.keep('mine')
    expect(page.server.pool).toMatchObject({ username: 'mine', url: 'also new' })
    expect(page.open()).toMatchObject({ state: 'clean', problem: null, draft: { changes: 0 } })
  })

  it('keeping mine applies to the state shown even if the page has read a newer one', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs' })
    await page.save()
    page.server.setPool({ username: 'newer' })
    page.read()
    await page.keep('mine')
    expect(page.server.pool.username).toBe('newer')
    expect(page.rows()).toEqual([['username', 'mine', 'newer']])
  })

  it('taking theirs applies the state shown and later changes by other users', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.write('url', 'only mine')
    page.server.setPool({ username: 'theirs' })
    await page.save()
    page.server.setPool({ username: 'newer' })
    page.read()
    await page.keep('theirs')
    expect(page.pool()).toMatchObject({ username: 'newer', url: 'only mine' })
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'newer', url: 'only mine' })
  })

  it('a conflict shows my later edits and ends when they match the stored value', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs', url: 'theirs too' })
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
    expect(page.open()).toMatchObject({ state: 'clean', draft: { changes: 0 } })
    expect(page.pool()).toMatchObject({ username: 'theirs', url: 'theirs too' })
  })

  it('a conflict ends when my changes are discarded, and nothing is reported as saved', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs' })
    await page.save()
    page.store.dispatch('4', { kind: 'discard' })
    expect(page.open()).toMatchObject({ state: 'clean', draft: { changes: 0 } })
    expect(page.pool().username).toBe('theirs')
    const before = noticeCount()
    await page.keep('mine')
    expect(await page.save()).toBe(true)
    expect([noticeCount(), page.server.pool.username]).toEqual([before, 'theirs'])
  })
})

describe('a refused save', () => {
  it('a refused save removes the success notice of the previous save', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    expect(await page.save()).toBe(true)
    const hasSuccess = () => noticeStore.getState().notices.some(({ kind }) => kind === 'success')
    expect(hasSuccess()).toBe(true)
    page.write('username', 'mine again')
    page.server.setPool({ username: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(hasSuccess()).toBe(false)
  })
})

describe('changes saved by others', () => {
  it.each(['discard', 'undo', 'write'] as const)(
    "others' changes are shown once they conflict with nothing: %s",
    way => {
      const page = openedConfiguration({ username: 'first' })
      page.write('username', 'mine')
      page.server.setPool({ username: 'theirs' })
      page.read()
      expect(page.pool().username).toBe('mine')
      if (way === 'write') page.write('username', 'first')
      else page.store.dispatch('4', { kind: way })
      expect(page.pool().username).toBe('theirs')
      expect(page.open().draft).toMatchObject({ changes: 0, etag: page.server.etag })
    },
  )

  it("others' changes are not overwritten when my discarded changes are restored", async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs' })
    page.read()
    page.store.dispatch('4', { kind: 'discard' })
    noticeStore.getState().notices.at(-1)?.action?.run()
    expect(page.pool().username).toBe('mine')
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
  })

  it('changes by other users are shown after a save that did not reach the server, once it is reachable', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.server.duringSave = () => {
      page.server.setPool({ url: 'theirs' })
      page.read()
      page.server.duringSave = away
      away()
    }
    expect(await page.save()).toBe(false)
    expect(page.open()).toMatchObject({ problem: { message: 'The server cannot be reached.' }, draft: { changes: 1 } })
    page.server.duringSave = () => undefined
    connectionStore.setState({ away: true })
    connectionStore.setState({ away: false })
    await expect.poll(() => page.pool()).toMatchObject({ username: 'mine', url: 'theirs' })
    expect(page.open()).toMatchObject({ state: 'dirty', problem: null })
  })

  it("others' changes are shown after a save that a rule refused", async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('url', 'mine')
    page.server.setPool({ username: 'theirs' })
    const { save } = page.server
    page.server.save = () => {
      throw new ApiError(400, { message: 'Not so.', code: 'invalid' })
    }
    expect(await page.save()).toBe(false)
    expect(page.error()).toBe('Not so.')
    expect(page.pool()).toMatchObject({ username: 'theirs', url: 'mine' })
    page.server.save = save
    expect(await page.save()).toBe(true)
  })
})

describe('an entered password', () => {
  it('a password does not overwrite a newer one that was not seen, even after the document was read again', async () => {
    const page = openedConfiguration({ password: 'old' })
    page.write('password', 'mine')
    page.server.setPool({ password: 'theirs' })
    page.read()
    expect(await page.save()).toBe(false)
    expect(page.server.pool.password).toBe('theirs')
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    page.write('url', 'u')
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
    await page.keep('mine')
    expect(page.server.pool).toMatchObject({ password: 'mine', url: 'u' })
  })

  it.each(['mine', 'theirs'] as const)(
    'a password entered during another conflict is shown and resolved with it: %s',
    async keep => {
      const page = openedConfiguration({ username: 'first', password: 'Lion-1' })
      page.write('username', 'mine')
      page.server.setPool({ username: 'theirs', password: 'Tiger-2' })
      await page.save()
      page.write('password', 'Lion-3')
      expect(page.rows()).toEqual([
        ['username', 'mine', 'theirs'],
        ['password', hiddenValue, hiddenValue],
      ])
      await page.keep(keep)
      await page.save()
      const stored =
        keep === 'mine' ? { username: 'mine', password: 'Lion-3' } : { username: 'theirs', password: 'Tiger-2' }
      expect(page.server.pool).toMatchObject(stored)
    },
  )

  it.each([{ password: 'Lion-1' }, {}])(
    "a password entered during a save does not overwrite someone else's; the next save reports the conflict, %o",
    async before => {
      const page = openedConfiguration({ username: 'first', ...before })
      page.write('username', 'mine')
      page.server.setPool({ password: 'Tiger-2' })
      page.server.duringSave = () => page.write('password', 'Lion-3')
      expect(await page.save()).toBe(true)
      page.server.duringSave = () => undefined
      expect(await page.save()).toBe(false)
      expect(page.server.pool.password).toBe('Tiger-2')
      expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
      await page.keep('mine')
      expect(page.server.pool).toMatchObject({ username: 'mine', password: 'Lion-3' })
    },
  )

  it('a password reverted during its save is named in the conflict before it overwrites the stored one', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-0' })
    page.write('password', 'Lion-1')
    page.write('password', 'Lion-2')
    page.server.duringSave = () => {
      page.store.dispatch('4', { kind: 'undo' })
      page.write('username', 'mine')
      page.server.setPool({ username: 'theirs' })
    }
    await page.save()
    page.server.duringSave = () => undefined
    page.server.setPool({ password: 'Tiger-3' })
    page.read()
    await page.save()
    expect(page.server.pool).toMatchObject({ username: 'theirs', password: 'Tiger-3' })
    expect(page.rows().map(([field]) => field)).toEqual(['username', 'password'])
    await page.keep('theirs')
    expect(page.server.pool).toMatchObject({ username: 'theirs', password: 'Tiger-3' })
  })

  it.each(['Lion-1', ''])('a password reverted during its save is restored by the next save: %o', async typed => {
    const page = openedConfiguration({ password: 'Lion-0', url: 'u' })
    page.write('password', typed)
    page.server.duringSave = () => page.store.dispatch('4', { kind: 'discard' })
    await page.save()
    expect([page.server.pool.password, page.open().draft.changes]).toEqual([typed, 1])
    page.server.duringSave = () => undefined
    await page.save()
    expect([page.server.pool.password, page.open().draft.changes]).toEqual(['Lion-0', 0])
  })

  it("a password deletion reverted during its save does not overwrite someone else's new password", async () => {
    const page = openedConfiguration({ password: 'Lion-0', url: 'u' })
    page.write('password', '')
    page.server.duringSave = () => page.store.dispatch('4', { kind: 'discard' })
    await page.save()
    page.server.duringSave = () => undefined
    page.server.setPool({ password: 'Tiger-1' })
    page.write('url', 'mine')
    expect(await page.save()).toBe(false)
    expect(page.server.pool).toMatchObject({ password: 'Tiger-1', url: 'u' })
    expect(page.rows()).toEqual([['password', hiddenValue, hiddenValue]])
  })

  it('a password is dropped when theirs is taken', async () => {
    const page = openedConfiguration({ password: 'old' })
    page.write('password', 'mine')
    page.write('url', 'u')
    page.server.setPool({ password: 'theirs' })
    await page.save()
    await page.keep('theirs')
    expect(page.pool().password).toBe(
      page.server.load().saved.configuration.packageProperties.connectionPoolInfo.password,
    )
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'theirs', url: 'u' })
  })

  it("a password does not conflict with others' changes of other fields", async () => {
    const page = openedConfiguration({ password: 'old', username: 'first' })
    page.write('password', 'mine')
    page.server.setPool({ username: 'theirs' })
    page.read()
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ password: 'mine', username: 'theirs' })
    expect(page.pool()).toMatchObject({ password: expect.stringMatching(/^\*{8} /), username: 'theirs' })
  })
})

describe('the timestamp of a draft', () => {
  it('the timestamp of a draft is that of its last edit, regardless of later reads', () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('url', 'mine')
    const changedAt = '2026-01-02T03:04:05.000Z'
    const { draft } = page.open()
    page.store.dispatch('4', { kind: 'restored', draft, changedAt, restored: true, secretsOmitted: false })
    page.server.setPool({ username: 'theirs' })
    page.read()
    page.store.dispatch('4', { kind: 'acknowledged' })
    expect(page.open()).toMatchObject({ changedAt, draft: { changes: 1 } })
    page.write('url', 'mine again')
    expect(Date.parse(page.open().changedAt ?? '')).toBeGreaterThan(Date.parse(changedAt))
    page.store.dispatch('4', { kind: 'discard' })
    expect(page.open().changedAt).toBeNull()
  })
})
