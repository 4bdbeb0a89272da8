import { holds } from '@cadmus/testing/holds'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, signIn } from './driver/journey.ts'
import { holdAll, openEntity, record, readStoredDrafts } from './driver/document.ts'
import { setText } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import {
  recordProviderNavigations,
  mark,
  openProfileMenu,
  stored,
  storedCoreSchema,
  storedUser,
} from './driver/session.ts'
import { expectAccessible } from './driver/accessible.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page, context } = journey

let thing: { id: number; name: string }

const PROVIDER = { name: 'Sign in to Cadmus' }
const tree = (of = page) => of.getByRole('tree', { name: 'Project Navigator' })
const pathname = (of = page) => new URL(of.url()).pathname

describe('A signed-in user', () => {
  it(
    'local storage holds the profile of the signed-in user and no token',
    holds('E9.16', 'M3.53', 'M3.54', 'M3.55', 'M3.56', 'M3.57', 'M3.58'),
    async () => {
      await signIn(page)
      await expect
        .poll(() => storedUser(page))
        .toEqual({
          userId: expect.stringMatching(/.{10}/),
          username: 'designer',
          fullname: 'Dan Designer',
          email: 'designer@example.com',
          avatar: null,
          memberId: expect.stringMatching(/.{10}/),
          organisationCode: 'ACME',
          organisationName: 'Acme Trading',
          negroniPermission: '1',
          negroniLicenseLimits: 'mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql',
          isAdmin: false,
          permissions: [{ oc: 'ACME', on: 'Acme Trading', ng: 1 }],
        })
      const all = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
      await expect.poll(all).not.toMatch(/token|eyJ/i)
      const hidden = (await context.cookies()).filter(cookie => cookie.httpOnly)
      expect(hidden.map(({ name }) => name)).toContain('cadmus_session')
      for (const { value } of hidden) await expect.poll(all).not.toContain(value)
    },
  )

  it(
    'a signed-in user is redirected from the sign-in and error pages to the workspace',
    holds('M2.11', 'M2.16'),
    async () => {
      for (const path of ['/sso/login?code=x&state=wrong', '/error?code=1']) {
        await page.goto(path)
        await expectShown(tree())
        await expect.poll(() => pathname()).toBe('/')
      }
    },
  )
})

describe('Data stored in the browser', () => {
  it('the core schema is stored in IndexedDB and its version in local storage', holds('E9.11', 'E9.12'), async () => {
    const answer = await page.request.get('/1.0/cdm/navigator/version', { headers: { 'X-Organisation-Code': 'ACME' } })
    const { buildVersion } = await answer.json()
    const nodes = ['parties', 'Account', 'Contact'].map(name => expect.objectContaining({ name }))
    await expect
      .poll(() => storedCoreSchema(page))
      .toMatchObject({ nodes: expect.arrayContaining(nodes), buildVersion })
    await expect.poll(() => stored(page, 'coreSchemaVersion')).toBe(buildVersion)
  })

  it(
    'a reload restores the selected node until the reset flag clears it',
    holds('E9.13', 'E9.14', 'M9.19', 'M9.20'),
    async () => {
      await page.goto('/')
      const standard = () => nodeAt(page, 'Standard', 'Entities', 'parties')
      const items = (name: RegExp, selected?: boolean) =>
        page.getByRole('treeitem', { name, ...(selected === undefined ? {} : { selected }) })
      await standard()
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Customer')).click()
      await expectShown(page.getByRole('article', { name: 'Entity Customer' }))
      await expect.poll(() => stored(page, 'lastVisit')).toBe('/')
      const calls = record(page)
      const schemas = () => calls.filter(({ url }) => new URL(url).pathname === '/1.0/cdm/navigator')
      await page.reload()
      await expectShown(items(/^Customer$/, true))
      await standard()
      expect(schemas()).toEqual([])
      await expect.poll(() => stored(page, 'selectedNode')).toMatch(/entity:\d+$/)
      // Set outside the workspace, which would store its state again.
      await page.goto('/openapi.json')
      await page.evaluate(() => localStorage.setItem('cadmus.reset', 'true'))
      await page.goto('/')
      await expect.poll(() => schemas().length).toBe(1)
      await expectShown(items(/^Shop$/))
      await expect.poll(() => items(/./, true).count()).toBe(0)
      // The expanded nodes are collapsed.
      for (const name of [/^Customer$/, /^parties$/]) await expect.poll(() => items(name).count()).toBe(0)
      for (const key of ['reset', 'selectedNode']) await expect.poll(() => stored(page, key)).toBeNull()
    },
  )
})

describe('A session', () => {
  it('a session without its cookie is invalid and leads to the sign-in', holds('M4.61'), async () => {
    // Outside the workspace, which might renew the session by itself.
    await page.goto('/openapi.json')
    await context.clearCookies({ name: 'cadmus_session' })
    const navigations = recordProviderNavigations(page)
    const calls = record(page)
    await page.goto('/')
    // The session at the identity provider is still valid.
    await expectShown(tree())
    expect(navigations.map(url => url.pathname)).toContain('/oidc/auth')
    expect(calls.filter(({ url }) => url.includes('/sso/refresh'))).toEqual([])
  })

  it('a session without the sync flag passes through the identity provider once more', holds('M4.62'), async () => {
    const { id } = await page.request
      .get('/1.0/cdm/manifest?search=Shop', { headers: { 'X-Organisation-Code': 'ACME' } })
      .then(async answer => (await answer.json()).manifests[0])
    const navigations = recordProviderNavigations(page)
    await page.evaluate(() => localStorage.removeItem('cadmus.sync'))
    await page.goto(`/?manifest=${id}`)
    await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
    expect(navigations.filter(url => url.pathname === '/oidc/auth')).toHaveLength(1)
    await expect.poll(() => stored(page, 'sync')).toBe('1')
    await page.reload()
    await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
    expect(navigations.filter(url => url.pathname === '/oidc/auth')).toHaveLength(1)
  })

  it(
    'a session refused by the identity provider ends at the error page without a redirect loop',
    holds('M4.51', 'M4.62'),
    async () => {
      await page.evaluate(() => localStorage.removeItem('cadmus.sync'))
      await page.goto('/sso/login?error=access_denied')
      await expectShown(page.getByText('INVALID REQUEST', { exact: true }))
      await page.goto('/error?code=400&error=x&message=y')
      await expectShown(page.getByText('y', { exact: true }))
      await page.goto('/')
      await expectShown(tree())
    },
  )

  it(
    'an expired session is renewed once for all calls that received 401',
    holds('M4.56', 'M4.57', 'M4.58'),
    async () => {
      await nodeAt(page, 'Custom', 'Manifests', 'Shop')
      const calls = record(page)
      const refused: string[] = []
      const repeated = new Set<string>()
      page.on('response', response => {
        if (response.status() === 401) refused.push(response.url())
        else if (refused.includes(response.url())) repeated.add(response.url())
      })
      await context.clearCookies({ name: 'cadmus_session' })
      const release = await holdAll(page, '**/sso/refresh')
      await (await nodeAt(page, 'Custom')).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Refresh' }).click()
      await expect.poll(() => refused.length).toBeGreaterThan(1)
      release()
      await expect.poll(() => calls.filter(({ url }) => url.includes('/sso/refresh')).length).toBe(1)
      await expect.poll(() => refused.filter(url => !repeated.has(url))).toEqual([])
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Shop'))
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      expect((await context.cookies()).map(({ name }) => name)).toContain('cadmus_session')
      expect(calls.filter(({ url }) => url.includes('/sso/refresh'))).toHaveLength(1)
    },
  )

  it(
    'an expired session that cannot be renewed shows a dialog, except on the login page',
    holds('M4.59', 'M4.60', 'M2.252', 'M2.253', 'M2.254'),
    async () => {
      const ended = page.waitForResponse(/\/sso\/refresh/)
      await (await nodeAt(page, 'Custom')).click({ button: 'right' })
      const refresh = page.getByRole('menuitem', { name: 'Refresh' })
      await expectShown(refresh)
      await context.clearCookies({ name: /^cadmus_(session|refresh|idp.*)$/ })
      // A call that the page sends by itself may open the dialog before.
      await refresh.dispatchEvent('click')
      expect((await ended).status()).toBe(401)
      const expired = dialog(page, 'Session Expired')
      await expectShown(
        expired.getByText('Your user session has expired or is invalid. Try to login again.', { exact: true }),
      )
      await expectAccessible(page, 'session-expired')
      await keys(page, 'Escape')
      await expectShown(expired)
      await expect.poll(() => expired.getByRole('button').allTextContents()).toEqual(['Login'])
      await keys(page, 'Enter')
      await expectShown(page.getByRole('heading', PROVIDER))
      await expect.poll(() => sessionCookies()).toEqual([])
      const release = await holdAll(page, '**/sso/authorize')
      await context.addCookies([{ name: 'cadmus_signed_in', value: '1', url: journey.console.url }])
      await page.goto('/')
      await expectShown(page.getByText('Redirecting...', { exact: true }))
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      release()
      await expectShown(page.getByRole('heading', PROVIDER))
      await page.getByRole('button', { name: 'designer' }).click()
      await expectShown(tree())
    },
  )
})

const CONFIRM_TEXT = 'Are you sure you want to logout?'
const UNSAVED_TEXT = 'There are unsaved changes, are you sure you want to logout?'
const expectSignedOut = (of = page) => expectShown(of.getByRole('heading', PROVIDER))
const requestLogout = async () => {
  await openProfileMenu(page)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expectShown(question(page, 'Logout'))
}
const sessionCookies = async () =>
  (await context.cookies()).map(({ name }) => name).filter(name => /^cadmus_(session|refresh|signed_in)$/.test(name))
const change = async () => {
  await openEntity(page, thing)
  await setText(page, 'Entity', 'Description', 'not saved')
  await expectShown(page.getByRole('tab', { name: /unsaved changes/ }))
}

describe('Signing out', () => {
  beforeAll(async () => {
    thing = await apiOf(page).createEntity({ name: 'Unfinished' })
  })

  beforeEach(async () => {
    const userButton = page.getByRole('button', { name: /^designer/ })
    // Ten sign-ins per minute are allowed; the page may still be leaving after the previous logout.
    await journey.console.advance(60_000)
    await page.goto('/')
    await expectShown(tree().or(userButton))
    if (await userButton.isVisible()) await userButton.click()
    await expectShown(tree())
  })

  it(
    "Logout requires confirmation, clears the stored place and profile, shows 'Signing Out...' and passes through the provider's logout",
    holds('M2.34', 'M2.35', 'M2.7', 'M2.8', 'M4.63', 'M4.64', 'M4.65', 'M7.102'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).click()
      await expect.poll(() => stored(page, 'selectedNode')).not.toBeNull()
      await expect.poll(() => stored(page, 'lastVisit')).toBe('/')
      const released = Promise.withResolvers<void>()
      await page.route('**/sso/logout', async route => {
        if (route.request().method() === 'POST') await released.promise
        return route.fallback()
      })
      const navigations = recordProviderNavigations(page)
      const isSame = await mark(page)
      await requestLogout()
      await expectShown(question(page, 'Logout').getByText(CONFIRM_TEXT, { exact: true }))
      await keys(page, 'Escape')
      await question(page, 'Logout').waitFor({ state: 'detached' })
      await expect.poll(isSame).toBe(true)
      await expect.poll(sessionCookies).toHaveLength(3)
      await requestLogout()
      await press(question(page, 'Logout'), 'Logout')
      await expectShown(page.getByText('Signing Out...', { exact: true }))
      await expect.poll(() => pathname()).toBe('/sso/logout')
      released.resolve()
      await expectSignedOut()
      const end = navigations.find(url => url.pathname === '/oidc/session/end')
      expect(end?.searchParams.get('state')).toMatch(/^[\w-]{20,}$/)
      for (const key of ['selectedNode', 'lastVisit', 'desk', 'sync'])
        await expect.poll(() => stored(page, key)).toBeNull()
      await expect
        .poll(async () => Object.keys(await storedUser(page)).toSorted())
        .toEqual(['organisationCode', 'userId'])
      const all = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
      await expect.poll(all).not.toMatch(/Dan Designer|designer@example\.com/)
      await expect.poll(() => sessionCookies()).toEqual([])
      // Back in the browser shows the sign-in.
      await page.goBack()
      await expectSignedOut()
    },
  )

  it(
    'Logout with unsaved changes requires a different confirmation and discards them',
    holds('M2.36', 'M2.240'),
    async () => {
      await change()
      await expect.poll(() => readStoredDrafts(page)).toContain('not saved')
      await requestLogout()
      await expectShown(question(page, 'Logout').getByText(UNSAVED_TEXT, { exact: true }))
      await expectShown(question(page, 'Logout').getByText('Unfinished'))
      await press(question(page, 'Logout'), 'Cancel')
      await expectShown(page.getByRole('tab', { name: /unsaved changes/ }))
      await page.goto('/org')
      await page.getByRole('link', { name: 'Logout' }).press('Enter')
      await expectShown(question(page, 'Logout').getByText(UNSAVED_TEXT, { exact: true }))
      await press(question(page, 'Logout'), 'Logout')
      await expectSignedOut()
      await page.getByRole('button', { name: 'designer' }).click()
      await openEntity(page, thing)
      await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
    },
  )

  it(
    '/sso/logout shows why the session cannot be ended, Retry ends it, and without a logout of the provider the page offers to sign in',
    holds('M2.7', 'M2.9'),
    async () => {
      await page.route('**/sso/logout', route =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 503, json: { message: 'The database is away.', code: 'unavailable' } })
          : route.fallback(),
      )
      await page.goto('/sso/logout')
      await expectShown(page.getByRole('alert').getByText('The database is away.'))
      await expect.poll(() => sessionCookies()).toHaveLength(3)
      await page.unrouteAll()
      await page.route('**/sso/logout', async route => {
        const response = await route.fetch()
        return route.fulfill({ response, json: { url: null } })
      })
      await press(page.getByRole('alert'), 'Retry')
      const words = 'You are signed out of Cadmus, but may still be signed in at the identity provider.'
      await expectShown(page.getByText(words, { exact: true }))
      await expect.poll(() => sessionCookies()).toEqual([])
      await page.unrouteAll()
      // A visitor without a session.
      const navigations = recordProviderNavigations(page)
      await page.reload()
      await expectShown(page.getByText('Signing Out...', { exact: true }))
      await expectShown(page.getByRole('button', { name: 'Sign in again' }))
      expect([pathname(), navigations]).toEqual(['/sso/logout', []])
      await expectAccessible(page, 'signing-out-visitor')
      await page.getByRole('button', { name: 'Sign in again' }).click()
      // The session at the provider is still valid, so that no user needs to be chosen.
      await expectShown(tree())
    },
  )

  it('after a logout on another page this page continues for the same user and gives way to another one', async () => {
    const expired = dialog(page, 'Session Expired')
    const other = await context.newPage()
    await other.goto('/sso/logout')
    await expectSignedOut(other)
    await expectShown(expired.getByText('Your user session has expired or is invalid. Try to login again.'))
    // After a sign-in on the other page this page continues without a reload.
    const isSame = await mark(page)
    await other.getByRole('button', { name: 'designer' }).click()
    await expectShown(tree(other))
    await expired.waitFor({ state: 'detached' })
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
    await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
    await expect.poll(() => isSame()).toBe(true)
    await other.goto('/sso/logout')
    await expectSignedOut(other)
    await other.getByRole('button', { name: 'newcomer' }).click()
    await expectShown(tree(other))
    // Login continues as the other user and ends no session.
    await press(expired, 'Login')
    await expectShown(page.getByRole('button', { name: /Profile of Nia Newcomer/ }))
    await other.reload()
    await expectShown(other.getByRole('button', { name: /Profile of Nia Newcomer/ }))
    await other.close()
  })
})
