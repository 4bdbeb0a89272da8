import { holds } from '@cadmus/testing/holds'
import type { Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDesk, openPage } from './driver/desk.ts'
import { openEntity } from './driver/document.ts'
import { apiOf } from './driver/api.ts'
import { setText } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { departures, mark, openProfileMenu, stored } from './driver/session.ts'
import { expectClean } from './driver/sight.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question } from './driver/widgets.ts'

const desk = await openDesk()
const { page, context } = desk
const { id } = await apiOf(page).createEntity({ name: 'Unfinished' })
const thing = { id, name: 'Unfinished' }

const PROVIDER = { name: 'Sign in to Cadmus' }
const SURE = 'Are you sure you want to logout?'
const UNSAVED = 'There are unsaved changes, are you sure you want to logout?'
const tree = (of = page) => of.getByRole('tree', { name: 'Project Navigator' })
const pathname = (of = page) => new URL(of.url()).pathname
const signedOut = (of = page) => expectShown(of.getByRole('heading', PROVIDER))
const askToLogOut = async () => {
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

beforeEach(async () => {
  await page.goto('/')
  const who = page.getByRole('button', { name: /^designer/ })
  await expectShown(tree().or(who))
  if (await who.isVisible()) await who.click()
  await expectShown(tree())
})

describe('Logout in the profile menu', () => {
  it('asks; cancelled, everything stays', holds('M2.34', 'M2.35'), async () => {
    const isSame = await mark(page)
    for (const cancel of [() => press(question(page, 'Logout'), 'Cancel'), () => keys(page, 'Escape')]) {
      await askToLogOut()
      await expectShown(question(page, 'Logout').getByText(SURE, { exact: true }))
      await cancel()
      await question(page, 'Logout').waitFor({ state: 'detached' })
    }
    expect(await isSame()).toBe(true)
    expect(await sessionCookies()).toHaveLength(3)
  })

  it(
    "forgets the place and the profile, shows 'Signing Out...' and leads over the provider's logout",
    holds('M2.7', 'M2.8', 'M4.63', 'M4.64', 'M4.65', 'M7.102'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).click()
      await expect.poll(() => stored(page, 'selectedNode')).not.toBeNull()
      expect(await stored(page, 'lastVisit')).toBe('/')
      const looked = Promise.withResolvers<void>()
      await page.route('**/sso/logout', async route => {
        if (route.request().method() === 'POST') await looked.promise
        return route.fallback()
      })
      const left = departures(page)
      await askToLogOut()
      await press(question(page, 'Logout'), 'Logout')
      await expectShown(page.getByText('Signing Out...', { exact: true }))
      expect(pathname()).toBe('/sso/logout')
      looked.resolve()
      await signedOut()
      const end = left.find(url => url.pathname === '/oidc/session/end')
      expect(end?.searchParams.get('state')).toMatch(/^[\w-]{20,}$/)
      for (const key of ['selectedNode', 'lastVisit', 'desk', 'sync']) expect(await stored(page, key)).toBeNull()
      expect(Object.keys(JSON.parse((await stored(page, 'login')) ?? '{}')).toSorted()).toEqual([
        'organisationCode',
        'userId',
      ])
      const all = await page.evaluate(() => JSON.stringify({ ...localStorage }))
      expect(all).not.toMatch(/Dan Designer|designer@example\.com/)
      expect(await sessionCookies()).toEqual([])
      // What the browser shows on the way back is the sign-in.
      await page.goBack()
      await signedOut()
    },
  )

  it('with unsaved changes asks in other words, and gives them up', holds('M2.36'), async () => {
    await change()
    await askToLogOut()
    await expectShown(question(page, 'Logout').getByText(UNSAVED, { exact: true }))
    await expectShown(question(page, 'Logout').getByText('Unfinished'))
    await press(question(page, 'Logout'), 'Cancel')
    await expectShown(page.getByRole('tab', { name: /unsaved changes/ }))
    await askToLogOut()
    await press(question(page, 'Logout'), 'Logout')
    await signedOut()
    await page.getByRole('button', { name: 'designer' }).click()
    await openEntity(page, thing)
    await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
  })
})

describe('Logout at /org', () => {
  it('leaves at once; with unsaved changes it asks first', holds('M2.36', 'M2.240'), async () => {
    await change()
    await page.goto('/org')
    await page.getByRole('link', { name: 'Logout' }).press('Enter')
    await expectShown(question(page, 'Logout').getByText(UNSAVED, { exact: true }))
    await expectClean(page, 'logout')
    await press(question(page, 'Logout'), 'Cancel')
    await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
    await page.getByRole('link', { name: 'Logout' }).click()
    await press(question(page, 'Logout'), 'Logout')
    await signedOut()
    expect(await sessionCookies()).toEqual([])
    await page.getByRole('button', { name: 'designer' }).click()
    await expectShown(tree())
    await page.goto('/org')
    await page.getByRole('link', { name: 'Logout' }).click()
    await signedOut()
  })
})

describe('The page /sso/logout', () => {
  it('shows its text to a visitor, who is sent nowhere', holds('M2.7', 'M2.9'), async () => {
    const other = await openPage(desk.browser, desk.console.url)
    const left = departures(other.page)
    await other.page.goto('/sso/logout')
    await expectShown(other.page.getByText('Signing Out...', { exact: true }))
    await expectShown(other.page.getByRole('button', { name: 'Sign in again' }))
    expect(left).toEqual([])
    expect(pathname(other.page)).toBe('/sso/logout')
    await expectClean(other.page, 'signing-out-visitor')
    await other.page.getByRole('button', { name: 'Sign in again' }).click()
    await signedOut(other.page)
    await other.context.close()
  })

  it('says so while the session cannot be ended, and tries again', async () => {
    await page.route('**/sso/logout', route =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { message: 'The database is away.', code: 'unavailable' } })
        : route.fallback(),
    )
    await page.goto('/sso/logout')
    await expectShown(page.getByRole('alert').getByText('The database is away.'))
    expect(await sessionCookies()).toHaveLength(3)
    await page.unrouteAll()
    await press(page.getByRole('alert'), 'Retry')
    await signedOut()
    expect(await sessionCookies()).toEqual([])
  })

  it.each([
    ['cannot be reached', async (route: Route) => route.abort('connectionrefused')],
    ['does not answer', async () => undefined],
  ])('says so where the server %s, and tries again', async (_what, answer) => {
    await page.route('**/sso/logout', async route =>
      route.request().method() === 'POST' ? answer(route) : route.fallback(),
    )
    await page.goto('/sso/logout')
    await expectShown(page.getByRole('alert').getByText('The server cannot be reached.'))
    expect(await page.getByText('Signing Out...').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(page.getByRole('alert'), 'Retry')
    await signedOut()
    expect(await sessionCookies()).toEqual([])
  })

  it('stays, with the way back, where the provider has no logout or is away', async () => {
    await page.route('**/sso/logout', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      const response = await route.fetch()
      return route.fulfill({ response, json: { url: null } })
    })
    await page.goto('/sso/logout')
    const words = 'You are signed out of Cadmus, but may still be signed in at the identity provider.'
    await expectShown(page.getByText(words, { exact: true }))
    expect(pathname()).toBe('/sso/logout')
    expect(await sessionCookies()).toEqual([])
    await expectClean(page, 'signed-out-here')
    await page.getByRole('button', { name: 'Sign in again' }).click()
    // The provider was not told: it needs no word from the person.
    await expectShown(tree())
  })
})

describe('A logout on another page of the browser', () => {
  const expired = (of: Page) => dialog(of, 'Session Expired')

  it('ends the session here too, at once', async () => {
    const other = await context.newPage()
    await other.goto('/sso/logout')
    await signedOut(other)
    await expectShown(expired(page).getByText('Your user session has expired or is invalid. Try to login again.'))
    // Signed in again there, this page goes on as it was.
    const isSame = await mark(page)
    await other.getByRole('button', { name: 'designer' }).click()
    await expectShown(tree(other))
    await expired(page).waitFor({ state: 'detached' })
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
    await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
    expect(await isSame()).toBe(true)
    await other.goto('/sso/logout')
    await signedOut(other)
    await press(expired(page), 'Login')
    await signedOut()
    await other.close()
  })

  it('and a sign-in of somebody else there: whose page this was goes on as they, and signs nobody out', async () => {
    const other = await context.newPage()
    await other.goto('/sso/logout')
    await signedOut(other)
    await other.getByRole('button', { name: 'newcomer' }).click()
    await expectShown(tree(other))
    await expectShown(expired(page))
    await press(expired(page), 'Login')
    await expectShown(page.getByRole('button', { name: /Profile of Nia Newcomer/ }))
    await other.reload()
    await expectShown(other.getByRole('button', { name: /Profile of Nia Newcomer/ }))
    await other.goto('/sso/logout')
    await signedOut(other)
    await other.close()
  })

  it('the section and node of one person are not those of the next one', async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).click()
    await expect.poll(() => stored(page, 'selectedNode')).not.toBeNull()
    // The session ends without a logout.
    await context.clearCookies()
    await page.goto('/')
    await page.getByRole('button', { name: 'newcomer' }).click()
    await expectShown(tree())
    expect(await page.getByRole('treeitem', { selected: true }).count()).toBe(0)
    await page.goto('/sso/logout')
    await signedOut()
  })
})
