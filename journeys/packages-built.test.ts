import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { startInstance } from '@cadmus/testing/instance'
import { freePort } from '@cadmus/testing/temporary'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { enterAdministration } from './driver/administration.ts'
import { openDesk, openPage, signIn } from './driver/desk.ts'
import { card, cardNames } from './driver/packages.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, downloaded, expectShown, press, question, snackbar } from './driver/widgets.ts'

const password = 'a password that nobody else has'
const hosted = await startInstance()
const managed = await startInstance()
const closed = `http://localhost:${await freePort()}`
await managed.manage('POST', '/esbapi/users', { name: 'ann', password, groups: ['administrators'] })
afterAll(() => Promise.all([hosted.stop(), managed.stop()]))
const desk = await openDesk({
  user: 'nobody',
  env: { ...hosted.hosted, CADMUS_ALLOWED_INSTANCES: [hosted.url, managed.url, closed].join(',') },
})
const { page } = desk
await enterAdministration(page)
const { page: own } = await openPage(desk.browser, desk.console.url)
await signIn(own, 'designer')

const build = dialog(page, 'Build Manifest')
const versionOf = (on: Page) => card(on, 'Shop').getByRole('combobox', { name: 'Version' })

/** Builds Shop as it stands, in the administration; answers the version that was proposed. */
async function buildShop(): Promise<string> {
  await page.goto('/admin?org=ACME')
  await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
  const version = await build.getByRole('textbox', { name: 'Martini Package Version', exact: true }).inputValue()
  await press(build, 'Build')
  await expectShown(snackbar(page, "Manifest 'Shop' successfully built"))
  await build.waitFor({ state: 'detached' })
  return version
}

/** What an instance says of a package. */
async function told(instance: { manage: typeof hosted.manage }, name: string): Promise<unknown> {
  const { items }: { items: { name: string }[] } = await (
    await instance.manage('GET', '/esbapi/packages?size=100')
  ).json()
  return items.find(one => one.name === name)
}

async function openUpload(): Promise<Locator> {
  await own.goto('/packages')
  await card(own, 'Shop').getByRole('button', { name: 'Upload' }).click()
  const open = dialog(own, 'Upload Package')
  await expectShown(open)
  return open
}

describe('A package from its build to an instance', () => {
  it('is built by an administrator, and is a card', holds('M1.7', 'M2.267', 'M4.68', 'M5.58'), async () => {
    expect(await buildShop()).toBe('1.0.0')
    const generated = page.getByRole('tab', { name: 'Generated Packages' })
    await generated.click()
    await expectShown(card(page, 'Shop').getByText(/^Built /))
    expect(await cardNames(page)).toEqual(['Shop'])
    // Another organisation's are others.
    await page.goto('/admin?org=GLOBEX')
    await generated.click()
    await expectShown(page.getByText('No exported Martini packages to display', { exact: true }))
    expect(await cardNames(page)).toEqual([])
    await own.goto('/packages?new=Shop')
    await expectShown(card(own, 'Shop'))
    expect(await cardNames(own)).toEqual(['Shop'])
  })

  it('is built again as the next patch', holds('M2.212', 'M5.57'), async () => {
    expect(await buildShop()).toBe('1.0.1')
    await own.goto('/packages')
    await expectShown(card(own, 'Shop').getByText(/^Built /))
    await versionOf(own).click()
    expect(await own.getByRole('option').allTextContents()).toEqual(['1.0.1', '1.0.0'])
    await own.keyboard.press('Escape')
  })

  it('is downloaded as a zip under the name of its manifest', holds('M1.12', 'M2.213', 'M7.67'), async () => {
    const press = () => card(own, 'Shop').getByRole('button', { name: 'Download' }).click()
    const { name, bytes } = await downloaded(own, press)
    expect(name).toBe('Shop.zip')
    const xml = readArchive(bytes).get('Shop/conf/package.xml')
    const text = typeof xml === 'string' ? xml : new TextDecoder().decode(xml)
    expect(text).toContain('version="1.0.1"')
  })

  it('is uploaded to the hosted instance, loaded', holds('M1.14', 'M3.66'), async () => {
    const open = await openUpload()
    await open.getByRole('combobox', { name: 'Instance' }).click()
    await own.getByRole('option', { name: /^local/ }).click()
    await press(open, 'Upload')
    await expectShown(snackbar(own, "Package 'Shop' 1.0.1 is loaded."))
    expect(await told(hosted, 'Shop')).toMatchObject({ version: '1.0.1', status: 'LOADED' })
  })

  it('is asked about where it is there already, and then started', holds('M8.67', 'M3.66', 'M4.72'), async () => {
    const open = await openUpload()
    await open.getByRole('combobox', { name: 'Instance' }).fill(hosted.url)
    await open.getByRole('switch', { name: 'Started' }).click()
    await press(open, 'Upload')
    const asked = question(own, 'Upload Package')
    await expectShown(asked.getByText('Shop 1.0.1 (loaded)'))
    await press(asked, 'Proceed')
    await expectShown(snackbar(own, "Package 'Shop' 1.0.1 is started."))
    expect(await told(hosted, 'Shop')).toMatchObject({ status: 'STARTED' })
  })

  it('is uploaded to an instance of one’s own, with its user’s password and not without', holds('M1.15'), async () => {
    const open = await openUpload()
    await open.getByRole('combobox', { name: 'Instance' }).fill(managed.url)
    await open.getByLabel('User name').fill('ann')
    await open.getByLabel('Password').fill('some other password')
    await press(open, 'Upload')
    const refused = `${new URL(managed.url).host} refused the user name and password, or the token.`
    await expectShown(snackbar(own, `Failed to upload package: ${refused}`))
    await open.getByLabel('Password').fill(password)
    await press(open, 'Upload')
    await expectShown(snackbar(own, "Package 'Shop' 1.0.1 is loaded."))
    expect(await told(managed, 'Shop')).toMatchObject({ version: '1.0.1', status: 'LOADED' })
  })

  it('stays where nobody answers, and says so', holds('M8.9'), async () => {
    const open = await openUpload()
    await open.getByRole('combobox', { name: 'Instance' }).fill(closed)
    await press(open, 'Upload')
    await expectShown(snackbar(own, `Failed to upload package: ${new URL(closed).host} could not be reached.`))
    await expectShown(open)
  })

  it('is deleted, a version at a time', holds('M1.13'), async () => {
    await own.goto('/packages')
    await card(own, 'Shop').getByRole('button', { name: 'Delete' }).click()
    await press(question(own, 'Delete Package'), 'Delete')
    await expectShown(snackbar(own, 'Successfully deleted a package'))
    await own.reload()
    await expect.poll(() => versionOf(own).textContent()).toBe('1.0.0')
  })

  it('of a predefined manifest is a public one', holds('M4.9'), async () => {
    await page.goto('/admin?org=ACME')
    await menu(page, await nodeAt(page, 'Standard', 'Manifests', 'library'), 'Build Package')
    await press(build, 'Build')
    await expectShown(snackbar(page, "Manifest 'library' successfully built"))
    await page.getByRole('tab', { name: 'Generated Packages' }).click()
    await page.getByRole('switch', { name: 'Private Package' }).click()
    await expect.poll(() => cardNames(page)).toEqual(['library'])
    await expectShown(card(page, 'library').getByText('Predefined', { exact: true }))
    await expectShown(card(page, 'library').getByText(/^Built /))
  })
})
