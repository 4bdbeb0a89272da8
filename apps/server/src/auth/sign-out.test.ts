import { holds } from '@cadmus/testing/holds'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, getSession, refreshSession, signIn, signOut } from '@cadmus/model/contract/sso'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ssoRoutes } from '../routes/sso.ts'
import type { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { clickThrough, describeOnBothStores, signInAs, startConsole, type TestConsole } from '../testing/console.ts'

const page = { [signInHeader]: '1' }
const hour = 60 * 60 * 1000

describeOnBothStores('Signing out', store => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole({ store, routes: ssoRoutes })
  })
  afterAll(() => console.stop())
  // Each test runs a minute later, to remain below ten sign-ins a minute.
  const visitor = (browser: Browser = console.visitor()) => {
    console.advance(60_000)
    return new ConsoleClient(browser, '', undefined, page)
  }

  it(
    "a sign-out ends the session and the provider's session, which then requires a user again",
    holds('M2.8'),
    async () => {
      const { browser } = await signInAs(visitor().browser, 'designer')
      const stored = new Map(browser.cookies)
      const client = new ConsoleClient(browser, '', undefined, page)
      const url = (await client.call(signOut, {})).url ?? ''
      expect(new URL(url).pathname).toBe('/oidc/session/end')
      expect([...browser.cookies.keys()].filter(name => !name.startsWith('cadmus_idp'))).toEqual([])
      const thief = visitor()
      for (const [name, cookie] of stored) thief.browser.cookies.set(name, cookie)
      expect((await thief.refusal(getSession, {})).status).toBe(401)
      expect((await thief.refusal(refreshSession, {})).status).toBe(401)

      const form = await (await browser.fetch(url)).text()
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? ''
      const body = new URLSearchParams({ xsrf, logout: 'yes' })
      const answer = await browser.fetch(action, { method: 'POST', body })
      const { searchParams } = new URL(url)
      expect(answer.headers.get('location')).toBe(`${console.url}/?state=${searchParams.get('state')}`)
      const { url: next } = await visitor(browser).call(authorize, {})
      expect((await browser.follow(next)).url.pathname).toMatch(/^\/oidc\/interaction\//)
    },
  )

  it('ends a session with an expired cookie, and one whose tokens no browser holds', async () => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const refreshToken = browser.cookies.get('cadmus_refresh')?.value ?? ''
    console.advance(hour + 1000)
    const { url } = await new ConsoleClient(browser, '', undefined, page).call(signOut, {})
    expect(new URL(url ?? '').searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect((await visitor().refusal(refreshSession, { query: { refreshToken } })).status).toBe(401)

    const identifyAgain = await signInAs(visitor().browser, 'designer')
    const earlier = identifyAgain.browser.cookies.get('cadmus_refresh')?.value ?? ''
    await signInAs(visitor(identifyAgain.browser).browser, 'designer')
    expect((await visitor().refusal(refreshSession, { query: { refreshToken: earlier } })).status).toBe(401)
    expect((await new ConsoleClient(identifyAgain.browser, '', undefined, page).send(getSession, {})).status).toBe(200)
  })

  it('logs users and reused refresh tokens, but no token, code or state', async () => {
    const from = console.log.length
    const client = visitor()
    const { url, state } = await client.call(authorize, {})
    const back = await clickThrough(client.browser, url, 'newcomer')
    const { eccUser } = await client.call(signIn, { query: back })
    const refreshToken = client.browser.cookies.get('cadmus_refresh')?.value ?? ''
    const script = visitor()
    await script.call(refreshSession, { query: { refreshToken } })
    console.advance(11_000)
    await script.refusal(refreshSession, { query: { refreshToken } })
    const { browser } = await signInAs(visitor().browser, 'newcomer')
    await new ConsoleClient(browser, '', undefined, page).call(signOut, {})
    const lines = console.log.slice(from)
    for (const words of ['signed in', 'signed out', 'refresh token reused, session revoked']) {
      expect(lines.filter(line => line.includes(words) && line.includes(eccUser.userId))).not.toEqual([])
    }
    const text = lines.join('')
    for (const secret of [refreshToken, back.code, state]) expect(text).not.toContain(secret)
  })

  it('succeeds without a session', holds('M2.9'), async () => {
    expect((await visitor().send(signOut, {})).status).toBe(200)
  })
})
