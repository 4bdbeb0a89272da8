import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { administrationOn } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { holdAll, tool } from './driver/document.ts'
import { entityDocument, setText } from './driver/entity.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { cardNames } from './driver/packages.ts'
import {
  changeSession,
  mark,
  recordOrganisationHeaders,
  openProfileMenu,
  organisationInMenu,
  organisationLines,
  storedUser,
} from './driver/session.ts'
import { expectAccessible } from './driver/accessible.ts'
import { childrenOf, menu, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey

const LICENCE = 'mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql'
const pathname = () => new URL(page.url()).pathname
const heading = () => page.getByRole('heading', { name: 'Organisations', exact: true })
const tree = () => page.getByRole('tree', { name: 'Project Navigator' })
const list = (within: Pick<Locator, 'getByRole'> = page) => within.getByRole('list', { name: 'Organisations' })
const lines = (within: Pick<Locator, 'getByRole'> = page) => organisationLines(within)
const signInAs = async (user: string) => {
  await page.goto('/')
  await page.getByRole('button', { name: user }).click()
}
const signOut = async () => {
  await page.goto('/sso/logout')
  await expectShown(page.getByRole('heading', { name: 'Sign in to Cadmus' }))
}

const openDialog = async () => {
  await openProfileMenu(page)
  await page.getByRole('menuitem', { name: /^Organizations/ }).click()
  await expectShown(dialog(page, 'Select Organisation'))
  return dialog(page, 'Select Organisation')
}

describe('The organisation picker', () => {
  it(
    'the organisation picker lists both organisations of a user and shows who is signed in',
    holds('M1.2', 'M2.2', 'M2.238', 'M2.239', 'M2.241', 'M2.243', 'M4.55'),
    async () => {
      await signInAs('admin')
      await expectShown(heading())
      await expect.poll(pathname).toBe('/org')
      await expectShown(page.getByText('admin@example.com', { exact: true }))
      await expect.poll(() => lines()).toEqual(['AT | Acme Trading | Select', 'C | Cadmus | Select'])
      for (const name of ['Acme Trading', 'Cadmus'])
        await expect.poll(() => page.getByRole('button', { name: `Select ${name}` }).isEnabled()).toBe(true)
      const picture = page.locator('main header img')
      await expect.poll(() => picture.evaluate(image => image.getBoundingClientRect().width)).toBe(32)
      await expect
        .poll(() => picture.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth > 0))
        .toBe(true)
      await expect.poll(async () => new URL((await picture.getAttribute('src')) ?? '').origin).toBe(journey.console.url)
      expect(journey.complaints).toEqual([])
      await saveScreenshot(page, 'organisations-picture')
    },
  )

  it(
    'selecting an organisation in the picker opens its workspace',
    holds('M2.247', 'M3.54', 'M3.55', 'M3.56'),
    async () => {
      await press(list(), 'Select Acme Trading')
      await expectShown(tree())
      await expect.poll(pathname).toBe('/')
      await expect.poll(() => organisationInMenu(page)).toBe('Acme Trading')
      const place = { organisationCode: 'ACME', organisationName: 'Acme Trading', negroniPermission: '1' }
      await expect.poll(() => storedUser(page)).toMatchObject({ ...place, isAdmin: true })
      await expect.poll(async () => (await storedUser(page))['permissions']).toHaveLength(2)
      await expect.poll(async () => (await storedUser(page))['negroniLicenseLimits']).toBe(LICENCE)
    },
  )

  it('a returning user gets the last organisation instead of the picker', holds('M4.52'), async () => {
    await signOut()
    await signInAs('admin')
    await expectShown(tree())
    await expect.poll(() => organisationInMenu(page)).toBe('Acme Trading')
  })

  it('selecting a different organisation in the picker reloads the page', holds('M2.250'), async () => {
    await page.goto('/org')
    await expectShown(list().getByText('Current'))
    const isSame = await mark(page)
    await press(list(), 'Select Cadmus')
    await expectShown(page.getByText('No manifest to display.', { exact: true }))
    await expect.poll(() => isSame()).toBe(false)
    await expect.poll(() => organisationInMenu(page)).toBe('Cadmus')
  })

  it('the Logout link of the organisation picker leads to the sign-in page', holds('M2.240'), async () => {
    await page.goto('/org')
    await page.getByRole('link', { name: 'Logout' }).click()
    await expectShown(page.getByRole('heading', { name: 'Sign in to Cadmus' }))
    await page.goto('/org')
    await expectShown(page.getByRole('heading', { name: 'Sign in to Cadmus' }))
  })

  it(
    'the organisation picker lists organisations with a subscription first and disables the others',
    holds('M2.242', 'M2.244', 'M2.239', 'M2.248', 'M2.249', 'M3.52'),
    async () => {
      await signInAs('newcomer')
      await expectShown(tree())
      await page.goto('/org')
      await expect.poll(() => lines()).toEqual(['AT | Acme Trading | Select', 'G | Globex | No subscription'])
      await expect.poll(() => page.getByRole('button', { name: 'No subscription Globex' }).isDisabled()).toBe(true)
      // The user has no picture.
      await expectShown(page.locator('main header [data-avatar=default]'))
      await expect.poll(() => page.locator('main header img').count()).toBe(0)
      await page.goto('/')
      const open = await openDialog()
      await expect.poll(() => lines(open)).toEqual(['AT | Acme Trading | Select', 'G | Globex | No subscription'])
      await expect.poll(() => open.getByRole('button', { name: 'No subscription Globex' }).isDisabled()).toBe(true)
      await press(open, 'Cancel')
    },
  )

  it(
    'the organisation picker shows the default picture if the picture of the user cannot be loaded',
    holds('M2.239'),
    async () => {
      await page.route('**/oidc/pictures/gone.svg', route => route.fulfill({ status: 404 }))
      await changeSession(page, ({ eccUser }) => {
        eccUser.avatar = `${journey.console.url}/oidc/pictures/gone.svg`
      })
      await page.goto('/org')
      await expectShown(page.locator('main header [data-avatar=default]'))
      await page.goto('/')
      await expectShown(page.getByRole('button', { name: /Profile of/ }).getByText('NN'))
    },
  )

  it(
    'the organisation picker explains what to do if no organisation has a subscription',
    holds('M2.245', 'M2.246'),
    async () => {
      await changeSession(page, ({ eccUser }) => {
        eccUser.permissions = [
          { oc: 'GLOBEX', on: 'Globex', ng: 0 },
          { oc: 'INITECH', on: 'Initech', ng: 0 },
        ]
      })
      await page.goto('/')
      await expectShown(heading())
      const message = page.getByText('You are not a member of a subscription on any of these organisations.')
      await expectShown(message)
      await expect
        .poll(() => message.textContent())
        .toMatch(/Contact the organisation's administrator to be added.*then log out and in again\./s)
      await expect.poll(() => lines()).toEqual(['G | Globex | No subscription', 'I | Initech | No subscription'])
    },
  )

  it('the organisation picker shows loading, then the failure reason with Retry', async () => {
    await page.route('**/sso/session', route =>
      route.fulfill({ status: 503, json: { message: 'The database is away.', code: 'unavailable' } }),
    )
    const release = await holdAll(page, '**/sso/session')
    await page.goto('/org')
    await expectShown(page.getByLabel('Loading'))
    release()
    await expectShown(page.getByRole('alert').getByText('The database is away.'))
    await page.unrouteAll({ behavior: 'wait' })
    await press(page.getByRole('alert'), 'Retry')
    await expectShown(heading())
  })
})

describe('Select Organisation', () => {
  it(
    'cancelling Select Organisation by button or Escape changes nothing',
    holds('M2.31', 'M2.248', 'M2.251'),
    async () => {
      await signOut()
      await signInAs('admin')
      await expectShown(heading().or(tree()))
      if (await heading().isVisible()) await press(list(), 'Select Acme Trading')
      await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
      const isSame = await mark(page)
      const before = await storedUser(page)
      for (const cancel of [(open: Locator) => press(open, 'Cancel'), () => keys(page, 'Escape')]) {
        const open = await openDialog()
        await expect.poll(() => lines(open)).toEqual(['AT | Acme Trading | Select', 'C | Cadmus | Select'])
        await cancel(open)
        await open.waitFor({ state: 'detached' })
        await expect.poll(() => hasFocus(page.getByRole('button', { name: /Profile of/ }))).toBe(true)
      }
      await expect.poll(() => isSame()).toBe(true)
      await expect.poll(() => storedUser(page)).toEqual(before)
      await expect.poll(() => organisationInMenu(page)).toBe('Acme Trading')
      await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
    },
  )

  it(
    'selecting another organisation reloads the page and shows only its content',
    holds('M1.3', 'M2.31', 'M2.250', 'M3.54', 'M3.55'),
    async () => {
      for (const [code, made] of [
        ['ACME', 'OnlyAcme'],
        ['CADMUS', 'OnlyCadmus'],
      ] as const) {
        const api = apiOf(page, code)
        const id = await api.createManifest(made)
        await api.createEntity({ name: `${made}Thing` }, id)
        await api.build(id)
      }
      const licence = { manifestLimit: 3, rest: false, graphql: true, databaseTypes: ['mysql'] }
      await administrationOn(page).callApi('PUT', 'org/CADMUS', { licence })
      await changeSession(page, ({ eccUser }) => {
        eccUser.permissions = eccUser.permissions.map(one => (one.oc === 'CADMUS' ? { ...one, ng: 7 } : one))
      })
      const isSame = await mark(page)
      await tabTo(page, page.getByRole('button', { name: /Profile of/ }))
      await keys(page, 'Enter')
      await tabTo(page, page.getByRole('menuitem', { name: 'Organizations (Acme Trading)' }), 'ArrowDown')
      await keys(page, 'Enter')
      await tabTo(page, dialog(page, 'Select Organisation').getByRole('button', { name: 'Select Cadmus' }))
      await keys(page, 'Enter')
      await expectShown(page.getByRole('treeitem', { name: /^OnlyCadmus/ }))
      const manifests = await nodeAt(page, 'Custom', 'Manifests')
      await expand(manifests)
      await expect.poll(() => childrenOf(page, manifests)).toEqual(['OnlyCadmus'])
      await page.getByRole('button', { name: 'Audit Logs' }).click()
      const rows = page.getByRole('grid', { name: 'Audit Logs' }).locator('tbody tr')
      await expectShown(rows.filter({ hasText: 'OnlyCadmus' }).first())
      await expect.poll(() => rows.filter({ hasText: 'OnlyAcme' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Exported packages' }).click()
      await expect.poll(() => cardNames(page)).toEqual(['OnlyCadmus'])
      await expect.poll(() => isSame()).toBe(false)
      await expect.poll(() => organisationInMenu(page)).toBe('Cadmus')
      const place = { organisationCode: 'CADMUS', organisationName: 'Cadmus', negroniPermission: '7' }
      await expect.poll(() => storedUser(page)).toMatchObject(place)
      await expect.poll(async () => (await storedUser(page))['negroniLicenseLimits']).toBe('mc=3|rs=0|gqls=1|db=mysql')
    },
  )
})

describe('Many organisations', () => {
  beforeAll(async () => {
    await signOut()
    await signInAs('newcomer')
    await expectShown(tree())
  })

  const LONG = 'Consolidated Holdings of the United Manufacturers and Distributors of Fine Instruments, Northern Region'
  const many = Array.from({ length: 60 }, (_, at) => ({
    oc: `ORG${at}`,
    on: at % 2 === 0 ? `${LONG} ${at}` : `Organisation${'x'.repeat(100)}${at}`,
    ng: at < 40 ? 100 - at : 0,
  }))
  const withMany = () =>
    changeSession(page, ({ eccUser }) => {
      eccUser.permissions = [{ oc: 'ACME', on: 'Acme', ng: 200 }, ...many, { oc: 'ACME2', on: 'Acme', ng: 199 }]
    })

  it(
    'the list of many organisations is 500 px high and scrolls, and long names do not overflow the page',
    holds('M9.9'),
    async () => {
      await withMany()
      await page.goto('/org')
      await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
      await expect.poll(async () => (await list().boundingBox())?.height).toBe(500)
      await expect.poll(() => list().evaluate(element => element.scrollHeight > element.clientHeight)).toBe(true)
      await expectAccessible(page, 'organisations-many')
      await page.setViewportSize({ width: 720, height: 450 })
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
        .toBeLessThanOrEqual(0)
      await saveScreenshot(page, 'organisations-many')
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  it('arrow keys move through the organisations and the search finds them by name or code', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Select Acme ACME', exact: true }))
    await keys(page, 'ArrowDown', 'ArrowDown')
    const third = page.getByRole('button', { name: `Select ${LONG} 0`, exact: true })
    await expect.poll(() => hasFocus(third)).toBe(true)
    await keys(page, 'End')
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /^Select Organisationx+39$/ }))).toBe(true)
    await keys(page, 'Home', 'ArrowUp')
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Select Acme ACME', exact: true }))).toBe(true)
    const search = page.getByRole('textbox', { name: 'Search organisations' })
    await search.fill('org12')
    await expect.poll(() => lines()).toEqual([`C1 | ${LONG} 12 | Select`])
    await search.fill('nobody is called so')
    await expectShown(page.getByText('No organisation has this name.'))
    await keys(page, 'Escape')
    await expect.poll(async () => (await lines()).length).toBe(62)
  })

  it('the dialog with many organisations scrolls its list and keeps Cancel visible', holds('M9.9'), async () => {
    await withMany()
    await page.goto('/')
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await openProfileMenu(page)
    await page.getByRole('menuitem', { name: /^Organizations/ }).click()
    const open = dialog(page, 'Select Organisation')
    await expect.poll(async () => (await list(open).boundingBox())?.height).toBe(500)
    await page.setViewportSize({ width: 1024, height: 768 })
    const cancel = open.getByRole('button', { name: 'Cancel' })
    await expect.poll(() => cancel.evaluate(one => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(768)
    await saveScreenshot(page, 'organisations-dialog')
    await page.setViewportSize({ width: 1440, height: 900 })
    await press(open, 'Cancel')
  })
})

describe('Organisation header of API calls', () => {
  beforeAll(async () => {
    await signOut()
    await signInAs('designer')
    await expectShown(tree())
  })

  it(
    'each API call of the workspace names the organisation, except sign-in calls',
    holds('M7.1', 'M7.2', 'E7.3'),
    async () => {
      const calls = recordOrganisationHeaders(page)
      await page.reload()
      const entities = ['Custom', 'Manifests', 'Shop', 'Entities']
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
      await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
      await (await nodeAt(page, ...entities, 'Customer')).dblclick()
      await expectShown(entityDocument(page, 'Customer'))
      await setText(page, 'Entity', 'Description', 'Who buys.')
      await tool(page, 'Save').click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await captureDownload(page, async () => menu(page, await nodeAt(page, ...entities, 'Customer'), 'Export Entity'))

      const made = calls.map(({ method, path }) => `${method} ${path.replace(/\/\d+(?=\/|$)/, '/{id}')}`)
      expect(made).toEqual(
        expect.arrayContaining([
          'GET /1.0/cdm/entity/{id}',
          'POST /1.0/cdm/entity/{id}/edits',
          'POST /1.0/cdm/entity/{id}/export',
        ]),
      )
      const wrong = calls.filter(({ path, organisation, signIn }) =>
        path.includes('/sso/') ? signIn !== '1' : organisation !== 'ACME',
      )
      expect(wrong).toEqual([])
      expect(calls.filter(({ adminOrganisation }) => adminOrganisation !== undefined)).toEqual([])
    },
  )
})
