import type { apiOf } from './api.ts'
import { readArchive } from '@cadmus/formats/archive'
import type { Locator, Page } from 'playwright-core'
import { dialog, captureDownload, pick, press } from './widgets.ts'
import { nodeAt, menu } from './tree.ts'

export type ManifestKind = 'CDM Schema' | 'Database Schema'

/** Starts the import of a manifest zip in the dialog; returns the dialog. */
export async function beginImport(
  page: Page,
  name: string,
  bytes: Uint8Array,
  kind: ManifestKind = 'CDM Schema',
): Promise<Locator> {
  await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Import' }).click()
  const open = dialog(page, 'Import')
  await open.getByRole('radio', { name: 'Manifest', exact: true }).click()
  await open.getByRole('radio', { name: kind, exact: true }).click()
  await press(open, 'Next')
  const file = { name, mimeType: 'application/zip', buffer: Buffer.from(bytes) }
  await open.locator('input[type=file]').setInputFiles(file)
  await press(open, 'Finish')
  return open
}

/** Imports a manifest zip in the dialog; returns the report dialog. */
export async function importManifest(
  page: Page,
  name: string,
  bytes: Uint8Array,
  kind: ManifestKind = 'CDM Schema',
): Promise<Locator> {
  const open = await beginImport(page, name, bytes, kind)
  const report = dialog(page, 'Import finished')
  const refused = open.getByRole('alert')
  await report.or(refused).first().waitFor({ timeout: 90_000 })
  if (await refused.isVisible()) throw new Error(`The import was refused: ${await refused.textContent()}`)
  return report
}

/** Opens the export dialog of a manifest from the tree. */
export async function startExport(
  page: Page,
  manifest: string,
  kind: 'Database Schema' | 'CDM Schema' | 'Data Model' | 'DBML',
): Promise<Locator> {
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', manifest), `Export > ${kind}`)
  const open = dialog(page, `Export ${kind}`)
  await open.waitFor()
  return open
}

/** The labels of all buttons of a dialog. */
export function buttonsOf(open: Locator): Promise<string[]> {
  return open.getByRole('button').evaluateAll(all => all.map(one => one.ariaLabel ?? one.textContent ?? ''))
}

/** Exports a manifest from the tree as a database schema; returns the name of the zip and the script in it. */
export async function exportSchema(
  page: Page,
  manifest: string,
  database = 'PostgreSQL',
): Promise<{ name: string; script: string }> {
  const open = await startExport(page, manifest, 'Database Schema')
  await open.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
  await pick(page, open, 'Database Type', database)
  const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
  await open.waitFor({ state: 'detached' })
  const files = readArchive(bytes)
  const script = files.get(`${manifest}.sql`)
  if (script === undefined) throw new Error(`There is no ${manifest}.sql in ${[...files.keys()].join(', ')}.`)
  return { name, script: typeof script === 'string' ? script : new TextDecoder().decode(script) }
}

/** Creates manifests that cannot be exported: one with two entities of the same name in its sub-manifests, and an empty one. */
export async function makeUnexportable(api: ReturnType<typeof apiOf>): Promise<void> {
  const confused = await api.createManifest('Confused')
  for (const name of ['Left', 'Right']) {
    const side = await api.createManifest(name)
    await api.createEntity({ name: 'Twofold' }, side)
    await api.addSubManifest(confused, side)
  }
  await api.createManifest('Nothing')
}
