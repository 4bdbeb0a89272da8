import type { Locator, Page } from 'playwright-core'
import { dialog, expectShown, find, press } from './widgets.ts'

/** Opens the blueprint wizard from the toolbar. */
export async function openBlueprint(page: Page): Promise<Locator> {
  await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Build Package', exact: true }).click()
  const open = dialog(page, 'Build Package')
  await expectShown(open)
  return open
}

/** Cancels the wizard if a test has left it open. */
export async function cancelBlueprint(page: Page): Promise<void> {
  const open = dialog(page, 'Build Package').and(page.locator('[data-open]'))
  if ((await open.count()) > 0) await press(open, 'Cancel')
}

/** Waits for the step with this name. */
export async function expectStep(open: Locator, name: string): Promise<void> {
  await expectShown(open.getByText(new RegExp(`^Step \\d of \\d: ${name}$`)))
}

/** Chooses the manifest in the first step and advances. */
export async function chooseManifest(page: Page, open: Locator, name: string): Promise<void> {
  await find(page, open, 'Manifest', name)
  await press(open, 'Next')
  await expectStep(open, 'Publish / Export')
}

/** Chooses a radio button and advances. */
export async function choose(open: Locator, label: string): Promise<void> {
  await open.getByRole('radio', { name: label, exact: true }).click()
  await press(open, 'Next')
}

/** Advances to the step of the instance. */
export async function advanceToTarget(page: Page): Promise<Locator> {
  const open = await openBlueprint(page)
  await chooseManifest(page, open, 'Shop')
  await choose(open, 'Publish')
  await expectStep(open, 'Publish Target')
  return open
}

/** Advances to the database step, for an export or for publishing to the named hosted instance. */
export async function advanceToDatabase(page: Page, { instance, apis = ['REST'] }: Publishing = {}): Promise<Locator> {
  const open = instance === undefined ? await openBlueprint(page) : await advanceToTarget(page)
  if (instance === undefined) {
    await chooseManifest(page, open, 'Shop')
    await choose(open, 'Export')
  } else {
    await open.getByRole('radio', { name: 'Hosted Instances' }).click()
    await find(page, open, 'Hosted instance', instance)
    await press(open, 'Next')
  }
  await expectStep(open, 'API or schema')
  await chooseApis(open, apis)
  await press(open, 'Next')
  await expectStep(open, 'Database Connection')
  return open
}

/** Ticks exactly these APIs, or chooses a schema: the wizard starts with the APIs of the configuration. */
export async function chooseApis(open: Locator, names: readonly string[]): Promise<void> {
  const apis = ['REST', 'SOAP', 'GraphQL']
  for (const api of apis) await open.getByRole('checkbox', { name: api, exact: true }).setChecked(names.includes(api))
  for (const schema of names.filter(name => !apis.includes(name)))
    await open.getByRole('radio', { name: schema, exact: true }).click()
}

/** `apis`: the APIs of the package, or its one schema instead. */
type Publishing = { instance?: string; apis?: readonly string[] }

/** Advances to the package step with a new MySQL database. */
export async function advanceToPackage(page: Page, options: Publishing = {}): Promise<Locator> {
  const open = await advanceToDatabase(page, options)
  await press(open, 'Next')
  await open.getByRole('textbox', { name: 'Username' }).fill('shop')
  await open.getByRole('textbox', { name: 'Password' }).fill('a secret')
  await open.getByRole('textbox', { name: 'Database name' }).fill('shop')
  await press(open, 'Next')
  await expectStep(open, 'SQL Configuration')
  await press(open, 'Next')
  await expectStep(open, 'Package')
  return open
}
