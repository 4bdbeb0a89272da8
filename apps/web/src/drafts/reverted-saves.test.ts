import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { describe, expect, it } from 'vitest'
import { unreachable } from '../api/error.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'

const set = (field: string, value: string) => (): ConfigurationEdit[] => [
  { kind: 'changeConfiguration', changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }] },
]
const never = () => false

describe('a step reverted because its save was not answered', () => {
  it('a reverted step that was stored is not undone by the next save', async () => {
    const page = openedConfiguration({ url: 'u', username: 'first' })
    page.write('username', 'mine')
    await expect(page.withLostResponse(() => page.store.saveWith('4', set('url', 'stored'), never))).rejects.toThrow()
    expect(page.pool()).toMatchObject({ url: 'u', username: 'mine' })
    page.read()
    await expect.poll(() => page.pool()).toMatchObject({ url: 'stored', username: 'mine' })
    page.write('databaseName', 'mine too')
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ url: 'stored', username: 'mine', databaseName: 'mine too' })
  })

  it('a reverted step that was stored does not conflict with later edits', async () => {
    const page = openedConfiguration({ url: 'u', username: 'first' })
    page.write('username', 'mine')
    await expect(page.withLostResponse(() => page.store.saveWith('4', set('url', 'stored'), never))).rejects.toThrow()
    page.write('username', 'mine, later')
    expect(await page.save()).toBe(true)
    expect(page.server.refused).toBe(0)
    expect(page.server.pool).toMatchObject({ url: 'stored', username: 'mine, later' })
  })

  it('a reverted step is not applied twice when requested again unless it was never stored', async () => {
    const name = (value: string) => (content: Configuration) =>
      set('url', `${content.packageProperties.connectionPoolInfo.url}+${value}`)()
    const isThere = ({ packageProperties }: Configuration) => packageProperties.connectionPoolInfo.url.endsWith('+more')
    for (const arrives of [true, false]) {
      const page = openedConfiguration({ url: 'u', username: 'first' })
      page.write('username', 'mine')
      page.server.duringSave = () => {
        if (!arrives) throw unreachable()
      }
      const saving = page.withLostResponse(() => page.store.saveWith('4', name('more'), isThere))
      await expect(saving).rejects.toThrow()
      page.server.duringSave = () => undefined
      expect(await page.store.saveWith('4', name('more'), isThere)).toBe(true)
      expect(page.server.pool).toMatchObject({ url: 'u+more', username: 'mine' })
      expect(page.open().draft.changes).toBe(0)
      expect(await page.store.saveWith('4', name('more'), isThere)).toBe(true)
      expect(page.server.pool.url).toBe('u+more+more')
    }
  })
})
