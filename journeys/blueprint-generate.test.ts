import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { violations } from './driver/axe.ts'
import { expectStep, advanceToPackage, cancelBlueprint } from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, record, refuse } from './driver/document.ts'
import { card, cardNames, expectBuilt } from './driver/packages.ts'
import { captureDownload, expectShown, holdMessages, press, question, snackbar } from './driver/widgets.ts'

const { page, console: server } = await startJourneyWithInstance()
const { instance } = server

afterEach(() => cancelBlueprint(page))

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

describe('Generate for an export', () => {
  it(
    'failed builds show their reasons; Back is disabled during a build, and Cancel closes the wizard while it continues',
    holds('M2.197', 'M2.200', 'M3.78', 'M8.5'),
    async () => {
      const open = await toSummary('left', false, ['Database Schema'])
      await expect
        .poll(() => readSummary(open))
        .toMatchObject({
          'Publish / Export': 'Export',
          'API types': 'None',
          'Schema/model': 'Database Schema',
          'Package name': 'left',
        })
      await expect.poll(async () => Object.keys(await readSummary(open))).not.toContain('Instance')
      await refuse(page, 'POST', /\/manifest\/\d+\/build/, 'Too many builds are waiting.')
      await press(open, 'Generate')
      await expectShown(snackbar(page, 'Failed to build manifest - Too many builds are waiting. Please try again.'))
      await expectStep(open, 'Summary')
      await page.unrouteAll()

      // A build that fails after it was accepted.
      await page.route(/\/manifest\/\d+\/build/, route =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { result: 'OK', message: '', packageId: 1, packageName: 'left', version: '1.0.0' } })
          : route.fallback(),
      )
      const reason = 'Order has no primary key.'
      await page.route(/\/packages\/status/, async route => {
        const id = Number(new URL(route.request().url()).searchParams.get('packageIds'))
        await route.fulfill({ json: { result: 'OK', message: '', packages: [{ id, status: 'FAILED', reason }] } })
      })
      await press(open, 'Generate')
      await expectShown(snackbar(page, 'Failed to build manifest - Order has no primary key. Please try again.'))
      await expectShown(open.getByRole('alert').getByText(reason, { exact: true }))
      await expectStep(open, 'Summary')
      await page.unrouteAll()

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
      await open.waitFor({ state: 'detached' })
      release()
    },
  )

  it(
    'builds the package, reports success and shows it as the only one of the exported packages',
    holds(
      'M1.11',
      'M2.184',
      'M2.217',
      'M3.78',
      'M3.82',
      'M4.25',
      'M4.31',
      'M4.32',
      'M4.34',
      'M4.37',
      'M4.38',
      'M4.39',
      'M7.67',
      'M8.45',
    ),
    async () => {
      const open = await toSummary('exported')
      // The summary has sent its own requests by then.
      await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.0')
      const calls = record(page)
      await press(open, 'Generate')
      await expectBuilt(page, 'exported')
      await open.waitFor({ state: 'detached' })
      await expectShown(page.getByRole('button', { name: 'Exported packages', pressed: true }))
      await expect.poll(() => cardNames(page)).toEqual(['exported'])
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
      const banner = page.getByRole('note').filter({ has: page.getByRole('button', { name: 'View all' }) })
      await expect
        .poll(() => banner.textContent())
        .toBe('You are currently viewing the new exported Martini package. View all')
      await press(banner, 'View all')
      await expect.poll(() => cardNames(page)).toContain('left')
    },
  )

  it(
    'a second build proposes the next patch version, lists breaking changes and offers the next major version',
    holds('M4.33'),
    async () => {
      const open = await toSummary('exported', false, ['SOAP'])
      const note = open.getByRole('note').filter({ hasText: 'These changes break callers of the last build:' })
      await expectShown(note.getByText('REST is no longer served.', { exact: true }))
      await expect.poll(async () => (await readSummary(open))['Version']).toBe('1.0.1')
      expect(await violations(page)).toEqual([])
      await press(open, 'Build as 2.0.0')
      await note.waitFor({ state: 'detached' })
      await expect.poll(async () => (await readSummary(open))['Version']).toBe('2.0.0')
      await press(open, 'Generate')
      await expectBuilt(page, 'exported')
      await expect
        .poll(() => card(page, 'exported').getByRole('combobox', { name: 'Version' }).textContent())
        .toBe('2.0.0')
    },
  )
})

describe('Generate for an instance', () => {
  it(
    'the summary lists every choice except the password; the package is built, then uploaded with the state loaded',
    holds('M2.197', 'M2.198', 'M4.24', 'M4.35', 'M4.36', 'M4.39', 'M8.46'),
    async () => {
      const open = await toSummary('published', true)
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
          'Package name': 'published',
        })
      await expect.poll(() => open.textContent()).not.toContain('a secret')
      await expect
        .poll(() => open.locator('footer').getByRole('button').allTextContents())
        .toEqual(['Cancel', 'Back', 'Generate'])
      const sent = page.waitForRequest(/\/packages\/published\/upload/)
      await press(open, 'Generate')
      await expectBuilt(page, 'published')
      await expectShown(snackbar(page, "Package 'published' successfully published"))
      await open.waitFor({ state: 'detached' })
      expect((await sent).postDataJSON()).toEqual({ instanceUrl: instance.url, version: '1.0.0', state: 'LOADED' })
      await expect
        .poll(() => installedPackages())
        .toContainEqual(expect.objectContaining({ name: 'published', version: '1.0.0', status: 'LOADED' }))
    },
  )

  it(
    'publishing over a package of the same name warns and requires confirmation, and Cancel builds and uploads nothing',
    holds('M8.67'),
    async () => {
      const open = await toSummary('published', true)
      await expectShown(open.getByText(`${instance.url} has a package 'published': publishing replaces it.`))
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
    },
  )

  it(
    'a failed upload is retried without another build, and a failed start shows its reason and can be retried',
    holds('M8.4'),
    async () => {
      const open = await toSummary('again', true)
      await refuse(page, 'POST', /\/packages\/again\/upload/, 'The instance could not be reached.')
      const calls = record(page)
      await press(open, 'Generate')
      await expectBuilt(page, 'again')
      await expectShown(snackbar(page, 'Failed to publish package. Please try again.'))
      await expectShown(open.getByRole('alert').getByText('The instance could not be reached.', { exact: true }))
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
      await holdMessages(page)
      await open.waitFor({ state: 'detached' })
      expect(calls.filter(({ method, url }) => method === 'POST' && /\/manifest\/\d+\/build/.test(url))).toHaveLength(1)
      await page.unrouteAll()

      await refuse(page, 'POST', /\/packages\/again\/upload/, 'The database of the package could not be reached.')
      const start = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }).last()
      await start.click()
      await expectShown(snackbar(page, 'Failed to start package: The database of the package could not be reached.'))
      const retried = page.waitForRequest(/\/packages\/again\/upload/)
      await start.click()
      expect((await retried).postDataJSON()).toMatchObject({ version: '1.0.0', state: 'STARTED' })
    },
  )

  it('the package card shows its instance, starts the package and links to the API explorer', async () => {
    const list = /\/1\.0\/cdm\/instance\/packages$/
    const message = 'local could not be reached.'
    await page.route(list, route => route.fulfill({ status: 409, json: { message, code: 'instance_unreachable' } }))
    await page.goto('/packages')
    await expectShown(page.getByRole('alert').getByText(`The packages on local could not be read. ${message}`))
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry: local' }).click()
    const own = card(page, 'published')
    await expectShown(own.getByText('Loaded on local 1.0.1', { exact: true }))
    await expect.poll(() => own.getByRole('link', { name: 'API explorer' }).count()).toBe(0)
    await refuse(page, 'POST', /\/packages\/published\/upload/, 'Its database is away.')
    const start = own.getByRole('button', { name: 'Start on local' })
    await start.click()
    await expectShown(snackbar(page, 'Failed to start package: Its database is away.'))
    await page.unrouteAll()
    const items = [{ id: 'published', name: 'published', versions: ['1.0.1'], status: 'STARTED' }]
    await page.route(list, route => route.fulfill({ json: { result: 'OK', message: '', items } }))
    await page.route(/\/packages\/published\/upload/, route =>
      route.fulfill({ json: { result: 'Ok', message: 'It is started.', status: 'STARTED' } }),
    )
    await start.click()
    await expectShown(snackbar(page, 'It is started.'))
    await expectShown(own.getByText('Started on local 1.0.1', { exact: true }))
    await expect
      .poll(() => own.getByRole('link', { name: 'API explorer' }).getAttribute('href'))
      .toBe(`${instance.url}/api-explorer?package=published`)
    await expect.poll(() => start.count()).toBe(0)
  })
})

/** The packages that the instance reports. */
async function installedPackages(): Promise<unknown[]> {
  const answer = await instance.manage('GET', '/esbapi/packages')
  const { items }: { items: unknown[] } = await answer.json()
  return items
}
