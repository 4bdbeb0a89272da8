import { limits } from '@cadmus/model/limits'
import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violations } from './driver/axe.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, send } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectLeaveConfirmation } from './driver/leave-dialog.ts'
import { card, packageOf, servePackages } from './driver/packages.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const { page, complaints, console: server } = await startJourneyWithInstance({ fresh: true })
const open = dialog(page, 'Upload Package')
const instance = open.getByRole('combobox', { name: 'Instance' })
const upload = open.getByRole('button', { name: 'Upload', exact: true })
const hosted = {
  id: 'local',
  name: 'local',
  path: 'http://localhost:4100',
  hostname: 'localhost',
  url: 'http://localhost:4100',
}

type InstalledPackage = { name: string; versions: string[]; status: string; runningVersion?: string }

/** Stubs one hosted instance; every instance has the given packages and accepts each upload. Returns the recorded requests. */
async function serveInstances(
  there: readonly InstalledPackage[] = [],
): Promise<{ packageRequests: unknown[]; uploads: unknown[]; searches: string[] }> {
  const packageRequests: unknown[] = []
  const uploads: unknown[] = []
  const searches: string[] = []
  const ok = { result: 'OK', message: '' }
  await servePackages(page, () => [packageOf('Shop', 11)])
  await page.route(/\/1\.0\/cdm\/workspaces/, (route, request) => {
    const search = new URL(request.url()).searchParams.get('search') ?? ''
    searches.push(search)
    const items = 'local'.includes(search) ? [hosted] : []
    return route.fulfill({ json: { ...ok, items, totalElements: items.length, size: 20, page: 0 } })
  })
  await page.route(/\/1\.0\/cdm\/instance\/packages/, (route, request) => {
    packageRequests.push(request.postDataJSON())
    return route.fulfill({ json: { ...ok, items: there.map(one => ({ id: one.name, ...one })) } })
  })
  await page.route(/\/1\.0\/cdm\/packages\/Shop\/upload/, (route, request) => {
    const body: { state: string } = request.postDataJSON()
    uploads.push(body)
    const message = `Package 'Shop' 1.0.0 is ${body.state.toLowerCase()}.`
    return route.fulfill({ json: { result: 'Ok', message, status: body.state } })
  })
  return { packageRequests, uploads, searches }
}

async function openUpload(): Promise<Locator> {
  if (new URL(page.url()).pathname !== '/packages') await page.goto('/packages')
  // By keyboard: the button moves when the instance answers what it runs.
  await card(page, 'Shop').getByRole('button', { name: 'Upload' }).press('Enter')
  await expectShown(open)
  return open
}

describe('Upload Package', () => {
  it(
    'Upload Package offers the hosted instances, defaults to Loaded and reports the result',
    holds('M2.214', 'M2.222', 'M2.223', 'M3.65', 'M4.71', 'M5.19'),
    async () => {
      const { packageRequests, uploads } = await serveInstances()
      await openUpload()
      await expect.poll(() => upload.isDisabled()).toBe(true)
      for (const state of ['Loaded', 'Started'])
        await expect.poll(() => open.getByText(state, { exact: true }).isVisible()).toBe(true)
      await expect.poll(() => open.getByRole('switch', { name: 'Started' }).isChecked()).toBe(false)
      await instance.click()
      await page.getByRole('option', { name: /^local/ }).click()
      await expect.poll(() => instance.inputValue()).toBe('http://localhost:4100')
      // A hosted instance requires no password.
      await expect.poll(() => open.getByLabel('User name', { exact: true }).count()).toBe(0)
      await press(open, 'Upload')
      await expectShown(snackbar(page, "Package 'Shop' 1.0.0 is loaded."))
      await open.waitFor({ state: 'detached' })
      // The cards request the running packages, the dialog the packages it would replace.
      expect(packageRequests.length).toBeGreaterThan(1)
      for (const body of packageRequests) expect(body).toEqual({ instanceUrl: 'http://localhost:4100' })
      expect(uploads).toEqual([{ instanceUrl: 'http://localhost:4100', version: '1.0.0', state: 'LOADED' }])
    },
  )

  it(
    'an instance by address is reached by keyboard alone, with a token that is never stored, and starts the package',
    holds('M2.222', 'M4.72', 'M5.17'),
    async () => {
      const { uploads } = await serveInstances()
      await tabTo(page, card(page, 'Shop'))
      await keys(page, 'Shift+F10')
      const line = page.getByRole('menuitem', { name: 'Upload' })
      await tabTo(page, line, 'ArrowDown')
      await keys(page, 'Enter')
      await expect.poll(() => hasFocus(instance)).toBe(true)
      await page.keyboard.type('host.test')
      await tabTo(page, open.getByRole('button', { name: 'Token' }))
      await expect.poll(() => instance.inputValue()).toBe('https://host.test')
      await keys(page, 'Enter')
      await tabTo(page, open.getByLabel('Token', { exact: true }))
      await page.keyboard.type('a-token')
      await tabTo(page, open.getByRole('switch', { name: 'Started' }))
      await keys(page, 'Space')
      await expectAccessible(page, 'upload')
      await tabTo(page, upload)
      await keys(page, 'Enter')
      await expectShown(snackbar(page, "Package 'Shop' 1.0.0 is started."))
      await open.waitFor({ state: 'detached' })
      expect(uploads).toEqual([
        { instanceUrl: 'https://host.test', version: '1.0.0', state: 'STARTED', token: 'a-token' },
      ])
      const storage = await page.evaluate(
        () => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
      )
      expect(storage).not.toContain('a-token')
      expect(complaints).toEqual([])
    },
  )

  it(
    'Upload Package rejects an empty or invalid URL, shows the reason of a failure and does not lose the input',
    holds('M5.15', 'M5.16', 'M5.18', 'M5.20', 'M8.9'),
    async () => {
      await serveInstances()
      await openUpload()
      await instance.focus()
      await instance.blur()
      await expectShown(open.getByText('You must select an instance', { exact: true }))
      await instance.fill('ftp://x')
      await expectShown(open.getByText('Must be a valid HTTP URL', { exact: true }))
      await expect.poll(() => upload.isDisabled()).toBe(true)
      await instance.fill('http://localhost:4100')
      await open.getByText('Must be a valid HTTP URL').waitFor({ state: 'detached' })
      const message = 'http://localhost:4100 could not be reached.'
      await page.route(/\/instance\/packages/, route =>
        route.fulfill({ status: 409, json: { message, code: 'instance_unreachable' } }),
      )
      await press(open, 'Upload')
      await expectShown(snackbar(page, `Failed to upload package: ${message}`))
      await expectShown(open.getByRole('alert').getByText(message, { exact: true }))
      await expect.poll(() => instance.inputValue()).toBe('http://localhost:4100')
      await instance.focus()
      await expectLeaveConfirmation(page, open, instance)
    },
  )

  it('replacing a package requires confirmation that names the existing versions', holds('M8.67'), async () => {
    const shop = { name: 'Shop', versions: ['0.9.0'], status: 'START_FAILED', runningVersion: '0.8.0' }
    const { uploads } = await serveInstances([shop])
    await openUpload()
    await instance.fill('http://localhost:4100')
    await press(open, 'Upload')
    const confirmation = question(page, 'Upload Package')
    await expectShown(
      confirmation.getByText(
        'The manifest being uploaded already exists, this will be override the following package. Do you wish to proceeed',
      ),
    )
    // Both versions are listed if the running version differs from the last loaded one.
    await expectShown(confirmation.getByText('Shop 0.9.0 (start failed)'))
    await expectShown(confirmation.getByText('Shop 0.8.0 (serves requests)'))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    expect(uploads).toEqual([])
    await press(open, 'Upload')
    await press(question(page, 'Upload Package'), 'Proceed')
    await expectShown(snackbar(page, "Package 'Shop' 1.0.0 is loaded."))
    await open.waitFor({ state: 'detached' })
    expect(uploads).toHaveLength(1)
  })

  it(
    'an instance is searched by the last typed name only, which aborts the previous search',
    holds('M7.74'),
    async () => {
      const { searches } = await serveInstances()
      await openUpload()
      await instance.focus()
      // One task types all letters, so that a slow machine cannot search between two of them.
      await page.evaluate(() => {
        for (const letter of 'loc') document.execCommand('insertText', false, letter)
      })
      const option = page.getByRole('option', { name: /^local/ })
      await expectShown(option)
      await expect.poll(() => searches.filter(text => text !== '')).toEqual(['loc'])
      const isHeld = (url: string) => new URL(url).searchParams.get('search') === 'loca'
      await page.route(/\/1\.0\/cdm\/workspaces/, async (route, request) => {
        if (!isHeld(request.url())) await route.fallback()
      })
      const requested = page.waitForRequest(request => isHeld(request.url()))
      await instance.press('a')
      await requested
      const [aborted] = await Promise.all([
        page.waitForEvent('requestfailed', request => isHeld(request.url())),
        instance.press('l'),
      ])
      expect(aborted.failure()?.errorText).toBe('net::ERR_ABORTED')
      await expectShown(option)
      await keys(page, 'Escape')
      await press(open, 'Cancel')
    },
  )

  // Must be the last test that uses this page load, because it replaces the clock.
  it(
    'Upload reports an instance that does not answer, Cancel stops waiting, and a second press is ignored',
    holds('M5.21'),
    async () => {
      const { uploads } = await serveInstances()
      await page.goto('/packages')
      await openUpload()
      // The request of the card is answered, so the next one is sent by the dialog.
      await page.getByText('Not on any hosted instance.').waitFor()
      await instance.fill('http://localhost:4100')
      const list = await hold(page, /\/instance\/packages/, 'POST')
      await page.clock.install()
      await press(open, 'Upload')
      await list.requested
      await page.clock.runFor(limits.outgoingNoticeDelay)
      await expectShown(
        open.getByText(
          'The instance has not answered yet. Each request times out after 30 seconds; Cancel does not wait for it.',
        ),
      )
      await open.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expectShown(upload.and(open.locator(':not([aria-disabled])')))
      list.release()
      expect(uploads).toEqual([])
      const { requested, release } = await hold(page, /\/packages\/Shop\/upload/, 'POST')
      await press(open, 'Upload')
      await requested
      await expect.poll(() => upload.getAttribute('aria-disabled')).toBe('true')
      await expectShown(open.getByRole('progressbar', { name: 'Uploading Shop 1.0.0 to http://localhost:4100' }))
      await upload.click({ force: true })
      release()
      await open.waitFor({ state: 'detached' })
      expect(uploads).toHaveLength(1)
      await page.clock.resume()
    },
  )
})

const api = apiOf(page)

const lossDialog = question(page, 'Data would be lost')
const secondConfirmation = question(page, 'Lose this data?')

async function client(init?: RequestInit): Promise<unknown> {
  return (await fetch(`${server.instance.url}/api/crm/1.0/client`, init)).json()
}

/** Builds a version and waits until it is listed, so that the page needs no further request for it. */
async function build(version: string): Promise<void> {
  const id = await api.manifestNamed('Crm')
  await send(page, 'POST', `/1.0/cdm/manifest/${id}/build`, {
    customPackageName: 'crm',
    manifestProperties: [
      {
        manifestName: 'Crm',
        packageProperties: { connectionPoolInfo: { type: 'HSQL', url: '', databaseName: 'embedded' } },
        configurationBuild: { apiConfiguration: { type: ['REST'] } },
      },
    ],
  })
  const headers = { 'X-Organisation-Code': 'ACME' }
  const list = async () => (await page.request.get('/1.0/cdm/packages?search=crm', { headers })).text()
  await expect.poll(list).toMatch(new RegExp(`"versions":\\["${version}"`))
}

async function openUploadOf(version: string): Promise<Locator> {
  await page.goto('/packages')
  const row = card(page, 'crm')
  await expectShown(row)
  await expect.poll(() => row.getByRole('combobox', { name: 'Version' }).textContent()).toBe(version)
  await expectShown(row.getByRole('button', { name: 'Upload', exact: true, disabled: false }))
  await row.getByRole('button', { name: 'Upload', exact: true }).click()
  await expectShown(open)
  await open.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: /^local/ }).click()
  await open.getByRole('switch', { name: 'Started' }).click()
  return open
}

async function uploadOver(): Promise<void> {
  await press(open, 'Upload')
  await press(question(page, 'Upload Package'), 'Proceed')
}

// The tests build on each other: a package with records, then a version that drops some of the data.
describe('Data loss by an upload', () => {
  it('the first upload of a package has no data to lose and stores records', async () => {
    const id = await api.createManifest('Crm')
    const text = { dataType: 'string', isNullable: true, isPrimaryKey: false } as const
    const entity = await api.createEntity(
      {
        name: 'Client',
        typeAttributes: [
          { ...text, name: 'fullName' },
          { ...text, name: 'nickname' },
          { ...text, name: 'unused' },
        ],
      },
      id,
    )
    expect(entity.name).toBe('Client')
    await build('1.0.0')
    await openUploadOf('1.0.0')
    await press(open, 'Upload')
    await expectShown(snackbar(page, "Package 'crm' 1.0.0 is started."))
    await client({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fullName: 'Ada King', nickname: 'Ada' }),
    })
  })

  it('an upload that would lose data lists the changes by entity; Cancel changes nothing', async () => {
    const entity = await api.entityOf(await api.entityNamed('Client'))
    const typeAttributes = entity.typeAttributes
      .filter(({ name }) => name !== 'nickname' && name !== 'unused')
      .map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entity.name, typeAttributes } })
    await api.createEntity({ name: 'Visit' }, await api.manifestNamed('Crm'))
    await build('1.0.1')
    await openUploadOf('1.0.1')
    await uploadOver()
    await expectShown(lossDialog.getByText('crm 1.0.1 would lose data. Nothing was changed, and 1.0.0 keeps running.'))
    const lines = () =>
      lossDialog
        .locator('section')
        .evaluateAll(sections =>
          sections.map(section => [...section.querySelectorAll('h3, dt, dd')].map(part => part.textContent)),
        )
    await expect.poll(lines).toEqual([
      ['Loses data', 'Client', "'nickname' of 'Client' is dropped with its values."],
      ['Rewritten', 'Client', "'unused' of 'Client' is dropped with its values. There are none."],
      ['Safe', 'Visit', "'Visit' is new."],
    ])
    expect(await violations(page)).toEqual([])
    await press(lossDialog, 'Cancel')
    await expectShown(open.getByText('crm 1.0.1 would lose data. Nothing was changed, and 1.0.0 keeps running.'))
    expect(await client()).toMatchObject({ client: [{ fullName: 'Ada King', nickname: 'Ada' }] })
  })

  it('data loss requires a second confirmation, also by keyboard; Cancel changes nothing', async () => {
    await uploadOver()
    await expect.poll(() => hasFocus(lossDialog.getByRole('button', { name: 'Cancel' }))).toBe(true)
    await tabTo(page, lossDialog.getByRole('button', { name: 'Continue…' }))
    await keys(page, 'Enter')
    await expectShown(
      secondConfirmation.getByText("'nickname' of 'Client' is dropped with its values.", { exact: true }),
    )
    await expect.poll(() => hasFocus(secondConfirmation.getByRole('button', { name: 'Cancel' }))).toBe(true)
    await keys(page, 'Escape')
    await secondConfirmation.waitFor({ state: 'detached' })
    await expectShown(open)
    expect(await client()).toMatchObject({ client: [{ nickname: 'Ada' }] })
  })

  it('confirming data loss twice uploads the package and records it in the audit log', async () => {
    await uploadOver()
    await press(lossDialog, 'Continue…')
    await press(secondConfirmation, 'Lose data and upload')
    await expectShown(snackbar(page, "Package 'crm' 1.0.1 is started."))
    await open.waitFor({ state: 'detached' })
    expect(await client()).toMatchObject({ client: [{ fullName: 'Ada King' }] })
    expect(JSON.stringify(await client())).not.toContain('nickname')
    const logs = await page.request.get('/1.0/cdm/manifest/logs', { headers: { 'X-Organisation-Code': 'ACME' } })
    expect(await logs.text()).toContain(
      `Uploaded package crm 1.0.1 to ${new URL(server.instance.url).host}, allowing data loss.`,
    )
  })
})
