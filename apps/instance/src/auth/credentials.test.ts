import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeQuickUsers } from '../testing/quick-users.ts'
import { Credentials } from './credentials.ts'
import { UserDirectory } from './user-directory.ts'

const right = 'correct horse'
const wrong = 'wrong horse'

describe('verification of passwords', () => {
  let folder: string
  let now: number
  let credentials: Credentials
  beforeEach(() => {
    folder = temporaryFolder('credentials')
    now = 1_000_000
    const crowd = Array.from({ length: 300 }, (_, at) => `crowd${at}`)
    writeQuickUsers(
      join(folder, 'users'),
      ['reader', 'keeper', ...crowd].map(name => [name, '', ''] as const),
    )
    credentials = new Credentials(new UserDirectory(join(folder, 'users')), () => now)
  })
  afterEach(() => {
    vi.useRealTimers()
    removeFolder(folder)
  })

  const statusOf = async (name: string, password: string, address: string): Promise<number> => {
    try {
      return (await credentials.verify(name, password, address)) === undefined ? 401 : 200
    } catch (error) {
      if (error instanceof Error && 'status' in error && typeof error.status === 'number') return error.status
      throw error
    }
  }
  const many = (count: number, ask: (at: number) => Promise<number>) =>
    Promise.all(Array.from({ length: count }, (_, at) => ask(at)))
  const count = (statuses: readonly number[], status: number) => statuses.filter(one => one === status).length

  it('serves other addresses while one address sends many names', async () => {
    const ended: string[] = []
    const flood = many(130, async at => statusOf(`crowd${at}`, wrong, '192.0.2.1').finally(() => ended.push('flood')))
    const users = await many(8, at =>
      statusOf(at % 2 === 0 ? 'reader' : 'keeper', right, `198.51.100.${at}`).finally(() => ended.push('user')),
    )
    expect(users).toEqual(Array(8).fill(200))
    // Users wait only for their turn: each round serves one request of the flooding address.
    const answered = await flood
    expect(count(answered, 401)).toBeGreaterThan(40)
    expect(ended.slice(-30)).toEqual(Array(30).fill('flood'))
    expect(count(answered, 401) + count(answered, 429) + count(answered, 503)).toBe(130)
  })

  it.each([
    ['an IPv4 address', () => '192.0.2.1'],
    ['an IPv4 address mapped to IPv6', (at: number) => (at % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1')],
    ['a /64 of IPv6', (at: number) => `2001:db8:1:2::${at.toString(16)}`],
  ])('allows a hundred wrong passwords a minute from %s', async (_what, addressOf) => {
    const statuses: number[] = []
    for (let at = 0; at < 110; at += 1) statuses.push(await statusOf(`crowd${at}`, wrong, addressOf(at)))
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([100, 10])
    expect(await statusOf('reader', right, addressOf(200))).toBe(429)
    expect(await statusOf('reader', right, '2001:db8:1:3::1')).toBe(200)
    now += 61_000
    expect(await statusOf('keeper', right, addressOf(200))).toBe(200)
  })

  it('passwords refused for overload do not count as wrong', async () => {
    const crowd = many(250, at => statusOf(`crowd${at}`, wrong, `192.0.2.${at}`))
    expect(await many(10, at => statusOf('reader', `horse ${at}`, '198.51.100.1'))).toEqual(Array(10).fill(503))
    await crowd
    expect(await statusOf('reader', right, '198.51.100.1')).toBe(200)
  })

  it('does not delay right passwords of one name for others that are still being verified', async () => {
    expect(await many(80, at => statusOf('reader', right, `192.0.2.${at}`))).toEqual(Array(80).fill(200))
  })

  it('delays guesses at one name that begin before others are refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answered: number[] = []
    void many(120, async at => answered.push(await statusOf('reader', wrong, `192.0.2.${at}`)))
    // Fifty requests wait, each for the pause after the previous one.
    await expect.poll(() => answered.length).toBe(70)
    expect(count(answered, 401)).toBeLessThan(25)
  })

  it('verifies passwords of one name one by one after twenty wrong ones from all addresses', async () => {
    expect(await statusOf('reader', right, '203.0.113.1')).toBe(200)
    now += 61_000
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await many(20, at => statusOf('reader', wrong, `192.0.2.${at}`))).toEqual(Array(20).fill(401))
    const answered: number[] = []
    const guesses = many(3, async at => {
      const status = await statusOf('reader', wrong, `198.51.100.${at}`)
      answered.push(status)
      return status
    })
    const user = statusOf('reader', right, '203.0.113.200')
    await expect.poll(() => answered).toEqual([401])
    // Sign-ins of other users, and of the same user from a known address, are not delayed.
    expect(await statusOf('keeper', right, '198.51.100.1')).toBe(200)
    expect(answered).toEqual([401])
    expect(await statusOf('reader', right, '203.0.113.1')).toBe(200)
    for (const times of [2, 3]) {
      await vi.advanceTimersByTimeAsync(1000)
      await expect.poll(() => answered).toEqual(Array(times).fill(401))
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(await user).toBe(200)
    expect(await guesses).toEqual(Array(3).fill(401))
  })
})
