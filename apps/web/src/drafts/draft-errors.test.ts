import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/error.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { isSaving } from './open-draft.ts'

describe('the error of a failed save', () => {
  it('a save error is shown until the document is saved or someone else saves the same content', async () => {
    const page = openedConfiguration({ username: 'first' })
    const { save } = page.server
    page.server.save = () => {
      throw new ApiError(400, { message: 'Not so.', code: 'invalid' })
    }
    page.write('username', 'both')
    expect(await page.save()).toBe(false)
    page.read()
    expect(page.error()).toBe('Not so.')
    page.server.save = save
    page.server.setPool({ username: 'both' })
    page.read()
    expect(page.open()).toMatchObject({ problem: null, draft: { changes: 0 } })
  })

  it('a conflict error disappears once the conflict is resolved', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.write('url', 'mine too')
    page.server.setPool({ username: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(page.error()).toBe('Stale.')
    page.write('username', 'theirs')
    expect(page.open()).toMatchObject({ state: 'dirty', problem: null, draft: { changes: 1 } })
  })

  it('another failure during a save does not end the save', async () => {
    const page = openedConfiguration({ username: 'first' })
    page.write('username', 'mine')
    const seen: boolean[] = []
    page.server.duringSave = () => {
      page.store.fail('4', new Error(), 'Not exported.')
      seen.push(isSaving(page.open()))
    }
    expect(await page.save()).toBe(true)
    expect([seen, isSaving(page.open()), page.server.pool.username]).toEqual([[true], false, 'mine'])
  })
})

describe('saving again immediately after a conflict', () => {
  it('a save started while the current state is being read waits for it and is not refused again', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'mine')
    page.server.setPool({ url: 'theirs' })
    let refusals = 0
    page.server.duringSave = () => {
      if (page.open().draft.etag === page.server.etag) return
      refusals += 1
      throw new ApiError(400, { message: 'Only the latest.', code: 'invalid' })
    }
    const again = new Promise(saved => {
      const end = page.store.state.subscribe(() => {
        if (page.error() === null) return
        end()
        saved(page.save())
      })
    })
    expect(await page.save()).toBe(false)
    expect([await again, refusals]).toEqual([true, 1])
    expect(page.server.pool).toMatchObject({ username: 'mine', url: 'theirs' })
  })
})
