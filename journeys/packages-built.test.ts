import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { startInstance } from '@cadmus/testing/instance'
import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { enterAdministration } from './driver/administration.ts'
import { startJourney, openPage, signIn } from './driver/journey.ts'
import { record } from './driver/document.ts'
import { keys, tabTo } from './driver/keyboard.ts'
import { card, cardNames, installedPackage } from './driver/packages.ts'
import { expectAccessible } from './driver/accessible.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, optionsOf, press, question, snackbar } from './driver/widgets.ts'

const password = 'a password that nobody else has'
const hosted = await startInstance()
const managed = await startInstance()
await managed.manage('POST', '/esbapi/users', { name: 'ann', password, groups: ['administrators'] })
afterAll(() => Promise.all([hosted.stop(), managed.stop()]))
const journey = await startJourney({
  user: 'nobody',
  env: { ...hosted.hosted, CADMUS_ALLOWED_INSTANCES: [hosted.url, managed.url].join(',') },
})
const { page } = journey
await enterAdministration(page)
const { page: designer } = await openPage(journey.browser, journey.console.url)
await signIn(designer, 'designer')

/** Settings of Shop and of its sub-manifest, with any values. */
const settingsOfBoth = ['Shop', 'Catalogue'].map(manifestName => ({
  manifestName,
  packageProperties: expect.any(Object),
  configurationBuild: expect.any(Object),
}))

const build = dialog(page, 'Build Manifest')
const builtAs = build.getByRole('textbox', { name: 'Martini Package Version', exact: true })
const versionOf = (on: Page) => card(on, 'Shop').getByRole('combobox', { name: 'Version' })

/** Builds Shop; returns the build request. */
async function buildShop(): Promise<Request> {
  const sent = page.waitForRequest(one => one.method() === 'POST' && /\/manifest\/\d+\/build\b/.test(one.url()))
  await press(build, 'Build')
  await expectShown(snackbar(page, "Manifest 'Shop' successfully built"))
  await build.waitFor({ state: 'detached' })
  return sent
}

async function chooseVersion(version: string): Promise<void> {
  await versionOf(designer).click()
  await designer.getByRole('option', { name: version, exact: true }).click()
}

/** Deletes the version shown by the card after checking the confirmation text, then reloads the page. */
async function deleteShown(message: string): Promise<void> {
  await card(designer, 'Shop').getByRole('button', { name: 'Delete' }).click()
  await expectShown(question(designer, 'Delete Package').getByText(message, { exact: true }))
  await press(question(designer, 'Delete Package'), 'Delete')
  await expectShown(snackbar(designer, 'Successfully deleted a package'))
  await designer.reload()
}

async function openUpload(): Promise<Locator> {
  await designer.goto('/packages')
  await card(designer, 'Shop').getByRole('button', { name: 'Upload' }).click()
  const open = dialog(designer, 'Upload Package')
  await expectShown(open)
  return open
}

describe('A package from its build to an instance', () => {
  it(
    'a package built by an administrator appears as a card in its own organisation only',
    holds('M1.7', 'M2.267', 'M2.293', 'M3.80', 'M4.68', 'M5.58'),
    async () => {
      await page.goto('/admin?org=ACME')
      await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
      await expect.poll(() => builtAs.inputValue()).toBe('1.0.0')
      expect((await buildShop()).postDataJSON().manifestProperties).toMatchObject(settingsOfBoth)
      const generated = page.getByRole('tab', { name: 'Generated Packages' })
      await generated.click()
      await expectShown(card(page, 'Shop').getByText(/^Built /))
      await expect.poll(() => cardNames(page)).toEqual(['Shop'])
      // Packages of other organisations are not listed.
      await page.goto('/admin?org=GLOBEX')
      await generated.click()
      await expectShown(page.getByText('No exported Martini packages to display', { exact: true }))
      await expect.poll(() => cardNames(page)).toEqual([])
      await designer.goto('/packages?new=Shop')
      await expectShown(card(designer, 'Shop'))
      await expect.poll(() => cardNames(designer)).toEqual(['Shop'])
    },
  )

  it(
    'a package version is downloaded as a zip named after its manifest',
    holds('M1.12', 'M2.213', 'M7.67'),
    async () => {
      const api = apiOf(designer)
      await api.build(await api.manifestNamed('Shop'))
      await designer.goto('/packages')
      await versionOf(designer).click()
      await expect.poll(() => designer.getByRole('option').allTextContents()).toEqual(['1.0.1', '1.0.0'])
      await keys(designer, 'Escape')
      const press = () => card(designer, 'Shop').getByRole('button', { name: 'Download' }).click()
      for (const version of ['1.0.0', '1.0.1']) {
        await chooseVersion(version)
        const { name, bytes } = await captureDownload(designer, press)
        expect(name).toBe('Shop.zip')
        const xml = readArchive(bytes).get('Shop/conf/package.xml')
        const text = typeof xml === 'string' ? xml : new TextDecoder().decode(xml)
        expect(text).toContain(`version="${version}"`)
      }
    },
  )

  it(
    'a package is uploaded to the hosted instance in state Loaded',
    holds('M1.14', 'M2.222', 'M3.65', 'M3.66', 'M7.69'),
    async () => {
      const open = await openUpload()
      const answered = designer.waitForResponse(`${journey.console.url}/1.0/cdm/packages/Shop/upload`)
      expect(await optionsOf(designer, open, 'Instance')).toEqual([expect.stringMatching(/^local/)])
      await designer.getByRole('option').click()
      await press(open, 'Upload')
      await expectShown(snackbar(designer, "Package 'Shop' 1.0.1 is loaded."))
      const answer = await answered
      expect([answer.request().method(), answer.status()]).toEqual(['POST', 200])
      const sent = answer.request().postDataJSON()
      expect(sent).toEqual({ instanceUrl: hosted.url, version: '1.0.1', state: 'LOADED' })
      await expect.poll(() => installedPackage(hosted, 'Shop')).toMatchObject({ version: '1.0.1', status: 'LOADED' })
    },
  )

  it(
    'replacing a package on the instance requires confirmation, then the package is started',
    holds('M8.67', 'M3.66', 'M4.72'),
    async () => {
      const open = await openUpload()
      await open.getByRole('combobox', { name: 'Instance' }).fill(hosted.url)
      await open.getByRole('switch', { name: 'Started' }).click()
      await press(open, 'Upload')
      const confirmation = question(designer, 'Upload Package')
      const message =
        'The manifest being uploaded already exists, this will be override the following package. Do you wish to proceeed'
      await expectShown(confirmation.getByText(message, { exact: true }))
      await expectShown(confirmation.getByText('Shop 1.0.1 (loaded)'))
      const calls = record(designer)
      await press(confirmation, 'Cancel')
      await confirmation.waitFor({ state: 'detached' })
      const uploads = () => calls.filter(({ url }) => url.includes('/upload')).length
      expect([uploads(), await installedPackage(hosted, 'Shop')]).toMatchObject([
        0,
        { version: '1.0.1', status: 'LOADED' },
      ])
      await press(open, 'Upload')
      await press(confirmation, 'Proceed')
      await expectShown(snackbar(designer, "Package 'Shop' 1.0.1 is started."))
      expect(uploads()).toBe(1)
      await expect.poll(() => installedPackage(hosted, 'Shop')).toMatchObject({ status: 'STARTED' })
    },
  )

  it(
    'uploading to an instance outside the list requires a correct user name and password',
    holds('M1.15', 'M2.222'),
    async () => {
      const open = await openUpload()
      await open.getByRole('combobox', { name: 'Instance' }).fill(managed.url)
      await open.getByLabel('User name').fill('ann')
      await open.getByLabel('Password').fill('some other password')
      await press(open, 'Upload')
      const refused = `${new URL(managed.url).host} rejected the user name and password, or the token.`
      await expectShown(snackbar(designer, `Failed to upload package: ${refused}`))
      await open.getByLabel('Password').fill(password)
      await press(open, 'Upload')
      await expectShown(snackbar(designer, "Package 'Shop' 1.0.1 is loaded."))
      await expect.poll(() => installedPackage(managed, 'Shop')).toMatchObject({ version: '1.0.1', status: 'LOADED' })
    },
  )

  it('deleting a package removes one version at a time', holds('M1.13', 'M8.66'), async () => {
    await designer.goto('/packages')
    await chooseVersion('1.0.0')
    await deleteShown('Do you really want to delete the package 1.0.0?')
    expect(await optionsOf(designer, card(designer, 'Shop'), 'Version')).toEqual(['1.0.1'])
    await keys(designer, 'Escape')
    await deleteShown('Do you really want to delete the package 1.0.1?')
    await expectShown(designer.getByText('No exported Martini packages to display', { exact: true }))
  })
})

async function start(on: Page, name: string): Promise<Locator> {
  await on.getByRole('button', { name: 'New', exact: true }).click()
  await on.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
  const open = dialog(on, 'Create Manifest')
  await open.getByRole('textbox', { name: 'Name' }).fill(name)
  return open
}

const generateOption = (open: Locator, name: string) =>
  open.getByRole('radiogroup', { name: 'Generate' }).getByRole('radio', { name, exact: true })

/** Opens the last step and enters the name of a custom entity. */
async function withEntity(open: Locator, name: string): Promise<void> {
  await press(open, 'Next')
  await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
  await open.getByRole('textbox', { name: 'Name' }).fill(name)
}

/** Waits until a package is built, downloads it and returns the paths of its files. */
async function filesOf(name: string, kind: 'Built' | 'Database schema, built'): Promise<string[]> {
  await expectShown(card(designer, name).getByText(`${kind} `))
  const { bytes } = await captureDownload(designer, () =>
    card(designer, name).getByRole('button', { name: 'Download' }).click(),
  )
  return [...readArchive(bytes).keys()]
}

describe('Generate option of the manifest wizard', () => {
  const everyCard = async () => (await cardNames(designer)).toSorted()

  it('the Database option builds a database schema package and shows it', async () => {
    await designer.goto('/')
    const open = await start(designer, 'Stored')
    // By default the wizard creates no package.
    await expect.poll(() => generateOption(open, 'Manifest').isChecked()).toBe(true)
    await expectAccessible(designer, 'wizard-generates')
    await generateOption(open, 'Database').click()
    await withEntity(open, 'Crate')
    await press(open, 'Finish')
    await expectShown(snackbar(designer, 'Successfully created manifest.'))
    await expect
      .poll(() => new URL(designer.url()).pathname + new URL(designer.url()).search)
      .toBe('/packages?new=Stored')
    await expectShown(designer.getByText('You are currently viewing the new exported Martini package.'))
    const files = await filesOf('Stored', 'Database schema, built')
    expect(files.some(path => path.endsWith('.sql'))).toBe(true)
    expect(files.filter(path => path.includes('openapi'))).toEqual([])
    await expect.poll(() => cardNames(designer)).toEqual(['Stored'])
  })

  it(
    'the Database and API option builds a package with a REST API by keyboard alone',
    holds('M2.6', 'M2.217', 'M2.218'),
    async () => {
      await designer.goto('/')
      const open = await start(designer, 'Served')
      await expectShown(open.getByRole('radiogroup', { name: 'Content' }))
      // Tab order: Name, Content, Generate.
      await keys(designer, 'Tab', 'Tab')
      await keys(designer, 'ArrowDown', 'ArrowDown')
      await expect.poll(() => generateOption(open, 'Database and API').isChecked()).toBe(true)
      await keys(designer, 'Enter')
      await expectShown(open.getByText('Step 2 of 2: Manage Entities', { exact: true }))
      await tabTo(designer, open.getByRole('tab', { name: 'Choose Existing Entity' }), 'Shift+Tab')
      await keys(designer, 'ArrowRight')
      await open.getByRole('textbox', { name: 'Name' }).focus()
      await designer.keyboard.type('Box')
      await keys(designer, 'Control+Enter')
      await expect.poll(() => new URL(designer.url()).search).toBe('?new=Served')
      const files = await filesOf('Served', 'Built')
      expect(files.some(path => path.includes('openapi'))).toBe(true)
      // The new package is listed alone until View all is pressed.
      await expect.poll(() => cardNames(designer)).toEqual(['Served'])
      const banner = designer.getByRole('note').filter({ has: designer.getByRole('button', { name: 'View all' }) })
      await expect
        .poll(() => banner.textContent())
        .toBe('You are currently viewing the new exported Martini package. View all')
      await press(banner, 'View all')
      await expect.poll(everyCard).toEqual(['Served', 'Stored'])
      await expect.poll(() => banner.count()).toBe(0)
    },
  )
})
