import { describe, expect, it } from 'vitest'
import { readToken } from './token.ts'

const part = (claims: unknown) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const token = (claims: unknown) => `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`

describe('Claims of an access token', () => {
  it('scopes are read from scope and scp, each once', () => {
    const claims = { sub: 'Zoë', scope: 'read  write', scp: ['write', 'all', 7], exp: 1_900_000_000 }
    const read = { subject: 'Zoë', scopes: ['read', 'write', 'all'], expires: 1_900_000_000 }
    expect(readToken(token(claims))).toEqual(read)
    expect(readToken(`Bearer ${token(claims)} \n`)).toEqual(read)
  })

  it('missing claims and claims of other types are ignored', () => {
    const none = { subject: null, scopes: [], expires: null }
    expect(readToken(token({}))).toEqual(none)
    expect(readToken(token({ sub: 1, scope: { a: 1 }, scp: 'read', exp: 'soon' }))).toEqual(none)
  })

  it.each(['', 'token', 'a.b', 'a.!!.c', `x.${part([1])}.y`, `x.${part(null)}.y`, `x.${'A'.repeat(200_000)}.y`])(
    'other text is no token: %#',
    text => {
      expect(readToken(text)).toBeNull()
    },
  )
})
