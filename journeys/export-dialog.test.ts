import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { saveScreenshot, startJourney } from './driver/journey.ts'
import { toolDialog } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { focusText, hasFocus, keys } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { buttonsOf, startExport } from './driver/transfer.ts'
import { nodeAt } from './driver/tree.ts'
import { captureDownload, expectShown, nextFrames, pick, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])
await createNameConflict()
await createLongTexts()
// The page does not show manifests created through the API until it is reloaded.
await page.reload()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()

/** Creates a manifest with many long texts, for which SQL Server reports the same note for every column. */
async function createLongTexts() {
  const api = apiOf(page)
  const manifest = await api.createManifest('Wordy')
  for (const name of ['Letter', 'Poem', 'Novel']) {
    const typeAttributes = Array.from({ length: 8 }, (_, at) => ({
      name: `text${at}`,
      dataType: 'string' as const,
      maxLength: 1000,
    }))
    await api.createEntity({ name, typeAttributes }, manifest)
  }
}

/** Creates a manifest with two entities of the same name in its sub-manifests, and a relationship to an entity outside. */
async function createNameConflict() {
  const api = apiOf(page)
  const left = await api.createManifest('Left')
  const right = await api.createManifest('Right')
  const one = await api.createEntity({ name: 'Twofold' }, left)
  await api.createEntity({ name: 'Twofold' }, right)
  const outside = await api.createEntity({ name: 'Outside' })
  await api.relate(one.id, outside, 'outsideId')
  const manifest = await api.createManifest('Confused')
  await api.addSubManifest(manifest, left)
  await api.addSubManifest(manifest, right)
}

const start = (manifest: string) => startExport(page, manifest, 'Database Schema')

describe('Problems of a manifest', () => {
  it(
    'problems are listed by severity and entity, conflicting names with their paths, and only Close or a rename can follow',
    holds('M2.177', 'M2.178'),
    async () => {
      const open = await start('Confused')
      await expectShown(open.getByRole('alert').getByText('Two entities are named "Twofold"'))
      await expect.poll(() => open.locator('footer').getByRole('button').allTextContents()).toEqual(['Close'])
      await expectShown(open.getByRole('region', { name: 'Name conflicts' }).getByRole('button'))
      await expect.poll(() => buttonsOf(open)).toEqual(['Close', 'Rename 1', 'Close'])
      const errors = open.getByRole('list', { name: 'Errors' })
      await expectShown(errors.getByText('user-defined/Right/Twofold', { exact: true }))
      await open.getByText('1 warning', { exact: true }).click()
      const warnings = open.getByRole('list', { name: 'Warnings' })
      await expectShown(warnings.getByText('user-defined/Left/Twofold', { exact: true }))
      await expectAccessible(page, 'export-refused')
      await press(open, 'Close')
      await open.waitFor({ state: 'detached' })
    },
  )

  it('a problem links to its place: the entity opens with the relationship selected', async () => {
    const open = await start('Confused')
    await open.getByText('1 warning', { exact: true }).click()
    await open.getByRole('list', { name: 'Warnings' }).getByRole('link', { name: 'outsideId', exact: true }).click()
    await open.waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'Twofold'))
    await expect
      .poll(() => page.getByRole('tab', { name: /^Relationships/ }).getAttribute('aria-selected'))
      .toBe('true')
    const row = page.getByRole('row', { selected: true }).filter({ hasText: 'outsideId' })
    await expectShown(row)
    await saveScreenshot(page, 'export-place')
  })

  it('identical notes about many columns are grouped and expand into links', async () => {
    const open = await start('Wordy')
    await pick(page, open, 'Database Type', 'SQL Server')
    const notes = open.getByRole('list', { name: 'Notes' })
    await open.getByText('24 notes', { exact: true }).click()
    const fold = notes.getByText(/^24 columns: Their length is counted in UTF-16 units/)
    await expectShown(fold)
    await expect.poll(() => notes.getByRole('link').count()).toBe(0)
    await fold.click()
    await expectShown(notes.getByRole('link', { name: 'Poem', exact: true }))
    await expect.poll(() => notes.getByRole('link').count()).toBe(27)
    await notes.getByRole('link', { name: 'text3', exact: true }).last().click()
    await open.waitFor({ state: 'detached' })
    await expectShown(page.getByRole('row', { selected: true }).filter({ hasText: 'text3' }))
  })
})

describe('Name conflicts', () => {
  it('the dialog previews the new names, applies them with one button and continues with the export', async () => {
    const open = await start('Confused')
    const offer = open.getByRole('region', { name: 'Name conflicts' })
    const steps = offer.getByRole('list', { name: 'Result' })
    await expectShown(steps.getByText('Right_Twofold', { exact: true }))
    await offer.getByRole('radio', { name: 'Leave out' }).click()
    await expectShown(steps.getByText('deleted and removed from Right; columns that refer to it are kept.'))
    await expectShown(offer.getByText(/audit logs can restore deleted entities later/))
    await offer.getByRole('radio', { name: 'Number' }).click()
    await expectShown(steps.getByText('Twofold2', { exact: true }))
    await offer.getByRole('radio', { name: 'Prefix by folder' }).click()
    await press(offer, 'Rename 1')
    await expectShown(snackbar(page, 'Name conflicts resolved: 1 renamed, 0 left out.'))
    const type = open.getByRole('combobox', { name: 'Database Type' })
    await expectShown(type)
    // The focused button is removed, so the focus moves to the next control.
    await expect.poll(() => hasFocus(type)).toBe(true)
    const { name } = await captureDownload(page, () => press(open, 'Export'))
    expect(name).toMatch(/^Confused-/)
    await open.waitFor({ state: 'detached' })
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Right', 'Entities', 'Right_Twofold'))
  })
})

describe('Focus after a context menu', () => {
  it('a dialog opened from a context menu by keyboard has the focus, and its row gets it back', async () => {
    const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
    const before = await tabs.count()
    const row = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    // The second time the code of the dialog is loaded, and it has the focus before the menu closes.
    for (const [line, ...menuKeys] of [
      ['Database Schema', 'e', 'x', 'ArrowRight', 'd'],
      ['Database Schema', 'e', 'x', 'ArrowRight', 'd'],
    ] as const) {
      await row.focus()
      await keys(page, 'Shift+F10')
      // A menu opened by keyboard highlights its first item.
      await expect.poll(() => focusText(page)).toMatch(/^Add Entity/)
      await keys(page, ...menuKeys)
      await expect.poll(() => focusText(page)).toMatch(new RegExp(`^${line}`))
      await keys(page, 'Enter')
      const open = page.getByRole('dialog').last()
      await expectShown(open)
      await page.getByRole('menu').first().waitFor({ state: 'detached' })
      await nextFrames(page)
      const holdsFocus = () => open.evaluate(node => node.contains(document.activeElement))
      await expect.poll(async () => [line, await holdsFocus()]).toEqual([line, true])
      await keys(page, 'Escape')
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(row)).toBe(true)
    }
    await expect.poll(() => tabs.count()).toBe(before)
  })

  it('closing a context menu inside a dialog returns the focus to its row', async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
    const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    const row = open.getByRole('row').nth(1)
    await row.waitFor()
    // The dialog focuses its own field first, which would take the focus from the row.
    await expect.poll(() => hasFocus(open.getByRole('textbox'))).toBe(true)
    await nextFrames(page)
    await row.focus()
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: /^Delete/ }))
    await keys(page, 'Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(row)).toBe(true)
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Export script', () => {
  it('closing the dialog cancels a running preview', async () => {
    const open = await start('Shop')
    const call = /\/manifest\/\d+\/export/
    const sent = page.waitForRequest(call)
    const aborted = page.waitForEvent('requestfailed', { predicate: request => call.test(request.url()) })
    await page.route(call, () => undefined)
    await press(open, 'Preview')
    await sent
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
    expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
    await page.unroute(call)
  })

  it('the script can be previewed, copied in full and downloaded', async () => {
    const open = await start('Shop')
    await pick(page, open, 'Database Type', 'PostgreSQL')
    await press(open, 'Preview')
    const script = open.getByRole('region', { name: 'Script' })
    await expectShown(script.getByText('-- Database schema of Shop for PostgreSQL', { exact: true }))
    await expect.poll(() => script.evaluate(node => node === document.activeElement)).toBe(true)
    await expectAccessible(page, 'export-script')
    await keys(page, 'End')
    await expectShown(script.getByText(/^COMMENT ON|^ALTER TABLE/).first())
    await press(open, 'Copy')
    await expectShown(snackbar(page, 'Copied the script.'))
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^-- Database schema of Shop for PostgreSQL\n[^]*CREATE TABLE "Customer"[^]*;\n$/)
    // The message may cover the button and remains while the pointer is over it.
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
    await snackbar(page, 'Copied the script.').waitFor({ state: 'detached' })
    const { name } = await captureDownload(page, () => press(open, 'Download'))
    expect(name).toBe('Shop-postgresql.zip')
    await expectShown(snackbar(page, 'Downloaded Shop-postgresql.zip.'))
    await open.waitFor({ state: 'detached' })
  })

  it('DBML has its options, a preview and a download', async () => {
    const open = await startExport(page, 'Shop', 'DBML')
    await expectShown(open.getByRole('checkbox', { name: 'Apply Auto-Increment' }))
    await press(open, 'Preview')
    await expectShown(open.getByRole('region', { name: 'Script' }).getByText('Project "Shop" {', { exact: true }))
    const { name } = await captureDownload(page, () => press(open, 'Download'))
    expect(name).toBe('Shop-dbml.zip')
    await open.waitFor({ state: 'detached' })
  })

  it('Back restores the selected options and the focus on Preview, by keyboard', async () => {
    const open = await start('Shop')
    await pick(page, open, 'Database Type', 'HSQL')
    await open.getByRole('button', { name: 'Preview' }).focus()
    await keys(page, 'Enter')
    await expectShown(open.getByRole('region', { name: 'Script' }))
    await open.getByRole('button', { name: 'Back' }).focus()
    await keys(page, 'Enter')
    const preview = open.getByRole('button', { name: 'Preview' })
    await expect.poll(() => preview.evaluate(node => node === document.activeElement)).toBe(true)
    await expectShown(open.getByRole('combobox', { name: 'Database Type' }).getByText('HSQL'))
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
    const row = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    await expect.poll(() => row.evaluate(node => node === document.activeElement)).toBe(true)
    expect(journey.complaints).toEqual([])
  })
})
