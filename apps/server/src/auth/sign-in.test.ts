import { holds } from '@cadmus/testing/holds'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, getSession, refreshSession, signIn } from '@cadmus/model/contract/sso'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ssoRoutes } from '../routes/sso.ts'
import type { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { clickThrough, describeOnBothStores, signInAs, startConsole, type TestConsole } from '../testing/console.ts'
import { probeRoutes, probeWho } from '../testing/probe.ts'

const page = { [signInHeader]: '1' }
const hour = 60 * 60 * 1000

describeOnBothStores('Sign-in', store => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole({ store, routes: [...ssoRoutes, ...probeRoutes] })
  })
  afterAll(() => console.stop())
  // Each test runs a minute later, to remain below ten sign-ins a minute.
  const visitor = (browser: Browser = console.visitor()) => {
    console.advance(60_000)
    return new ConsoleClient(browser, '', undefined, page)
  }

  it(
    'a sign-in redirects to the provider, which requires no password, and starts a session',
    holds('M1.31', 'M2.10', 'M7.80', 'M7.81'),
    async () => {
      const client = visitor()
      const { url, state } = await client.call(authorize, {})
      expect(new URL(url).pathname).toBe('/oidc/auth')
      const back = await clickThrough(client.browser, url, 'designer')
      expect(back.state).toBe(state)
      const { eccUser, memberDetails, demo } = await client.call(signIn, { query: back })
      expect(eccUser).toMatchObject({
        username: 'designer',
        email: 'designer@example.com',
        isAdmin: false,
        organisationCode: 'ACME',
        negroniLicenseLimits: 'mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql',
        permissions: [{ oc: 'ACME', on: 'Acme Trading', ng: 1 }],
      })
      expect(Object.keys(memberDetails).sort()).toEqual(['avatar', 'fullname', 'memberId'])
      expect(demo).toBe(false)
      const cookies = [...client.browser.cookies.keys()]
      expect(cookies).toEqual(expect.arrayContaining(['cadmus_session', 'cadmus_refresh']))
      expect((await client.send(getSession, {})).status).toBe(200)
      const identifyAgain = await client.refusal(signIn, { query: back })
      expect(identifyAgain.status).toBe(401)
    },
  )

  it(
    'sets two HttpOnly, SameSite=Lax cookies of 1 hour and 30 days, and one readable by the page',
    holds('M9.10', 'M9.11'),
    async () => {
      const { browser } = await signInAs(visitor().browser, 'designer')
      const flags = (name: string) => browser.cookies.get(name)?.flags ?? ''
      expect(flags('cadmus_session')).toBe('Max-Age=3600; Path=/; HttpOnly; SameSite=Lax')
      expect(flags('cadmus_refresh')).toBe('Max-Age=2592000; Path=/1.0/cdm/sso; HttpOnly; SameSite=Lax')
      expect(flags('cadmus_signed_in')).not.toContain('HttpOnly')
      expect(browser.cookies.get('cadmus_signed_in')?.value).toBe('1')
      expect(Buffer.from(browser.cookies.get('cadmus_session')?.value ?? '', 'base64url')).toHaveLength(32)
      expect([...browser.cookies.keys()].filter(name => name.startsWith('cadmus_signin_'))).toEqual([])
    },
  )

  it('stores no readable token', async () => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const rows = JSON.stringify(await console.context.store.shared.selectFrom('session').selectAll().execute())
    for (const name of ['cadmus_session', 'cadmus_refresh']) {
      expect(rows).not.toContain(browser.cookies.get(name)?.value ?? 'missing')
    }
    expect(rows).not.toContain('access_token')
    // A short match could occur in encrypted text by chance, so the pattern covers head and body of a token.
    expect(rows).not.toMatch(/eyJ[\w-]{5,}\.eyJ/)
  })

  it('rejects a state of another browser', holds('M5.66', 'M8.43'), async () => {
    const client = visitor()
    const { url } = await client.call(authorize, {})
    const { code } = await clickThrough(client.browser, url, 'designer')
    const wrong = await client.refusal(signIn, { query: { code, state: 'wrong' } })
    expect(wrong).toMatchObject({
      status: 401,
      answer: { code: 'state_mismatch', message: 'Could not find state session or incorrect state value' },
    })
    const other = await visitor().refusal(signIn, { query: { code, state: 'wrong' } })
    expect(other.answer.message).toBe('Could not find state session or incorrect state value')
  })

  it('rejects an empty state', holds('M5.65', 'M8.42'), async () => {
    const client = visitor()
    await client.call(authorize, {})
    const refused = await client.refusal(signIn, { query: { code: 'x', state: '' } })
    expect(refused).toMatchObject({ status: 401, answer: { message: 'State not found on the URL parameter' } })
  })

  it('answers Invalid Request for a code unknown to the provider', holds('M8.44'), async () => {
    const client = visitor()
    const { state } = await client.call(authorize, {})
    const refused = await client.refusal(signIn, { query: { code: 'nonsense', state } })
    expect(refused).toMatchObject({
      status: 400,
      answer: { code: 'invalid_request', message: 'Invalid Request' },
    })
  })

  it('accepts state and nonce only once and only while their cookie is valid', async () => {
    const client = visitor()
    const { url } = await client.call(authorize, {})
    const stored = new Map(client.browser.cookies)
    const back = await clickThrough(client.browser, url, 'designer')
    await client.call(signIn, { query: back })
    const replayed = visitor()
    for (const [name, cookie] of stored) replayed.browser.cookies.set(name, cookie)
    for (const code of [back.code, 'another']) {
      const refused = await replayed.refusal(signIn, { query: { ...back, code } })
      expect(refused).toMatchObject({ status: 401, answer: { code: 'state_mismatch' } })
    }
    const slow = visitor()
    const signInRequest = await slow.call(authorize, {})
    const late = await clickThrough(slow.browser, signInRequest.url, 'designer')
    console.advance(10 * 60_000 + 1000)
    expect((await slow.refusal(signIn, { query: late })).status).toBe(401)
    const { shared } = console.context.store
    await signInAs(visitor().browser, 'designer')
    expect(await shared.selectFrom('spent_sign_in').selectAll().execute()).toHaveLength(1)
  })

  it('a clock set back an hour ends no session, delays no one and permits no replay', async () => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const client = new ConsoleClient(browser, '', undefined, page)
    const earlier = browser.cookies.get('cadmus_refresh')?.value ?? ''
    await client.call(refreshSession, {})
    console.advance(-hour)
    expect((await client.send(getSession, {})).status).toBe(200)
    await client.call(refreshSession, {})
    expect((await client.send(getSession, {})).status).toBe(200)
    expect((await client.refusal(refreshSession, { query: { refreshToken: earlier } })).status).toBe(401)
    await signInAs(visitor().browser, 'designer')
    // Fewer than the answers that one caller may have in progress.
    const many = await Promise.all(Array.from({ length: 40 }, () => client.send(getSession, {})))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
    console.advance(hour)
  })

  it('creates a new state each time', holds('M2.234'), async () => {
    const client = visitor()
    const first = await client.call(authorize, {})
    const second = await client.call(authorize, {})
    expect(first.state).not.toBe(second.state)
    expect(first.url).toContain('code_challenge_method=S256')
  })

  it('returns the permissions of newcomer: ACME, and GLOBEX without a subscription', holds('M3.52'), async () => {
    const { browser } = await signInAs(visitor().browser, 'newcomer')
    const { eccUser } = await new ConsoleClient(browser, '', undefined, page).call(getSession, {})
    const numbers = eccUser.permissions.map(({ oc, ng }) => [oc, ng > 0])
    expect(numbers).toEqual([
      ['ACME', true],
      ['GLOBEX', false],
    ])
  })

  it.each(['cadmus_refresh', 'cadmus_session'])('rejects a session without %s', holds('M4.61'), async cookie => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const client = new ConsoleClient(browser, '', undefined, page)
    await client.call(getSession, {})
    expect(browser.cookies.delete(cookie)).toBe(true)
    expect((await client.refusal(getSession, {})).status).toBe(401)
  })

  it(
    'an expired session is 401 until refreshed; the page receives only the new expiry',
    holds('M4.56', 'M7.82', 'M7.83'),
    async () => {
      const { browser } = await signInAs(visitor().browser, 'designer')
      const client = new ConsoleClient(browser, '', undefined, page)
      const before = await client.call(getSession, {})
      console.advance(hour + 1000)
      expect((await client.refusal(getSession, {})).status).toBe(401)
      const refreshed = await client.call(refreshSession, {})
      expect(refreshed.eccOAuthToken).toBeUndefined()
      expect(Date.parse(refreshed.expiresAt)).toBeGreaterThan(Date.parse(before.expiresAt))
      const after = await client.call(getSession, {})
      expect(after.eccUser).toEqual(before.eccUser)
    },
  )

  it(
    'a refresh token in the request returns three tokens, and the access token opens the session',
    holds('M7.83'),
    async () => {
      const { browser } = await signInAs(visitor().browser, 'designer')
      const refreshToken = browser.cookies.get('cadmus_refresh')?.value ?? ''
      const script = visitor()
      const { eccOAuthToken } = await script.call(refreshSession, { query: { refreshToken } })
      expect(eccOAuthToken?.id_token).toMatch(/^eyJ/)
      expect(eccOAuthToken?.refresh_token).not.toBe(refreshToken)
      expect(script.browser.cookies.size).toBe(0)
      const bearer = { authorization: `Bearer ${eccOAuthToken?.access_token}` }
      const status = async (token: Record<string, string>) =>
        (await new ConsoleClient(console.visitor(), '', 'ACME', token).send(probeWho, {})).status
      expect(await status(bearer)).toBe(200)
      expect(await status({ authorization: 'Bearer nonsense' })).toBe(401)
    },
  )

  it('rejects an unknown refresh token and clears the cookies', holds('M7.82'), async () => {
    const unknown = await visitor().refusal(refreshSession, { query: { refreshToken: 'unknown' } })
    expect(unknown.status).toBe(401)
    const { browser } = await signInAs(visitor().browser, 'designer')
    console.advance(31 * 24 * hour)
    const client = new ConsoleClient(browser, '', undefined, page)
    expect((await client.refusal(refreshSession, {})).status).toBe(401)
    expect([...browser.cookies.keys()].filter(name => !name.startsWith('cadmus_idp'))).toEqual([])
  })

  it('serialises refreshes: two concurrent ones get the same answer and the session continues', async () => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const refreshToken = browser.cookies.get('cadmus_refresh')?.value ?? ''
    const client = visitor()
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.call(refreshSession, { query: { refreshToken } })))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    const next = await client.call(refreshSession, {
      query: { refreshToken: answers[0]?.eccOAuthToken?.refresh_token ?? '' },
    })
    expect(next.eccOAuthToken?.refresh_token).not.toBe(refreshToken)
  })

  it('repeats a refresh within 10 seconds; a later repeat counts as theft and ends the session', async () => {
    const { browser } = await signInAs(visitor().browser, 'designer')
    const refreshToken = browser.cookies.get('cadmus_refresh')?.value ?? ''
    const client = visitor()
    const first = await client.call(refreshSession, { query: { refreshToken } })
    console.advance(9000)
    expect(await client.call(refreshSession, { query: { refreshToken } })).toEqual(first)
    console.advance(2000)
    expect((await client.refusal(refreshSession, { query: { refreshToken } })).status).toBe(401)
    const newest = first.eccOAuthToken?.refresh_token ?? ''
    expect((await client.refusal(refreshSession, { query: { refreshToken: newest } })).status).toBe(401)
  })

  it('concurrent sign-ins in one browser each return with their own state', async () => {
    const client = visitor()
    const departures = [await client.call(authorize, {}), await client.call(authorize, {})]
    for (const { url } of departures) {
      const back = await clickThrough(client.browser, url, 'designer')
      console.advance(60_000)
      expect((await client.call(signIn, { query: back })).eccUser.username).toBe('designer')
    }
    const impatient = visitor()
    for (let time = 0; time < 12; time++) await impatient.call(authorize, {})
    const open = [...impatient.browser.cookies.keys()].filter(name => name.startsWith('cadmus_signin_'))
    expect(open.length).toBeLessThanOrEqual(5)
    expect(open).not.toEqual([])
  })

  it('the provider serves the picture of a demo user, and 404 for users without one', holds('M3.53'), async () => {
    const avatarOf = async (user: 'admin' | 'designer') => {
      const { browser } = await signInAs(visitor().browser, user)
      const { eccUser, memberDetails } = await new ConsoleClient(browser, '', undefined, page).call(getSession, {})
      expect(memberDetails.avatar).toBe(eccUser.avatar)
      return eccUser.avatar
    }
    const address = await avatarOf('admin')
    expect(address).toBe(`${console.url}/oidc/pictures/admin.svg`)
    const picture = await console.visitor().fetch(address ?? '')
    expect(picture.headers.get('content-type')).toBe('image/svg+xml')
    expect(await picture.text()).toMatch(/^<svg /)
    expect(await avatarOf('designer')).toBeNull()
    for (const file of ['designer.svg', 'admin', '%2e%2e%2fpages.ts']) {
      expect((await console.visitor().fetch(`/oidc/pictures/${file}`)).status).toBe(404)
    }
  })
})
