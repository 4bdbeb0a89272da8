import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { openDesk, openPage, signIn } from './driver/desk.ts'
import { manifestDocument } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { card, cardNames } from './driver/packages.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, downloaded, expectShown, press, snackbar } from './driver/widgets.ts'

// What the create-manifest wizard makes beside the manifest.
const desk = await openDesk({ user: 'nobody' })
const { page: admin } = desk
await enterAdministration(admin)
const { page } = await openPage(desk.browser, desk.console.url)
await signIn(page, 'designer')

async function start(on: Page, name: string): Promise<Locator> {
  await on.getByRole('button', { name: 'New', exact: true }).click()
  await on.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
  const open = dialog(on, 'Create Manifest')
  await open.getByRole('textbox', { name: 'Name' }).fill(name)
  return open
}

const offered = (open: Locator, name: string) =>
  open.getByRole('radiogroup', { name: 'Generate' }).getByRole('radio', { name, exact: true })

/** Goes to the last step, with an entity that is typed. */
async function withEntity(open: Locator, name: string): Promise<void> {
  await press(open, 'Next')
  await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
  await open.getByRole('textbox', { name: 'Name' }).fill(name)
}

/** The files of the package that is shown, once it is built. */
async function filesOf(name: string, kind: 'Built' | 'Database schema, built'): Promise<string[]> {
  await expectShown(card(page, name).getByText(`${kind} `))
  const { bytes } = await downloaded(page, () => card(page, name).getByRole('button', { name: 'Download' }).click())
  return [...readArchive(bytes).keys()]
}

it('is nothing unless something is chosen', async () => {
  const open = await start(page, 'Alone')
  expect(await offered(open, 'Manifest').isChecked()).toBe(true)
  await expectClean(page, 'wizard-generates')
  await withEntity(open, 'Solo')
  await press(open, 'Finish')
  await expectShown(manifestDocument(page, 'Alone'))
  await page.goto('/packages')
  await expectShown(page.getByText('No exported Martini packages to display'))
  await page.goto('/')
})

it('is a package of the database schema, which is gone to', async () => {
  const open = await start(page, 'Stored')
  await offered(open, 'Database').click()
  await withEntity(open, 'Crate')
  await press(open, 'Finish')
  await expectShown(snackbar(page, 'Successfully created manifest.'))
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/packages?new=Stored')
  await expectShown(page.getByText('You are currently viewing the new exported Martini package.'))
  const files = await filesOf('Stored', 'Database schema, built')
  expect(files.some(path => path.endsWith('.sql'))).toBe(true)
  expect(files.filter(path => path.includes('openapi'))).toEqual([])
  expect(await cardNames(page)).toEqual(['Stored'])
})

it('is chosen and finished without a mouse: a package with a REST API', holds('M2.6', 'M2.217', 'M2.218'), async () => {
  await page.goto('/')
  const open = await start(page, 'Served')
  await expectShown(open.getByRole('radiogroup', { name: 'Content' }))
  // From the name over what is copied to what is made.
  await keys(page, 'Tab', 'Tab')
  await keys(page, 'ArrowDown', 'ArrowDown')
  await expect.poll(() => offered(open, 'Database and API').isChecked()).toBe(true)
  await keys(page, 'Enter')
  await expectShown(open.getByText('Step 2 of 2: Manage Entities', { exact: true }))
  await keys(page, 'Shift+Tab', 'ArrowRight')
  await open.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('Box')
  await keys(page, 'Control+Enter')
  await expect.poll(() => new URL(page.url()).search).toBe('?new=Served')
  const files = await filesOf('Served', 'Built')
  expect(files.some(path => path.includes('openapi'))).toBe(true)
  // It alone, and beside it what was built before.
  expect(await cardNames(page)).toEqual(['Served'])
  const banner = page.getByRole('note').filter({ has: page.getByRole('button', { name: 'View all' }) })
  expect(await banner.textContent()).toBe('You are currently viewing the new exported Martini package. View all')
  await press(banner, 'View all')
  await expect.poll(() => cardNames(page)).toEqual(['Served', 'Stored'])
  expect(await banner.count()).toBe(0)
})

it('is a card each on their page, which shows private or public ones', holds('M2.5', 'M2.211', 'M2.268'), async () => {
  await page.goto('/packages')
  await expectShown(page.getByRole('heading', { level: 1, name: 'Packages' }))
  await expect.poll(() => cardNames(page)).toEqual(['Served', 'Stored'])
  const toggle = page.getByRole('switch', { name: 'Private Package', exact: true })
  const asked = page.waitForRequest(/\/1\.0\/cdm\/packages\?/)
  await toggle.click()
  expect(new URL((await asked).url()).searchParams.get('filter')).toBe('public')
  await expect.poll(() => cardNames(page)).toEqual([])
  expect(await toggle.isChecked()).toBe(false)
  await toggle.click()
  await expect.poll(() => cardNames(page)).toEqual(['Served', 'Stored'])
  const { page: visitor, context } = await openPage(desk.browser, desk.console.url)
  await visitor.goto('/packages')
  await expectShown(visitor.getByRole('heading', { name: 'Sign in to Cadmus' }))
  expect(await visitor.getByRole('grid', { name: 'Packages' }).count()).toBe(0)
  await context.close()
})

it('has no API where the licence has no REST', async () => {
  await administrationOn(admin).ask('PUT', 'org/GLOBEX', { licence: { rest: false } })
  await admin.goto('/admin?org=GLOBEX')
  const open = await start(admin, 'Unserved')
  await expectShown(
    open.getByText('The licence of the organisation does not include REST: it allows SOAP, GraphQL.', { exact: true }),
  )
  expect(await offered(open, 'Database and API').isDisabled()).toBe(true)
  expect(await offered(open, 'Database').isDisabled()).toBe(false)
})
