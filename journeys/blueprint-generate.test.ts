import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import {
  expectStep,
  chooseManifest,
  openBlueprint,
  advanceToDatabase,
  advanceToPackage,
  advanceToTarget,
} from './driver/blueprint.ts'
import { switchTheme, startJourneyWithInstance, saveScreenshot } from './driver/journey.ts'
import { hold, record, refuse } from './driver/document.ts'
import { card, cardNames, expectBuilt } from './driver/packages.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, captureDownload, expectShown, pick, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const { page, console: server } = await startJourneyWithInstance()
const { instance } = server

afterEach(async () => {
  const open = dialog(page, 'Build Package')
  if ((await open.count()) > 0) await press(open, 'Cancel')
})

/** Advances the wizard to the summary of a new package. */
async function toSummary(name: string, publishing = false, apis: readonly string[] = ['REST']): Promise<Locator> {
  const open = await advanceToPackage(page, publishing ? { instance: 'local', apis } : { apis })
  await open.getByRole('textbox', { name: 'Package name' }).fill(name)
  await press(open, 'Next')
  await expectStep(open, 'Summary')
  return open
}

/** The entries of the summary by their labels. */
async function readSummary(open: Locator): Promise<Record<string, string>> {
  const pairs = await open
    .locator('dl > div')
    .evaluateAll(all => all.map(one => [...one.children].map(part => part.textContent ?? '')))
  return Object.fromEntries(pairs)
}

describe('the summary', () => {
  it('lists every choice except the password', holds('M2.197', 'M2.198', 'M4.24'), async () => {
    const open = await toSummary('named', true)
    await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.0')
    await expect
      .poll(() => readSummary(open))
      .toMatchObject({
        Manifest: 'Shop',
        'Publish / Export': 'Publish',
        Instance: `local (${instance.url})`,
        'API types': 'REST',
        'Database connection':
          "New database, MySQL, shop, jdbc:mysql://localhost:3306/shop?sessionVariables=sql_mode='ANSI', user shop, with a password",
        'Schema configuration': 'Apply Auto-Increment',
        'Package name': 'named',
      })
    await expect.poll(() => open.textContent()).not.toContain('a secret')
    await expect
      .poll(() => open.locator('footer').getByRole('button').allTextContents())
      .toEqual(['Cancel', 'Back', 'Generate'])
  })

  it('describes the embedded database of the instance without its URL', async () => {
    const open = await advanceToDatabase(page, { instance: 'local' })
    await open.getByRole('radio', { name: 'Existing database' }).click()
    await pick(page, open, 'Existing database', 'embedded')
    for (const step of ['Connection Details', 'SQL Configuration', 'Package']) {
      await press(open, 'Next')
      await expectStep(open, step)
    }
    await open.getByRole('textbox', { name: 'Package name' }).fill('there')
    await press(open, 'Next')
    await expectShown(open.getByText("The instance's embedded database", { exact: true }))
    await expect.poll(() => open.getByText(/toroesb/).count()).toBe(0)
  })
})

describe('Generate for an export', () => {
  it(
    'builds the package, reports success and lists it under the exported packages',
    holds('M1.11', 'M2.184', 'M3.78', 'M3.82', 'M4.25', 'M4.31', 'M4.32', 'M4.34', 'M4.37', 'M4.39', 'M7.67', 'M8.45'),
    async () => {
      const open = await toSummary('exported')
      // The summary has sent its own requests by then.
      await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.0')
      const calls = record(page)
      await press(open, 'Generate')
      await expectBuilt(page, 'exported')
      await open.waitFor({ state: 'detached' })
      await expectShown(page.getByRole('button', { name: 'Exported packages', pressed: true }))
      await expectShown(page.getByRole('heading', { name: 'exported' }))
      const built = calls.findIndex(({ method, url }) => method === 'POST' && /\/manifest\/\d+\/build/.test(url))
      const listed = calls.slice(0, built).filter(({ url }) => url.includes('/cdm/packages?'))
      const searches = listed.map(({ method, url }) => [method, new URL(url).searchParams.get('search')])
      expect(searches).toContainEqual(['GET', 'exported'])
      expect(JSON.parse(calls[built]?.body ?? '')).toMatchObject({
        publishAs: 'PACKAGE',
        customPackageName: 'exported',
        version: '1.0.0',
        customBuild: true,
      })
      expect(calls.filter(({ url }) => url.includes('/upload'))).toEqual([])
      const download = card(page, 'exported').getByRole('button', { name: 'Download', exact: true })
      const { name, bytes } = await captureDownload(page, () => download.click())
      expect(name).toBe('Shop.zip')
      expect([...readArchive(bytes).keys()]).toContain('exported/conf/package.xml')
      await chooseManifest(page, await openBlueprint(page), 'Shop')
    },
  )

  it('a second build increments the patch version', holds('M4.33'), async () => {
    const open = await toSummary('exported')
    await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.1')
    await press(open, 'Generate')
    await expectBuilt(page, 'exported')
    await open.waitFor({ state: 'detached' })
  })

  it('lists breaking changes since the last build and offers the next major version', async () => {
    const open = await toSummary('exported', false, ['SOAP'])
    const note = open.getByRole('note').filter({ hasText: 'These changes break callers of the last build:' })
    await expectShown(note.getByText('REST is no longer served.', { exact: true }))
    await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.2')
    await expectAccessible(page, 'blueprint-breaks')
    await press(open, 'Build as 2.0.0')
    await note.waitFor({ state: 'detached' })
    expect((await readSummary(open))['Version']).toBe('2.0.0')
    await press(open, 'Generate')
    await expectBuilt(page, 'exported')
    await open.waitFor({ state: 'detached' })
    const same = await toSummary('exported', false, ['SOAP'])
    await expect.poll(async () => (await readSummary(same))['Version']).toBe('2.0.1')
    await expect.poll(() => note.count()).toBe(0)
  })

  it(
    'Back is disabled during a build, and Cancel closes the wizard while the build continues',
    holds('M2.197', 'M2.200', 'M3.78'),
    async () => {
      const open = await toSummary('left', false, ['Database Schema'])
      const { Instance, ...summary } = await readSummary(open)
      expect(Instance).toBeUndefined()
      expect(summary).toMatchObject({
        'Publish / Export': 'Export',
        'API types': 'None',
        'Schema/model': 'Database Schema',
        'Package name': 'left',
      })
      const sent = page.waitForRequest(one => one.method() === 'POST' && /\/manifest\/\d+\/build/.test(one.url()))
      const { requested, release } = await hold(page, /\/manifest\/\d+\/build/, 'POST')
      await press(open, 'Generate')
      await requested
      expect((await sent).postDataJSON()).toMatchObject({ publishAs: 'DB_STRUCTURE', customPackageName: 'left' })
      await expectShown(open.getByRole('progressbar', { name: 'Building left…' }))
      await expect.poll(() => open.getByRole('button', { name: 'Back', exact: true }).isDisabled()).toBe(true)
      await press(open, 'Cancel')
      await press(question(page, 'Leave before it has finished?'), 'Leave')
      await expectShown(
        snackbar(page, "The build of 'left' continues. Its package will be listed in the exported packages."),
      )
      release()
    },
  )

  it(
    'a failed build shows its reason, and the next build is the only package shown',
    holds('M2.217', 'M8.5', 'M4.38'),
    async () => {
      const open = await toSummary('refused')
      await refuse(page, 'POST', /\/manifest\/\d+\/build/, 'Too many builds are waiting.')
      await press(open, 'Generate')
      await expectShown(snackbar(page, 'Failed to build manifest - Too many builds are waiting. Please try again.'))
      await expectStep(open, 'Summary')
      await page.unrouteAll()
      await press(open, 'Generate')
      await expectBuilt(page, 'refused')
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => cardNames(page)).toEqual(['refused'])
      const banner = page.getByRole('note').filter({ has: page.getByRole('button', { name: 'View all' }) })
      await expect
        .poll(() => banner.textContent())
        .toBe('You are currently viewing the new exported Martini package. View all')
      await press(banner, 'View all')
      await expect.poll(() => cardNames(page)).toContain('exported')
    },
  )
})

it('a build that fails after it was accepted shows its reason', holds('M8.5'), async () => {
  const open = await toSummary('halfway')
  const reason = 'Order has no primary key.'
  await page.route(/\/packages\/status/, async route => {
    const id = Number(new URL(route.request().url()).searchParams.get('packageIds'))
    await route.fulfill({ json: { result: 'OK', message: '', packages: [{ id, status: 'FAILED', reason }] } })
  })
  await press(open, 'Generate')
  await expectShown(snackbar(page, 'Failed to build manifest - Order has no primary key. Please try again.'))
  await expectShown(open.getByRole('alert').getByText(reason, { exact: true }))
  await expectStep(open, 'Summary')
})

describe('Generate for an instance', () => {
  it(
    'builds the package, then uploads it with the state loaded',
    holds('M4.35', 'M4.36', 'M4.39', 'M8.46'),
    async () => {
      const open = await toSummary('published', true)
      const sent = page.waitForRequest(/\/packages\/published\/upload/)
      await press(open, 'Generate')
      await expectBuilt(page, 'published')
      await expectShown(snackbar(page, "Package 'published' successfully published"))
      await open.waitFor({ state: 'detached' })
      expect((await sent).postDataJSON()).toEqual({ instanceUrl: instance.url, version: '1.0.0', state: 'LOADED' })
      await expect
        .poll(() => installedPackages())
        .toContainEqual(expect.objectContaining({ name: 'published', version: '1.0.0', status: 'LOADED' }))
      await chooseManifest(page, await openBlueprint(page), 'Shop')
    },
  )

  it('the package card shows its instance, starts the package and links to the API explorer', async () => {
    await page.goto('/packages')
    const own = card(page, 'published')
    await expectShown(own.getByText('Loaded on local 1.0.0', { exact: true }))
    await expect.poll(() => own.getByRole('link', { name: 'API explorer' }).count()).toBe(0)
    await refuse(page, 'POST', /\/packages\/published\/upload/, 'Its database is away.')
    const start = own.getByRole('button', { name: 'Start on local' })
    await start.click()
    await expectShown(snackbar(page, 'Failed to start package: Its database is away.'))
    await page.unrouteAll()
    const list = /\/1\.0\/cdm\/instance\/packages$/
    const items = [{ id: 'published', name: 'published', versions: ['1.0.0'], status: 'STARTED' }]
    await page.route(list, route => route.fulfill({ json: { result: 'OK', message: '', items } }))
    await page.route(/\/packages\/published\/upload/, route =>
      route.fulfill({ json: { result: 'Ok', message: 'It is started.', status: 'STARTED' } }),
    )
    await start.click()
    await expectShown(snackbar(page, 'It is started.'))
    await expectShown(own.getByText('Started on local 1.0.0', { exact: true }))
    await expect
      .poll(() => own.getByRole('link', { name: 'API explorer' }).getAttribute('href'))
      .toBe(`${instance.url}/api-explorer?package=published`)
    await expect.poll(() => start.count()).toBe(0)
    for (const theme of ['light', 'dark'] as const) {
      await switchTheme(page, theme)
      for (const width of [1440, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await saveScreenshot(page, `packages-run-${theme}-${width}`)
      }
    }
    await switchTheme(page, 'light')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.unrouteAll()
    const message = 'local could not be reached.'
    await page.route(list, route => route.fulfill({ status: 409, json: { message, code: 'instance_unreachable' } }))
    await page.reload()
    await expectShown(page.getByRole('alert').getByText(`The packages on local could not be read. ${message}`))
    await saveScreenshot(page, 'packages-run-unread')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry: local' }).click()
    await expectShown(own.getByText('Loaded on local 1.0.0', { exact: true }))
    await page.goto('/')
  })

  it('the summary warns that publishing replaces a package of the same name', async () => {
    const open = await toSummary('published', true)
    await expectShown(open.getByText(`${instance.url} has a package 'published': publishing replaces it.`))
  })

  it('replacing a package requires confirmation, and Cancel builds and uploads nothing', holds('M8.67'), async () => {
    const open = await toSummary('published', true)
    const calls = record(page)
    await press(open, 'Generate')
    const confirmation = question(page, 'Upload Package')
    await expectShown(
      confirmation.getByText(
        'The manifest being uploaded already exists, this will be override the following package. Do you wish to proceeed',
        { exact: true },
      ),
    )
    await expectShown(confirmation.getByText('published 1.0.0 (loaded)', { exact: true }))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    await expectStep(open, 'Summary')
    expect(calls.filter(({ url }) => /\/build|\/upload/.test(url))).toEqual([])
    await press(open, 'Generate')
    await press(question(page, 'Upload Package'), 'Proceed')
    await expectBuilt(page, 'published')
    await expectShown(snackbar(page, "Package 'published' successfully published"))
    await open.waitFor({ state: 'detached' })
    await expect
      .poll(() => installedPackages())
      .toContainEqual(expect.objectContaining({ name: 'published', version: '1.0.1' }))
  })

  it('retrying after a failed upload does not build again', async () => {
    const open = await toSummary('again', true)
    await refuse(page, 'POST', /\/packages\/again\/upload/, 'The instance could not be reached.')
    const calls = record(page)
    await press(open, 'Generate')
    await expectBuilt(page, 'again')
    await expectShown(snackbar(page, 'Failed to publish package. Please try again.'))
    await expectShown(open.getByText('The instance could not be reached.', { exact: true }))
    await expectStep(open, 'Summary')
    await page.unrouteAll()
    // The warning of an instance whose records violate the new version.
    const warning = "Its start would be refused: 'phone' of 'Customer' is required."
    await page.route(/\/packages\/again\/upload/, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), warnings: [warning] } })
    })
    await press(open, 'Generate')
    await expectShown(snackbar(page, `Package 'again' successfully published. ${warning}`))
    await open.waitFor({ state: 'detached' })
    expect(calls.filter(({ method, url }) => method === 'POST' && /\/manifest\/\d+\/build/.test(url))).toHaveLength(1)
  })

  it('a failed start of a published package shows its reason and can be retried', async () => {
    const open = await toSummary('halted', true)
    await press(open, 'Generate')
    await expectBuilt(page, 'halted')
    await expectShown(snackbar(page, "Package 'halted' successfully published"))
    await refuse(page, 'POST', /\/packages\/halted\/upload/, 'The database of the package could not be reached.')
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }).last().click()
    await expectShown(snackbar(page, 'Failed to start package: The database of the package could not be reached.'))
    // The start can be retried.
    const again = page.waitForRequest(/\/packages\/halted\/upload/)
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }).last().click()
    expect((await again).postDataJSON()).toMatchObject({ version: '1.0.0', state: 'STARTED' })
    await page.unrouteAll()
  })

  it('Escape after choices were made requires confirmation', async () => {
    const open = await advanceToTarget(page)
    await keys(page, 'Escape')
    await expectShown(question(page, 'Leave without saving?'))
    await question(page, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click()
    await open.waitFor({ state: 'detached' })
  })

  it('an instance that stops before the upload shows an error', holds('M2.200', 'M8.4'), async () => {
    const failed = snackbar(page, 'Failed to publish package. Please try again.')
    const reason = `${new URL(instance.url).host} could not be reached.`
    const open = await toSummary('stopped', true)
    const { requested, release } = await hold(page, /\/packages\/stopped\/upload/, 'POST')
    await press(open, 'Generate')
    await expectBuilt(page, 'stopped')
    await requested
    await expect.poll(() => open.getByRole('button', { name: 'Back', exact: true }).isDisabled()).toBe(true)
    await instance.stop()
    release()
    await expectShown(failed)
    await expectShown(open.getByRole('alert').getByText(reason, { exact: true }))
    await expectStep(open, 'Summary')
  })
})

/** The packages that the instance reports. */
async function installedPackages(): Promise<unknown[]> {
  const answer = await instance.manage('GET', '/esbapi/packages')
  const { items }: { items: unknown[] } = await answer.json()
  return items
}
