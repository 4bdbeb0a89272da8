import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { hold, holdAll, record } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { buildOf, card, cardNames, packageOf, servePackages } from './driver/packages.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, captureDownload, expectShown, iconOf, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page, complaints } = journey
const shop = packageOf('Shop', 11, [buildOf({ version: '1.0.1' }), buildOf()])
const sales = packageOf('Sales', 12)
const view = page.getByRole('region', { name: 'Exported packages' })

async function openView(): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Exported packages' }).click()
}

describe('Exported packages in the sidebar', () => {
  it(
    'each package in the sidebar is a card with versions, Download, Upload and Delete',
    holds('M2.40', 'M2.211', 'M2.212'),
    async () => {
      await servePackages(page, () => [sales, shop])
      await openView()
      await expectShown(card(page, 'Shop'))
      await expect.poll(() => cardNames(page)).toEqual(['Sales', 'Shop'])
      const buttons = card(page, 'Shop').getByRole('toolbar').getByRole('button')
      await expect
        .poll(() => buttons.evaluateAll(all => all.map(one => one.ariaLabel)))
        .toEqual(['Download', 'Upload', 'Delete'])
      await card(page, 'Shop').getByRole('combobox', { name: 'Version' }).click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['1.0.1', '1.0.0'])
      await page.getByRole('option', { name: '1.0.0' }).click()
      await expect.poll(() => card(page, 'Shop').getByRole('combobox', { name: 'Version' }).textContent()).toBe('1.0.0')
      await expectAccessible(page, 'packages-sidebar')
    },
  )

  it('Download of a package card downloads the chosen version', holds('M2.213'), async () => {
    await servePackages(page, () => [sales, shop])
    await page.route(/\/packages\/11\/download/, route =>
      route.fulfill({
        body: 'zip',
        headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="Shop.zip"' },
      }),
    )
    await openView()
    await card(page, 'Shop').getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: '1.0.0' }).click()
    const requested = page.waitForRequest(/\/packages\/11\/download/)
    const { name } = await captureDownload(page, () =>
      card(page, 'Shop').getByRole('button', { name: 'Download' }).click(),
    )
    expect(name).toBe('Shop.zip')
    expect(Object.fromEntries(new URL((await requested).url()).searchParams)).toEqual({
      version: '1.0.0',
      includePassword: 'false',
    })
    await expectShown(snackbar(page, 'Downloaded Shop.zip.'))
  })

  it('downloading a package with its password requires confirmation that names the risk', async () => {
    await servePackages(page, () => [shop])
    await openView()
    await card(page, 'Shop').click({ button: 'right' })
    await expectShown(page.getByRole('menuitem', { name: 'Download with password' }))
    await page.getByRole('menuitem', { name: 'Download with password' }).click()
    const confirmation = question(page, 'Download with password')
    await expectShown(
      confirmation.getByText(
        'The file contains the connection password and all secret properties in plain text. The audit log records the download.',
      ),
    )
    await press(confirmation, 'Cancel')
  })

  it('deleting a package version by mouse requires confirmation', holds('M2.215', 'M8.62', 'M8.66'), async () => {
    let left = [shop, sales]
    await servePackages(page, () => left)
    await page.route(/\/packages\/11\?version=1\.0\.1/, async route => {
      left = [packageOf('Shop', 11, [buildOf()]), sales]
      await route.fulfill({ json: { result: 'OK', message: '' } })
    })
    await openView()
    await card(page, 'Shop').getByRole('button', { name: 'Delete' }).click()
    const confirmation = question(page, 'Delete Package')
    await expectShown(confirmation.getByText('Do you really want to delete the package 1.0.1?', { exact: true }))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    await card(page, 'Shop').getByRole('button', { name: 'Delete' }).click()
    await press(question(page, 'Delete Package'), 'Delete')
    await expectShown(snackbar(page, 'Successfully deleted a package'))
    await expect.poll(() => card(page, 'Shop').getByRole('combobox', { name: 'Version' }).textContent()).toBe('1.0.0')
  })

  it('package cards are operated by keyboard and deleting one moves the focus to another card', async () => {
    let left = [sales, shop]
    await servePackages(page, () => left)
    await page.route(/\/packages\/11\?version=1\.0\.1/, async route => {
      left = [sales]
      await route.fulfill({ json: { result: 'OK', message: '' } })
    })
    await openView()
    await tabTo(page, card(page, 'Sales'))
    await keys(page, 'ArrowDown')
    await expect.poll(() => hasFocus(card(page, 'Shop'))).toBe(true)
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: /^Upload/ }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(card(page, 'Shop'))).toBe(true)
    await keys(page, 'Delete')
    await expectShown(question(page, 'Delete Package'))
    await tabTo(page, question(page, 'Delete Package').getByRole('button', { name: 'Delete' }))
    await keys(page, 'Enter')
    await card(page, 'Shop').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(card(page, 'Sales'))).toBe(true)
  })

  it('the palette offers the commands of the focused package card', async () => {
    await servePackages(page, () => [sales, shop])
    await openView()
    await card(page, 'Shop').focus()
    await keys(page, 'Control+k')
    await page.keyboard.type('Upload package')
    await keys(page, 'Enter')
    await expectShown(page.getByRole('dialog', { name: 'Upload Package' }).getByText('Shop 1.0.1', { exact: true }))
    await keys(page, 'Escape')
  })
})

describe('Build status', () => {
  it(
    'the build status is polled every five seconds only while a build is in progress',
    holds('M2.219', 'M2.220', 'M4.1', 'M4.2', 'M4.3'),
    async () => {
      let shown = packageOf('Shop', 11, [buildOf({ version: '1.0.2', status: 'PROCESSING', endedAt: '' })])
      const { page: own, context } = await openPage(journey.browser, journey.console.url, {
        signedInAs: journey.context,
      })
      await servePackages(own, () => [shown, sales])
      await own.clock.install()
      await own.goto('/')
      const view = own.getByRole('button', { name: 'Exported packages' })
      await expectShown(view)
      const calls = record(own)
      const statuses = () => calls.filter(({ url }) => url.includes('/packages/status'))
      // From here on only the test advances the clock.
      await own.clock.pauseAt((await own.evaluate(() => Date.now())) + 10_000)
      await view.click()
      const busy = card(own, 'Shop').getByRole('progressbar', { name: 'Loading Packages...' })
      const shownAfter = async (milliseconds: number) => {
        await own.clock.runFor(milliseconds)
        return busy.count()
      }
      await expect.poll(() => shownAfter(4), { interval: 1, timeout: 60_000 }).toBe(1)
      const download = card(own, 'Shop').getByRole('button', { name: 'Download' })
      await expect.poll(() => download.getAttribute('aria-busy')).toBe('true')
      await expect.poll(() => iconOf(download)).toBe('loader-circle')
      expect(statuses()).toEqual([])
      for (let time = 1; time <= 3; time++) {
        const answered = own.waitForResponse(/\/packages\/status/)
        for (let tick = 0; tick < 4; tick++) await own.clock.runFor(1200)
        expect(statuses()).toHaveLength(time - 1)
        await own.clock.runFor(200)
        await (await answered).finished()
        // Timers set by the response also depend on the test clock.
        for (let tick = 0; tick < 20; tick++) await own.clock.runFor(1)
        expect(statuses()).toHaveLength(time)
      }
      expect(new URL(statuses()[0]?.url ?? '').searchParams.get('packageIds')).toBe('11')
      shown = packageOf('Shop', 11, [buildOf({ version: '1.0.2' })])
      await expect.poll(() => shownAfter(100), { interval: 1, timeout: 60_000 }).toBe(0)
      await expect.poll(() => download.getAttribute('aria-busy')).toBe(null)
      await expect.poll(() => iconOf(download)).toBe('download')
      const last = statuses().length
      for (let second = 0; second < 15; second++) await own.clock.runFor(1000)
      expect(statuses()).toHaveLength(last)
      await context.close()
    },
  )

  it('a failed build shows its reason and cannot be uploaded', async () => {
    const reason = 'Order has no primary key: a package with an API requires one for every entity.'
    const failed = packageOf('Shop', 11, [buildOf({ version: '1.0.1', status: 'FAILED', reason }), buildOf()])
    await servePackages(page, () => [failed])
    await openView()
    await expectShown(card(page, 'Shop').getByRole('alert').getByText(reason))
    await card(page, 'Shop').click({ button: 'right' })
    const upload = page.getByRole('menuitem', { name: 'Upload' })
    await expect.poll(() => upload.textContent()).toBe('UploadThis version was not built.')
    await keys(page, 'Escape')
    await card(page, 'Shop').getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: '1.0.0', exact: true }).click()
    await card(page, 'Shop').getByRole('alert').waitFor({ state: 'detached' })
  })
})

describe('The lists of packages', () => {
  it('an empty package list shows the specified message and offers Build Package only for private packages', async () => {
    const { lists } = await servePackages(page, () => [])
    await openView()
    await expectShown(view.getByText('No exported Martini packages to display', { exact: true }))
    await view.getByRole('button', { name: 'Build Package' }).click()
    const wizard = dialog(page, 'Build Package')
    await expectShown(wizard)
    await press(wizard, 'Cancel')
    await wizard.waitFor({ state: 'detached' })
    await view.getByRole('switch', { name: 'Private Package' }).click()
    await expect.poll(() => lists.at(-1)?.searchParams.get('filter')).toBe('public')
    await view.getByRole('button', { name: 'Build Package' }).waitFor({ state: 'detached' })
  })

  it('the package list shows a loading status, then the message of a failed request, which Retry repeats', async () => {
    const list = /\/1\.0\/cdm\/packages\?/
    const message = 'The packages are not at home.'
    let isRefused = true
    await servePackages(page, () => [shop])
    await page.route(list, route => (isRefused ? route.fulfill({ status: 400, json: { message } }) : route.fallback()))
    const { release } = await hold(page, list, 'GET')
    await openView()
    await expectShown(view.getByRole('status', { name: 'Loading' }))
    release()
    await expectShown(view.getByText(message, { exact: true }))
    // The page may read the list by itself, too, which would remove the button.
    const releaseAll = await holdAll(page, list)
    isRefused = false
    await view.getByRole('button', { name: 'Retry' }).click()
    releaseAll()
    await expectShown(card(page, 'Shop'))
  })

  it('a long package name does not overflow its card', async () => {
    const long = 'warehouse-'.repeat(20)
    await servePackages(page, () => [packageOf(long, 13)])
    await openView()
    await expectShown(card(page, long))
    const widthOf = async (what: Locator) => (await what.boundingBox())?.width ?? 0
    await expect.poll(async () => (await widthOf(card(page, long))) <= (await widthOf(view))).toBe(true)
    await saveScreenshot(page, 'packages-long')
  })
})

describe('The page of the packages', () => {
  it('the packages page lists all packages, opens from the palette and requires sign-in', holds('M2.5'), async () => {
    await servePackages(page, () => [sales, shop])
    await page.goto('/packages')
    await expectShown(page.getByRole('heading', { level: 1, name: 'Packages' }))
    await expect.poll(() => cardNames(page)).toEqual(['Sales', 'Shop'])
    await page.getByRole('button', { name: 'Home' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await keys(page, 'Control+k')
    await page.keyboard.type('Packages')
    await page.getByRole('option', { name: 'Packages', exact: true }).click()
    await expectShown(page.getByRole('heading', { level: 1, name: 'Packages' }))
    await page.goBack()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    const visitor = await openPage(journey.browser, journey.console.url)
    await visitor.page.goto('/packages')
    await expectShown(visitor.page.getByRole('heading', { name: 'Sign in to Cadmus' }))
    await visitor.context.close()
  })

  it(
    'the packages page shows only the new package until View all is pressed',
    holds('M2.6', 'M2.217', 'M2.218'),
    async () => {
      const { lists } = await servePackages(page, () =>
        lists.at(-1)?.searchParams.has('manifestName') ? [shop] : [sales, shop],
      )
      await page.goto('/packages?new=Shop')
      const banner = page.getByRole('note')
      await expectShown(banner)
      await expect
        .poll(() => banner.textContent())
        .toBe('You are currently viewing the new exported Martini package. View all')
      await expect.poll(() => cardNames(page)).toEqual(['Shop'])
      expect(lists.at(-1)?.searchParams.get('manifestName')).toBe('Shop')
      await expectAccessible(page, 'packages-new')
      await banner.getByRole('button', { name: 'View all' }).click()
      await expect.poll(() => cardNames(page)).toEqual(['Sales', 'Shop'])
      await expect.poll(() => page.getByText('You are currently viewing').count()).toBe(0)
      await expect.poll(() => new URL(page.url()).search).toBe('')
    },
  )

  it('the address of a new package that does not exist says so and offers all packages', async () => {
    const { lists } = await servePackages(page, () => (lists.at(-1)?.searchParams.has('manifestName') ? [] : [shop]))
    await page.goto('/packages?new=Nothing')
    await expectShown(page.getByText('There is no package of a manifest named "Nothing".'))
    await expect.poll(() => page.getByText('You are currently viewing').count()).toBe(0)
    await page.getByRole('button', { name: 'View all' }).click()
    await expect.poll(() => cardNames(page)).toEqual(['Shop'])
  })

  it('the page reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
