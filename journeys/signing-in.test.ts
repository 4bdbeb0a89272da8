import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { startJourney, openPage } from './driver/journey.ts'
import { holdAll } from './driver/document.ts'
import { recordProviderNavigations, openProfileMenu, stored } from './driver/session.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey

const PROVIDER = { name: 'Sign in to Cadmus' }
const tree = (of = page) => of.getByRole('tree', { name: 'Project Navigator' })
const pathname = (of = page) => new URL(of.url()).pathname
const visitor = () => openPage(journey.browser, journey.console.url)
/** Records the status texts of the page, in order, from the next navigation on. */
const recordStatuses = async (of = page) => {
  await of.addInitScript(() => {
    const statuses: string[] = []
    Object.assign(window, { statuses })
    new MutationObserver(() => {
      const text = document.querySelector('output')?.textContent ?? ''
      if (text !== '' && statuses.at(-1) !== text) statuses.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}
const recordedStatuses = (of = page) => of.evaluate((): unknown => Reflect.get(window, 'statuses'))

describe('A visitor', () => {
  it(
    'a visitor is redirected from any page through /sso/login to the identity provider',
    holds('M2.17', 'M1.31'),
    async () => {
      const other = await visitor()
      const passed: string[] = []
      other.page.on('framenavigated', frame => passed.push(new URL(frame.url()).pathname))
      for (const path of ['/', '/org', '/admin', '/packages']) {
        passed.length = 0
        await other.page.goto(path)
        await expectShown(other.page.getByRole('heading', PROVIDER))
        expect(passed).toContain('/sso/login')
        await expect.poll(() => other.page.locator('input[type=password]').count()).toBe(0)
      }
      await other.context.close()
    },
  )

  it(
    'each sign-in sends a new random state that is stored until the provider redirects back',
    holds('M2.234', 'M2.235', 'M9.21'),
    async () => {
      const other = await visitor()
      const left = recordProviderNavigations(other.page)
      const states: (string | null)[] = []
      const storedStates: (string | null)[] = []
      for (let time = 0; time < 2; time++) {
        await other.page.goto('/sso/login')
        await expectShown(other.page.getByRole('heading', PROVIDER))
        const authorize = left.findLast(url => url.pathname === '/oidc/auth')
        states.push(authorize?.searchParams.get('state') ?? null)
        storedStates.push(await stored(other.page, 'signInState'))
      }
      expect(states[0]).toMatch(/^[\w-]{20,}$/)
      expect(states[1]).not.toBe(states[0])
      expect(storedStates[0]).toBe(states[0])
      expect(storedStates[1]?.split(' ')).toEqual(states)
      await other.page.getByRole('button', { name: 'designer' }).click()
      await expectShown(tree(other.page))
      await expect.poll(() => stored(other.page, 'signInState')).toBeNull()
      await other.context.close()
    },
  )

  it(
    "the sign-in shows 'Redirecting...' and then 'Signing In...'",
    holds('M2.10', 'M2.236', 'M2.237', 'M4.49', 'M4.50'),
    async () => {
      const other = await visitor()
      await recordStatuses(other.page)
      const release = await holdAll(other.page, '**/sso/signin?*')
      await other.page.goto('/')
      const sent = other.page.waitForRequest(/\/sso\/signin\?/)
      await other.page.getByRole('button', { name: 'designer' }).click()
      const query = new URL((await sent).url()).searchParams
      expect(query.get('code')).not.toBe('')
      expect(query.get('state')).toBe(await stored(other.page, 'signInState'))
      await expectShown(other.page.getByText('Signing In...', { exact: true }))
      await expect.poll(() => recordedStatuses(other.page)).toEqual(['Redirecting...', 'Signing In...'])
      release()
      await expectShown(tree(other.page))
      await other.context.close()
    },
  )

  it('the sign-in leads to the address requested before it', async () => {
    const other = await visitor()
    await other.page.goto('/?manifestWizard=open')
    await other.page.getByRole('button', { name: 'designer' }).click()
    await expectShown(dialog(other.page, 'Create Manifest'))
    await expect.poll(() => stored(other.page, 'wanted')).toBeNull()
    await other.context.close()
  })

  it('a visitor with two open pages can sign in on both', async () => {
    const other = await visitor()
    const second = await other.context.newPage()
    await Promise.all([other.page.goto('/'), second.goto('/')])
    await expectShown(second.getByRole('heading', PROVIDER))
    await other.page.getByRole('button', { name: 'designer' }).click()
    await expectShown(tree(other.page))
    await second.getByRole('button', { name: 'designer' }).click()
    await expectShown(tree(second))
    await other.context.close()
  })
})

describe('The profile menu', () => {
  it(
    'the profile menu shows the user, the organisation and the version',
    holds('M2.27', 'M2.29', 'M2.30', 'M2.31', 'M2.34', 'M9.17'),
    async () => {
      const { page: other, context } = await openPage(journey.browser, journey.console.url)
      await other.goto('/')
      await other.getByRole('button', { name: 'designer' }).click()
      await openProfileMenu(other)
      const menu = other.getByRole('menu')
      await expectShown(menu.getByText('Dan Designer', { exact: true }))
      await expectShown(menu.getByText('designer@example.com', { exact: true }))
      await expectShown(menu.getByText('Version 1.5.0', { exact: true }))
      await expectShown(menu.getByRole('menuitem', { name: 'Organizations (Acme Trading)', exact: true }))
      await expectShown(menu.getByRole('menuitem', { name: 'Logout', exact: true }))
      await context.close()
    },
  )
})

describe('A sign-in that fails', () => {
  const shown = async (of: typeof page) => (await of.getByRole('main').locator('p').allTextContents()).join(' | ')

  it(
    'a failed sign-in shows its reason on the error page',
    holds('M5.65', 'M5.66', 'M8.42', 'M8.43', 'M8.44', 'M2.13', 'M2.14'),
    async () => {
      const other = await visitor()
      for (const [query, words] of [
        ['code=x', '401 | STATE MISMATCH | State not found on the URL parameter'],
        ['code=x&state=', '401 | STATE MISMATCH | State not found on the URL parameter'],
        ['code=x&state=wrong', '401 | STATE MISMATCH | Could not find state session or incorrect state value'],
        ['error=access_denied&error_description=You%20said%20no.', '400 | INVALID REQUEST | You said no.'],
      ] as const) {
        await other.page.goto(`/sso/login?${query}`)
        await expect.poll(() => pathname(other.page)).toBe('/error')
        await expect.poll(() => shown(other.page)).toBe(words)
      }
      await other.context.close()
    },
  )

  it('a sign-in with an unknown code shows an error and creates no session', holds('M4.51', 'M8.44'), async () => {
    const other = await visitor()
    const left = recordProviderNavigations(other.page)
    await other.page.goto('/')
    await expectShown(other.page.getByRole('heading', PROVIDER))
    const state = left.find(url => url.pathname === '/oidc/auth')?.searchParams.get('state') ?? ''
    await other.page.goto(`/sso/login?code=nobody&state=${state}`)
    await expect.poll(() => shown(other.page)).toBe('400 | INVALID REQUEST | Invalid Request')
    await other.page.goto('/')
    await expectShown(other.page.getByRole('heading', PROVIDER))
    await other.context.close()
  })

  it('a sign-in that cannot reach the server offers Retry with the same code', async () => {
    const other = await visitor()
    await other.page.route('**/sso/signin?*', route => route.abort())
    await other.page.goto('/')
    await other.page.getByRole('button', { name: 'designer' }).click()
    await expectShown(other.page.getByRole('alert').getByText('The server cannot be reached.'))
    await other.page.unrouteAll()
    await press(other.page.getByRole('alert'), 'Retry')
    await expectShown(tree(other.page))
    await other.context.close()
  })

  it('the error page shows the parameters of its address as plain text', holds('M2.12', 'M2.13', 'M2.14'), async () => {
    const other = await visitor()
    const message = '<img src=x onerror="document.title=1">\u202Eevil'
    const query = new URLSearchParams({ code: '4'.repeat(3000), error: `wörd <b>${'y'.repeat(3000)}`, message })
    await other.page.goto(`/error?${query}`)
    await expectShown(other.page.getByText(/^4+$/))
    await expectShown(other.page.getByText('<img src=x onerror="document.title=1">'))
    await expectShown(other.page.getByText(/^WÖRD <B>Y+$/))
    await expect.poll(() => other.page.locator('main :is(img, b)').count()).toBe(0)
    await expect.poll(() => shown(other.page)).not.toContain('\u202E')
    await expect
      .poll(() => other.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBeLessThanOrEqual(0)
    await expectShown(other.page.getByRole('button', { name: 'Go To Homepage' }))
    await other.page.goto('/error')
    await expectShown(other.page.getByText('Unexpected error', { exact: true }))
    await other.context.close()
  })

  it("'Go To Homepage' on the error page passes through the provider's logout", holds('M2.12', 'M2.15'), async () => {
    const other = await visitor()
    await other.page.goto('/error?code=401&error=state%20mismatch&message=x')
    await expect.poll(() => shown(other.page)).toBe('401 | STATE MISMATCH | x')
    const left = recordProviderNavigations(other.page)
    await other.page.getByRole('button', { name: 'Go To Homepage' }).press('Enter')
    await expectShown(other.page.getByRole('heading', PROVIDER))
    const end = left.find(url => url.pathname === '/oidc/session/end')
    expect(end?.searchParams.get('post_logout_redirect_uri')).toBe(`${journey.console.url}/`)
    await other.context.close()
  })
})
