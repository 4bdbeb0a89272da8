import { readArchive } from '@cadmus/formats/archive'
import type { Locator, Page } from 'playwright-core'
import { dialog, downloaded, pick, press } from './widgets.ts'
import { nodeAt, menu } from './tree.ts'

/** Begins to import a zip as CDM schema through the dialog; answers the dialog. */
export async function beginImport(page: Page, name: string, bytes: Uint8Array): Promise<Locator> {
  await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Import' }).click()
  const open = dialog(page, 'Import')
  await open.getByRole('radio', { name: 'Manifest as CDM Schema' }).click()
  await press(open, 'Next')
  const file = { name, mimeType: 'application/zip', buffer: Buffer.from(bytes) }
  await open.locator('input[type=file]').setInputFiles(file)
  await press(open, 'Finish')
  return open
}

/** Imports a zip as CDM schema through the dialog; answers the dialog with the report. */
export async function importManifest(page: Page, name: string, bytes: Uint8Array): Promise<Locator> {
  const open = await beginImport(page, name, bytes)
  const report = dialog(page, 'Import finished')
  const refused = open.getByRole('alert')
  await report.or(refused).first().waitFor({ timeout: 90_000 })
  if (await refused.isVisible()) throw new Error(`The import was refused: ${await refused.textContent()}`)
  return report
}

/** Exports a manifest of the tree as a database schema; the zip's name and the script in it. */
export async function exportSchema(
  page: Page,
  manifest: string,
  database = 'PostgreSQL',
): Promise<{ name: string; script: string }> {
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', manifest), 'Export > Database Schema')
  const open = dialog(page, 'Export Database Schema')
  await open.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
  await pick(page, open, 'Database Type', database)
  const { name, bytes } = await downloaded(page, () => press(open, 'Export'))
  await open.waitFor({ state: 'detached' })
  const files = readArchive(bytes)
  const script = files.get(`${manifest}.sql`)
  if (script === undefined) throw new Error(`There is no ${manifest}.sql in ${[...files.keys()].join(', ')}.`)
  return { name, script: typeof script === 'string' ? script : new TextDecoder().decode(script) }
}
