import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearOwnSettings, ownSettings, storeOwnSettings } from './own-settings.ts'
import { sessionStore } from './session-store.ts'

const stored = new Map<string, string>()
const signIn = (userId: string) => sessionStore.setState({ user: { userId } as never })

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('settings of a user are read by that user alone', () => {
  signIn('ada')
  storeOwnSettings('sheet', { widths: { name: 200 } })
  storeOwnSettings('sheet', { shown: { format: true } })
  signIn('bob')
  expect(ownSettings('sheet')).toEqual({})
  signIn('ada')
  expect(ownSettings('sheet')).toEqual({ widths: { name: 200 }, shown: { format: true } })
})

it('cleared settings are stored no longer, those of other users are', () => {
  signIn('bob')
  storeOwnSettings('cells', { '1': ['his text'] })
  signIn('ada')
  storeOwnSettings('cells', { '1': ['her text'] })
  clearOwnSettings('cells')
  expect(ownSettings('cells')).toEqual({})
  expect([...stored.values()].join()).toContain('his text')
  expect([...stored.values()].join()).not.toContain('her text')
})

it('unreadable settings are empty', () => {
  signIn('ada')
  stored.set('cadmus.sheet', '{"ada":')
  expect(ownSettings('sheet')).toEqual({})
  stored.set('cadmus.sheet', '[]')
  expect(ownSettings('sheet')).toEqual({})
})
