import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { workbench } from '../../workbench/page-workbench.ts'
import { storedWidths, storeWidth } from './widths.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  workbench.getState().reset()
})
afterEach(() => vi.unstubAllGlobals())

it('a panel that was never sized follows the window, also after the other one was sized', () => {
  workbench.getState().set({ widths: storedWidths(1440) })
  storeWidth('sidebar', 320)
  expect(workbench.getState().widths).toEqual({ sidebar: 320, properties: 300 })
  expect(storedWidths(1440)).toEqual({ sidebar: 320, properties: 300 })
  expect(storedWidths(1120)).toEqual({ sidebar: 320, properties: 246 })
  expect(storedWidths(1024)).toEqual({ sidebar: 320, properties: 300 })
  storeWidth('properties', 400)
  expect(storedWidths(1024)).toEqual({ sidebar: 320, properties: 400 })
})
