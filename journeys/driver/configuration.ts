import type { Locator, Page } from 'playwright-core'
import { navigate, send, tool } from './document.ts'
import { dialog, dismissMessages, expectShown, snackbar } from './widgets.ts'

export type Part =
  | 'API Configuration'
  | 'SQL Configuration'
  | 'Service Configuration'
  | 'Property Configuration'
  | 'Aggregate Queries'
  | 'API Scopes'

/** The open configuration of a manifest. */
export function configuration(page: Page, manifest: string): Locator {
  return page.getByRole('article', { name: `Configuration of ${manifest}`, exact: true })
}

/** Opens the configuration of a manifest and a part of it. */
export async function openConfiguration(
  page: Page,
  id: number,
  manifest: string,
  part: Part = 'API Configuration',
): Promise<Locator> {
  await navigate(page, `/?configuration=${id}`)
  const open = configuration(page, manifest)
  await expectShown(open)
  await showPart(page, part)
  return open
}

/** A tab of the configuration; its accessible name may end with a count. */
export function partTab(page: Page, part: Part): Locator {
  return page.getByRole('tablist', { name: /^Parts of the configuration/ }).getByRole('tab', { name: part })
}

export async function showPart(page: Page, part: Part): Promise<void> {
  await partTab(page, part).click()
}

/** A command of the configuration's toolbar. */
export const configurationTool = tool

/** Presses the Save icon and waits for the confirmation. */
export async function save(page: Page): Promise<void> {
  await configurationTool(page, 'Save').click()
  await expectShown(snackbar(page, 'Successfully save configuration.'))
  await dismissMessages(page)
}

/** Saves the configuration and reloads the page. */
export async function saveAndReload(page: Page, manifest: string): Promise<void> {
  await configurationTool(page, 'Save').click()
  await expectShown(snackbar(page, 'Successfully save configuration.'))
  await page.reload()
  await expectShown(configuration(page, manifest))
}

/** The error text below a field. */
export function problemBelow(within: Locator, words: string): Locator {
  return within.getByRole('alert').getByText(words, { exact: true })
}

/** Overwrites parts of a configuration on the server. */
export async function configure(page: Page, manifest: number, configurationBuild: object): Promise<void> {
  await send(page, 'POST', `/1.0/cdm/manifest/${manifest}/configuration`, { configurationBuild })
}

/** Opens the dialog of a new aggregate query. */
export async function newQuery(page: Page): Promise<Locator> {
  await configurationTool(page, 'Add Aggregate Query').click()
  const open = dialog(page, 'New Aggregate Query')
  await expectShown(open)
  return open
}

/** The configuration stored on the server. */
export async function stored(page: Page, manifest: number, organisation = 'ACME'): Promise<Stored> {
  const headers = { 'X-Organisation-Code': organisation }
  const answer = await page.request.get(`/1.0/cdm/manifest/${manifest}/configuration`, { headers })
  const { manifestProperties }: { manifestProperties: Stored } = await answer.json()
  return manifestProperties
}

type Stored = {
  packageProperties: { connectionPoolInfo: Record<string, string>; customProperties: Record<string, unknown>[] }
  configurationBuild: Record<string, Record<string, unknown>> & { aggregateQueries: unknown }
}
