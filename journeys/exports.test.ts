import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violations } from './driver/axe.ts'
import { startJourney } from './driver/journey.ts'
import { openManifest, record, refuse } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { focusText, hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { buttonsOf, importManifest, makeUnexportable, startExport } from './driver/transfer.ts'
import { childrenOf, nodeAt, expand, menu } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, find, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const library = await createManifests()
// The page does not show manifests created through the API until it is reloaded.
await page.reload()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()

/** Creates one manifest with a sub-manifest and a relationship, one with a name conflict and an empty one. */
async function createManifests() {
  const api = apiOf(page)
  const created = await api.createManifest('Library')
  const lending = await api.createManifest('Lending')
  const title = { name: 'title', dataType: 'string' as const, maxLength: 80 }
  const book = await api.createEntity({ name: 'Book', description: 'Bound.', typeAttributes: [title] }, created)
  const loan = await api.createEntity({ name: 'Loan' }, lending)
  await api.relate(loan.id, book, 'bookId')
  await api.addSubManifest(created, lending)
  await makeUnexportable(api)
  return created
}

const start = (manifest: string) => startExport(page, manifest, 'Data Model')

describe('Main toolbar', () => {
  it('Generate Database Schema requests a manifest and opens its export', holds('M2.21'), async () => {
    const toolbar = page.getByRole('toolbar', { name: 'Main' })
    await toolbar.getByRole('button', { name: 'Generate Database Schema' }).click()
    const manifestDialog = dialog(page, 'Generate Database Schema')
    await find(page, manifestDialog, 'Manifest', 'Shop')
    await press(manifestDialog, 'Next')
    const open = dialog(page, 'Export Database Schema')
    await expectShown(open.getByText('Shop', { exact: true }))
    await press(open, 'Close')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Export Database Schema', () => {
  const start = async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Export > Database Schema')
    return dialog(page, 'Export Database Schema')
  }

  it(
    'the dialog validates first and offers five databases; the zip contains one script',
    holds('E2.13', 'M1.8', 'M2.170', 'M2.173', 'M2.174', 'M2.175', 'M2.176'),
    async () => {
      let release = (): void => undefined
      const held = new Promise<void>(resolve => (release = resolve))
      await page.route('**/validate*', async route => {
        await held
        await route.continue()
      })
      const calls = record(page)
      const open = await start()
      const validating = open.getByText('Validating...', { exact: true })
      await expectShown(validating)
      await expect.poll(() => open.getByRole('combobox').count()).toBe(0)
      await expect.poll(() => buttonsOf(open)).toEqual(['Close', 'Close'])
      const shop = await apiOf(page).manifestNamed('Shop')
      expect(calls.find(({ url }) => url.includes('/validate'))?.url).toContain(`/manifest/${shop}/validate`)
      release()
      await expectShown(open.getByRole('button', { name: 'Export' }))
      await expect.poll(() => validating.count()).toBe(0)
      const box = open.getByRole('checkbox', { name: 'Apply Auto-Increment' })
      await expect.poll(() => box.getAttribute('aria-checked')).toBe('true')
      await open.getByRole('combobox', { name: 'Database Type' }).click()
      await expectShown(page.getByRole('option').first())
      const databases = ['MySQL', 'HSQL', 'Oracle', 'PostgreSQL', 'SQL Server']
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(databases)
      await page.getByRole('option', { name: 'PostgreSQL', exact: true }).click()
      await box.click()
      const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
      expect(name).toBe('Shop-postgresql.zip')
      expect([...readArchive(bytes).keys()]).toEqual(['Shop.sql'])
      const script = readArchive(bytes).get('Shop.sql')
      const text = typeof script === 'string' ? script : new TextDecoder().decode(script)
      expect(text).toContain('CREATE TABLE "Customer"')
      // Only PostgreSQL uses this type for an unbounded text.
      expect(text).toMatch(/^ +"\w+" TEXT\b/m)
      expect(text).not.toMatch(/GENERATED .*AS IDENTITY/i)
      const posts = calls
        .filter(call => call.method === 'POST')
        .map(call => new URL(call.url).pathname.split('/').at(-1))
      expect(posts).toEqual(['validate', 'export'])
    },
  )
})

describe('The options of a script', () => {
  it('are closed at first, are summarised, and the preview follows them', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Export > Database Schema')
    const open = dialog(page, 'Export Database Schema')
    await expectShown(open.getByText('All as usual', { exact: true }))
    await expectShown(open.getByText('This script has not been executed.'))
    await open.getByText('Options', { exact: false }).first().click()
    await expectAccessible(page, 'export-options')
    const schema = open.getByRole('textbox', { name: 'Schema' })
    await schema.fill('1shop')
    await expectShown(
      open.getByText('This must contain only letters, digits and underscores', { exact: false }).first(),
    )
    await expect.poll(() => open.getByRole('button', { name: 'Preview' }).getAttribute('aria-disabled')).toBe('true')
    await schema.fill('shop')
    await press(open, 'Preview')
    await expectShown(open.getByText('CREATE TABLE `shop`.`Customer` ('))
    await expectShown(open.getByText('Schema: shop', { exact: true }))
    await open.getByText('Schema: shop', { exact: true }).click()
    await expectShown(open.getByRole('combobox', { name: 'Names' }))
    await open.getByRole('combobox', { name: 'Names' }).click()
    await page.getByRole('option', { name: 'snake_case', exact: true }).click()
    await expectShown(open.getByText('CREATE TABLE `shop`.`customer` ('))
    await expectAccessible(page, 'export-options-preview')
    await press(open, 'Close')
    await open.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('Step 1 of the export of a data model', () => {
  it('validation errors link to their entities; Close is the only button', holds('M2.177', 'M2.178'), async () => {
    const empty = await start('Nothing')
    await expectShown(empty.getByRole('alert').getByText('Nothing has no entity.'))
    // One button in the title bar, one in the footer.
    await expect.poll(() => buttonsOf(empty)).toEqual(['Close', 'Close'])
    await press(empty, 'Close')
    await empty.waitFor({ state: 'detached' })
    const open = await start('Confused')
    await expectShown(open.getByRole('alert').getByText('Two entities are named "Twofold"'))
    await expect.poll(() => open.locator('footer').getByRole('button').allTextContents()).toEqual(['Close'])
    expect(await violations(page)).toEqual([])
    const link = open.getByRole('list', { name: 'Errors' }).getByRole('link', { name: 'Twofold', exact: true }).first()
    await tabTo(page, link)
    await keys(page, 'Enter')
    await open.waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'Twofold'))
  })
})

describe('Step 2 of the export of a data model', () => {
  it(
    'the dialog lists what the models cannot express, and the downloaded zip has one importable JSON model per entity',
    holds('E2.15', 'M1.10', 'M2.62', 'M2.172', 'M2.173', 'M2.174', 'M3.94', 'M7.41', 'M7.42'),
    async () => {
      const validated = page.waitForRequest(/\/manifest\/\d+\/validate/)
      const open = await start('Library')
      expect(new URL((await validated).url()).search).toBe('?exportType=ENTITY_GLOOP_MODEL')
      await open.getByText('5 items that its models do not support', { exact: true }).click()
      const omissions = open.getByRole('list', { name: 'Content that its models do not support' })
      await expectShown(omissions.getByText("Book.id: Not written of 'id': that it is the key.", { exact: true }))
      await page.setViewportSize({ width: 1024, height: 800 })
      await expectAccessible(page, 'export-model')
      await page.setViewportSize({ width: 1440, height: 900 })
      const request = page.waitForRequest(/\/manifest\/\d+\/export$/)
      const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
      expect((await request).postDataJSON()).toEqual({ exportType: 'ENTITY_GLOOP_MODEL', databaseType: 'postgresql' })
      await open.waitFor({ state: 'detached' })
      await expectShown(snackbar(page, 'Downloaded Library-model.zip.'))
      expect(name).toBe('Library-model.zip')
      const files = readArchive(bytes)
      expect([...files.keys()]).toEqual(['Library/models/Book.model', 'Library/models/Loan.model'])
      expect(JSON.parse(new TextDecoder().decode(Buffer.from(files.get('Library/models/Book.model') ?? '')))).toEqual({
        name: 'Book',
        type: 'model',
        comments: 'Bound.',
        gloopProperties: [
          { name: 'id', type: 'integer', allowNull: false },
          { name: 'title', type: 'string', allowNull: false, maxLength: 80 },
        ],
      })
      const report = await importManifest(page, name, bytes)
      await expectShown(report.getByText('The format does not state which property is the key: "id" is used.').first())
      await press(report, 'Open Library_2')
      const entities = await nodeAt(page, 'Custom', 'Manifests', 'Library_2', 'Entities')
      await expand(entities)
      await expect.poll(() => childrenOf(page, entities)).toEqual(['Book', 'Loan'])
    },
  )

  it("a failed export shows the server's reason or a generic text in the dialog", holds('M8.3', 'M8.29'), async () => {
    const open = await start('Lending')
    await refuse(page, 'POST', /\/export$/)
    await press(open, 'Export')
    await expectShown(open.getByRole('alert').getByText('Failed to export manifest', { exact: true }))
    await page.unroute(/\/export$/)
    await refuse(page, 'POST', /\/export$/, 'It is too large.')
    await press(open, 'Export')
    await expectShown(open.getByRole('alert').getByText('It is too large.', { exact: true }))
    await page.unroute(/\/export$/)
    const { name } = await captureDownload(page, () => press(open, 'Export'))
    expect(name).toBe('Lending-model.zip')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Starting the export of a data model', () => {
  it('the toolbar exports the open manifest', holds('M1.10', 'M2.24'), async () => {
    await openManifest(page, library, 'Library')
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Generate Data Model' }).click()
    const open = dialog(page, 'Export Data Model')
    await expectShown(open.getByText('Library', { exact: true }))
    const { name } = await captureDownload(page, () => press(open, 'Export'))
    expect(name).toBe('Library-model.zip')
    await open.waitFor({ state: 'detached' })
  })

  it('the context menu offers the data model below Export after the CDM schema', holds('M2.62'), async () => {
    const row = await nodeAt(page, 'Custom', 'Manifests', 'Library')
    await row.focus()
    await keys(page, 'Shift+F10')
    await expect.poll(() => focusText(page)).toMatch(/^Add Entity/)
    await keys(page, 'e', 'x', 'ArrowRight')
    await expect.poll(() => focusText(page)).toBe('Martini-style package')
    await keys(page, 'ArrowDown')
    await expect.poll(() => focusText(page)).toMatch(/^Database Schema/)
    await keys(page, 'ArrowDown')
    await expect.poll(() => focusText(page)).toMatch(/^CDM Schema/)
    await keys(page, 'ArrowDown')
    await expect.poll(() => focusText(page)).toMatch(/^Data Model/)
    await keys(page, 'Enter')
    const button = dialog(page, 'Export Data Model').getByRole('button', { name: 'Export' })
    await expectShown(button)
    await tabTo(page, button)
    const { name } = await captureDownload(page, () => keys(page, 'Enter'))
    expect(name).toBe('Library-model.zip')
    await expect.poll(() => hasFocus(row)).toBe(true)
  })

  it('the palette finds the export by synonyms', async () => {
    await keys(page, 'Control+k')
    await page.keyboard.type('gloop')
    await expectShown(page.getByRole('option', { name: /Generate Data Model/ }))
    await keys(page, 'Escape')
    expect(journey.complaints).toEqual([])
  })
})
