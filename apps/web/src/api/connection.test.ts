import { getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callApi } from './client.ts'
import { connectionStore } from './connection.ts'
import { sessionStore } from './session-store.ts'

const away = { status: 503, body: { message: 'The database cannot be reached.', code: 'store_away' } }
let answers: (url: string) => { status: number; body?: unknown }
let urls: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  urls = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url)
    const { status, body } = answers(url)
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(body ?? {}), { status })
  })
  sessionStore.setState({ state: 'authenticated', expired: false })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const version = () => callApi(getNavigatorVersion, {})
const readyCalls = () => urls.filter(url => url === '/ready').length

it('the page shows a message while the database is unreachable, polls, and removes the message afterwards', async () => {
  answers = () => away
  await expect(version()).rejects.toMatchObject({ status: 503 })
  await expect(version()).rejects.toMatchObject({ status: 503 })
  expect(connectionStore.getState().away).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(readyCalls()).toBe(5)
  expect(connectionStore.getState().away).toBe(true)
  answers = () => ({ status: 200 })
  await vi.advanceTimersByTimeAsync(2000)
  expect(connectionStore.getState().away).toBe(false)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(readyCalls()).toBe(6)
})

it('a session whose renewal failed because the server is unreachable remains open', async () => {
  for (const renewal of [away, { status: 0 }, { status: 502 }, { status: 429 }]) {
    answers = url => (url.includes('/sso/refresh') ? renewal : { status: 401 })
    await expect(version()).rejects.toMatchObject({ status: renewal.status })
    expect(sessionStore.getState()).toMatchObject({ state: 'authenticated', expired: false })
  }
  answers = () => ({ status: 401 })
  await expect(version()).rejects.toMatchObject({ status: 401 })
  expect(sessionStore.getState().state).toBe('not authenticated')
})
