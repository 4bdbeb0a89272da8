import { holds } from '@cadmus/testing/holds'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { holdAll, tool } from './driver/document.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { enterAdministration } from './driver/administration.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { openInAdmin } from './driver/admin-documents.ts'
import { addAttribute, entityDocument, names, tab } from './driver/entity.ts'
import { mark, recordProviderNavigations, openProfileMenu, stored } from './driver/session.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

const PROVIDER = { name: 'Sign in to Cadmus' }
const tree = (of = page) => of.getByRole('tree', { name: 'Project Navigator' })
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
const pathname = (of = page) => new URL(of.url()).pathname

describe('A visitor', () => {
  it(
    'a visitor is redirected from any page through /sso/login to the identity provider',
    holds('M2.17', 'M1.31'),
    async () => {
      const other = await visitor()
      const passed: string[] = []
      other.page.on('framenavigated', frame => passed.push(new URL(frame.url()).pathname))
      for (const path of ['/admin', '/packages']) {
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
    "the sign-in shows 'Redirecting...', then 'Signing In...', and leads to the address requested before it",
    holds('M2.10', 'M2.236', 'M2.237', 'M4.49', 'M4.50'),
    async () => {
      const other = await visitor()
      await recordStatuses(other.page)
      const release = await holdAll(other.page, '**/sso/signin?*')
      await other.page.goto('/?manifestWizard=open')
      const sent = other.page.waitForRequest(/\/sso\/signin\?/)
      await other.page.getByRole('button', { name: 'designer' }).click()
      const query = new URL((await sent).url()).searchParams
      expect(query.get('code')).not.toBe('')
      await expect.poll(() => stored(other.page, 'signInState')).toBe(query.get('state'))
      await expectShown(other.page.getByText('Signing In...', { exact: true }))
      await expect.poll(() => recordedStatuses(other.page)).toEqual(['Redirecting...', 'Signing In...'])
      release()
      await expectShown(dialog(other.page, 'Create Manifest'))
      await expect.poll(() => stored(other.page, 'wanted')).toBeNull()
      await other.context.close()
    },
  )

  it(
    'a visitor with two open pages can sign in on both; the profile menu shows the user, the organisation and the version',
    holds('M2.27', 'M2.29', 'M2.30', 'M2.31', 'M2.34', 'M9.17'),
    async () => {
      const other = await visitor()
      const second = await other.context.newPage()
      await Promise.all([other.page.goto('/'), second.goto('/')])
      await expectShown(second.getByRole('heading', PROVIDER))
      await other.page.getByRole('button', { name: 'designer' }).click()
      await expectShown(tree(other.page))
      await second.getByRole('button', { name: 'designer' }).click()
      await expectShown(tree(second))
      await openProfileMenu(second)
      const menu = second.getByRole('menu')
      await expectShown(menu.getByText('Dan Designer', { exact: true }))
      await expectShown(menu.getByText('designer@example.com', { exact: true }))
      await expectShown(menu.getByText('Version 1.5.0', { exact: true }))
      await expectShown(menu.getByRole('menuitem', { name: 'Organizations (Acme Trading)', exact: true }))
      await expectShown(menu.getByRole('menuitem', { name: 'Logout', exact: true }))
      await other.context.close()
    },
  )
})

describe('A sign-in that fails', () => {
  const shown = async (of: typeof page) => (await of.getByRole('main').locator('p').allTextContents()).join(' | ')

  it(
    "a failed sign-in shows its reason on the error page, and 'Go To Homepage' passes through the provider's logout",
    holds('M2.12', 'M2.13', 'M2.14', 'M2.15', 'M5.65', 'M5.66', 'M8.42', 'M8.43', 'M8.44'),
    async () => {
      const other = await visitor()
      for (const [query, words] of [
        ['code=x&state=', '401 | STATE MISMATCH | State not found on the URL parameter'],
        ['code=x&state=wrong', '401 | STATE MISMATCH | Could not find state session or incorrect state value'],
        ['error=access_denied&error_description=You%20said%20no.', '400 | INVALID REQUEST | You said no.'],
      ] as const) {
        await other.page.goto(`/sso/login?${query}`)
        await expect.poll(() => pathname(other.page)).toBe('/error')
        await expect.poll(() => shown(other.page)).toBe(words)
      }
      // Returns to the sign-in through the provider's logout.
      const left = recordProviderNavigations(other.page)
      await other.page.getByRole('button', { name: 'Go To Homepage' }).press('Enter')
      await expectShown(other.page.getByRole('heading', PROVIDER))
      const end = left.find(url => url.pathname === '/oidc/session/end')
      expect(end?.searchParams.get('post_logout_redirect_uri')).toBe(`${journey.console.url}/`)
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
})

/** Opens the entity without reloading the page, so that Back needs no request; returns the number of history steps. */
async function openFromOrganisations(name: string): Promise<number> {
  await page.goto('/org')
  const before = await page.evaluate(() => history.length)
  await page
    .getByRole('button', { name: /^Select / })
    .first()
    .click()
  await expectShown(page.getByRole('tree'))
  // Navigating to the address would reload the page.
  await (await nodeAt(page, 'Custom', 'Entities', name)).dblclick()
  await expectShown(entityDocument(page, name))
  // The address changes after the document is shown.
  await expect.poll(() => page.url()).toContain('entity=')
  return (await page.evaluate(() => history.length)) - before
}

describe('Page addresses', () => {
  it('Back and Forward move between pages and restore the open document; unsaved changes require confirmation', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'AddressedEntity' })
    const steps = await openFromOrganisations('AddressedEntity')
    for (let step = 0; step < steps; step++) await page.goBack()
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    for (let step = 0; step < steps; step++) await page.goForward()
    await expectShown(entityDocument(page, 'AddressedEntity'))
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${id}`)

    await addAttribute(page, 'unsaved')
    await expect.poll(() => tab(page, 'AddressedEntity').textContent()).toContain('unsaved changes')
    await page.evaluate(by => history.go(-by), steps)
    await press(question(page, 'Save Changes?'), 'Cancel')
    await question(page, 'Save Changes?').waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'AddressedEntity'))
    await expect.poll(() => page.url()).toContain(`/?entity=${id}`)
    await page.evaluate(by => history.go(-by), steps)
    await press(question(page, 'Save Changes?'), 'Discard')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    await expect.poll(() => pathname()).toBe('/org')
  })

  it('an unknown address shows an error, and a trailing slash is ignored', async () => {
    await page.goto('/nowhere')
    await expectShown(page.getByText('There is no such page.'))
    await page.goto('/org/')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
  })
})

describe('Leaving a document or section', () => {
  // Ten sign-ins per minute are allowed.
  beforeAll(() => journey.console.advance(60_000))

  const expectConfirmation = async (of: typeof page, leave: () => Promise<void>, name: string) => {
    const confirmation = question(of, 'Save Changes?')
    await leave()
    await expectShown(confirmation.getByText(`"${name}" has unsaved changes.`, { exact: true }))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    await expectShown(entityDocument(of, name))
  }

  it(
    'closing a tab or leaving the administration with unsaved changes requires confirmation',
    holds('M4.70'),
    async () => {
      const entity = await apiOf(page).createEntity({ name: 'Unsaved' })
      await page.goto(`/?entity=${entity.id}`)
      await expectShown(entityDocument(page, 'Unsaved'))
      await addAttribute(page, 'pending')
      await expectConfirmation(page, () => tab(page, 'Unsaved').locator('[data-close]').click(), 'Unsaved')
      await keys(page, 'Control+s')

      const other = await openPage(journey.browser, journey.console.url)
      const of = other.page
      await enterAdministration(of)
      await openInAdmin(of, entity)
      await addAttribute(of, 'another')
      await expectConfirmation(of, async () => (await nodeAt(of, 'Globex')).click(), 'Unsaved')
      await of.getByRole('button', { name: 'Home' }).click()
      await press(question(of, 'Save Changes?'), 'Discard')
      await other.context.close()
    },
  )

  it('switching sections reloads nothing and keeps the tabs and drafts of each section', async () => {
    const entity = await apiOf(page).createEntity({ name: 'InBothSections' })
    const { context, page: of } = await openPage(journey.browser, journey.console.url)
    await of.goto('/')
    await of.getByRole('button', { name: 'admin' }).click()
    await of.getByRole('button', { name: 'Select Acme Trading' }).click()
    await (await nodeAt(of, 'Custom', 'Entities', entity.name)).dblclick()
    await expectShown(entityDocument(of, entity.name))
    const isSame = await mark(of)
    await addAttribute(of, 'ofDesigner')

    await of.getByRole('button', { name: /Profile of/ }).click()
    await of.getByRole('menuitem', { name: 'Administration' }).click()
    await (await nodeAt(of, 'Acme Trading', 'Entities', entity.name)).click()
    await expectShown(entityDocument(of, entity.name))
    await expect.poll(() => names(of, 'Type attributes')).not.toContain('ofDesigner')
    await addAttribute(of, 'ofAdministrator')
    await of.getByRole('button', { name: 'Packages' }).click()
    await press(question(of, 'Package View'), 'Proceed')
    await expectShown(of.getByRole('heading', { level: 1, name: /^Packages of/ }))

    await of.getByRole('button', { name: 'Home' }).click()
    await expect.poll(() => tab(of, entity.name).textContent()).toContain('unsaved changes')
    await expect.poll(() => names(of, 'Type attributes')).toContain('ofDesigner')
    await expect.poll(() => names(of, 'Type attributes')).not.toContain('ofAdministrator')
    await tool(of, 'Discard changes').click()

    await of.getByRole('button', { name: /Profile of/ }).click()
    await of.getByRole('menuitem', { name: 'Administration' }).click()
    await expectShown(of.getByRole('heading', { level: 1, name: '[ACME] Acme Trading' }))
    const node = await nodeAt(of, 'Acme Trading', 'Entities', entity.name)
    await expectShown(node.getByText('Unsaved changes'))
    await node.click()
    await expect.poll(() => names(of, 'Type attributes')).toContain('ofAdministrator')
    await tool(of, 'Discard changes').click()
    await expect.poll(isSame).toBe(true)
    await context.close()
  })

  it('signing in returns to the section that was visited last', holds('E9.15', 'M1.20'), async () => {
    const { context, page: of } = await openPage(journey.browser, journey.console.url)
    await enter(of, 'admin', '/org')
    await of.getByRole('button', { name: 'Select Acme Trading' }).click()
    await expectShown(of.getByRole('tree', { name: 'Project Navigator' }))
    const marks = {
      '/packages': of.getByRole('heading', { level: 1, name: /^Packages/ }),
      '/admin': of.getByRole('tree', { name: 'Organisations' }),
    }
    for (const [section, mark] of Object.entries(marks)) {
      await of.goto(section)
      await expectShown(mark)
      await expect.poll(() => stored(of, 'lastVisit')).toBe(section)
      await context.clearCookies()
      await of.goto('/')
      await of.getByRole('button', { name: 'admin' }).click()
      await expectShown(mark)
      for (const other of Object.values(marks)) await expect.poll(() => other.count()).toBe(other === mark ? 1 : 0)
      await expect.poll(() => new URL(of.url()).pathname).toBe(section)
    }
    await context.close()
  })
})
