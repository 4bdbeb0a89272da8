import { describe, expect, it } from 'vitest'
import { createSignIns, realmOf, signInByToken } from './page/sign-ins.js'

const origin = 'http://localhost:4100'
const issuer = 'http://localhost:4000/oidc'

/** A session storage that survives reloads of the page. */
function tabStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

function tokenOf(claims: object): string {
  return `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
}

describe('explorer sign-in', () => {
  it('a sign-in survives a reload until its token expires', () => {
    const storage = tabStorage()
    let now = 1_000_000
    const token = tokenOf({ sub: 'Zoë', exp: 2000, scope: 'reader writer' })
    createSignIns(storage, () => now).add('realm', signInByToken(token))
    const expected = { authorization: `Bearer ${token}`, name: 'Zoë', expires: 2_000_000, scopes: ['reader', 'writer'] }
    expect(createSignIns(storage, () => now).find('realm')).toEqual(expected)
    now = 2_000_000
    expect(createSignIns(storage, () => now).find('other')).toBeNull()
    expect(storage.length).toBe(0)
  })

  it('a sign-in is removed at sign-out without removing others', () => {
    const storage = tabStorage()
    const signIns = createSignIns(storage, () => 0)
    signIns.add('one', signInByToken(tokenOf({ exp: 1 })))
    signIns.add('two', signInByToken(tokenOf({ exp: 1 })))
    signIns.remove('one')
    expect([signIns.find('one'), signIns.find('two')?.expires, storage.length]).toEqual([null, 1000, 1])
  })

  it('a sign-in is not stored when its expiry is unknown (passwords, opaque tokens)', () => {
    const storage = tabStorage()
    const signIns = createSignIns(storage, () => 0)
    signIns.add('one', { authorization: 'Basic YTpi', name: 'a', expires: null, scopes: null })
    signIns.add('two', signInByToken('opaque'))
    expect(signIns.find('one')?.name).toBe('a')
    expect(signIns.find('two')?.authorization).toBe('Bearer opaque')
    expect(storage.length).toBe(0)
  })

  it('a sign-in is removed from storage when an unstored sign-in replaces it', () => {
    const storage = tabStorage()
    const signIns = createSignIns(storage, () => 0)
    signIns.add('realm', signInByToken(tokenOf({ exp: 1 })))
    signIns.add('realm', signInByToken('opaque'))
    expect(createSignIns(storage, () => 0).find('realm')).toBeNull()
  })

  it('a sign-in is shared only by packages with the same issuer and audience', () => {
    const realm = (namespace: string, change: object = {}, from: string | null = issuer) =>
      realmOf({ namespace, security: 'OAUTH2', identityProvider: 'CADMUS', ...packageOf, ...change }, from, origin)
    const directory = { identityProvider: 'MARTINI_USER_DIRECTORY' }
    expect(realm('shop')).toBe(realm('stock'))
    expect(realm('shop', directory)).toBe(realm('stock', directory))
    const others = [
      realm('shop'),
      realm('shop', {}, 'https://issuer.test'),
      realm('shop', directory),
      realm('shop', { security: 'BASIC' }),
      realm('stock', { security: 'BASIC' }),
    ]
    expect(new Set(others).size).toBe(others.length)
  })
})

const packageOf = { name: '', title: '', version: '', protocols: [], scopes: [], globalScopes: [] }
