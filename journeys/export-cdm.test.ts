import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, refuse } from './driver/document.ts'
import { manifestDocument, setText, tab } from './driver/entity.ts'
import { focusText, hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { buttonsOf, importManifest, makeUnexportable, startExport } from './driver/transfer.ts'
import { childrenOf, menu, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const book = await createManifests()
// The page does not show manifests created through the API until it is reloaded.
await page.reload()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()

/** Creates one manifest with a sub-manifest and a reference to an entity outside, one with a name conflict and an empty one. */
async function createManifests() {
  const api = apiOf(page)
  const library = await api.createManifest('Library')
  const lending = await api.createManifest('Lending')
  const text = { name: 'text', dataType: 'string' as const, maxLength: 1000 }
  const created = await api.createEntity({ name: 'Book', typeAttributes: [text] }, library)
  await api.createEntity({ name: 'Loan' }, lending)
  const outside = await api.createEntity({ name: 'Publisher' })
  await api.relate(created.id, outside, 'publisherId')
  await api.addSubManifest(library, lending)
  await makeUnexportable(api)
  return created
}

const start = (manifest: string) => startExport(page, manifest, 'CDM Schema')

describe('Step 1 of the export of a CDM schema', () => {
  it('validation is shown and precedes the export', holds('E2.14', 'M2.61', 'M2.171', 'M2.173', 'M2.174'), async () => {
    const steps: string[] = []
    let release = (): void => undefined
    const held = new Promise<void>(resolve => (release = resolve))
    await page.route('**/manifest/*/validate*', async route => {
      steps.push('validate')
      await held
      await route.continue()
    })
    await page.route('**/manifest/*/export', async route => {
      steps.push('export')
      await route.continue()
    })
    const open = await start('Library')
    await expectShown(open.getByText('Validating...', { exact: true }))
    await expectShown(open.getByText('Library', { exact: true }))
    await expect.poll(() => open.locator('footer').getByRole('button').allTextContents()).toEqual(['Close'])
    await saveScreenshot(page, 'export-cdm-validating')
    release()
    await expectShown(open.getByRole('button', { name: 'Export' }))
    await captureDownload(page, () => press(open, 'Export'))
    expect(steps).toEqual(['validate', 'export'])
  })

  it(
    'errors of the validation are links to their objects, and Close is the only button',
    holds('M2.177', 'M2.178'),
    async () => {
      const open = await start('Nothing')
      await expectShown(open.getByRole('alert').getByText('Nothing has no entity.'))
      // One button in the title bar, one in the footer.
      await expect.poll(() => buttonsOf(open)).toEqual(['Close', 'Close'])
      const link = open.getByRole('list', { name: 'Errors' }).getByRole('link', { name: 'Nothing', exact: true })
      await tabTo(page, link)
      await keys(page, 'Enter')
      await open.waitFor({ state: 'detached' })
      await expectShown(manifestDocument(page, 'Nothing'))
    },
  )

  it('a failed validation request is shown as an error', holds('M2.177'), async () => {
    await refuse(page, 'POST', /\/validate/, 'Thing has no primary key.')
    const open = await start('Library')
    await expectShown(open.getByRole('alert').getByText('Thing has no primary key.', { exact: true }))
    await press(open, 'Close')
  })

  it(
    'an unavailable validation closes the dialog and reports the reason, also for a database schema',
    holds('M8.14'),
    async () => {
      for (const [kind, status, message] of [
        ['CDM Schema', 404, 'The manifest was not found.'],
        ['Database Schema', 503, 'Too much to do.'],
      ] as const) {
        await page.route(/\/validate/, route => route.fulfill({ status, json: { message, code: 'x' } }))
        await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Library'), `Export > ${kind}`)
        await expectShown(snackbar(page, `Unable to open export manifest dialog - ${message}`))
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
        await page.unroute(/\/validate/)
      }
    },
  )
})

describe('Step 2 of the export of a CDM schema', () => {
  it(
    'the dialog lists what the documents cannot express, and the downloaded zip can be imported',
    holds('M1.9', 'M1.17', 'M2.171', 'M7.41', 'M7.42'),
    async () => {
      const open = await start('Library')
      const omissions = open.getByText('1 item that its documents do not support', { exact: true })
      await omissions.click()
      await expectShown(
        open.getByRole('list', { name: 'Content that its documents do not support' }).getByText(/publisherId/),
      )
      // Notes about databases do not apply to documents.
      await expect
        .poll(() => open.locator('summary').allTextContents())
        .toEqual(['1 item that its documents do not support'])
      await expectAccessible(page, 'export-cdm')
      const request = page.waitForRequest(/\/manifest\/\d+\/export$/)
      const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
      expect((await request).postDataJSON()).toEqual({ exportType: 'CDM_SCHEMA', databaseType: 'postgresql' })
      await open.waitFor({ state: 'detached' })
      await expectShown(snackbar(page, 'Downloaded Library-cdm.zip.'))
      expect(name).toBe('Library-cdm.zip')
      expect([...readArchive(bytes).keys()]).toEqual([
        'Book.cdm.json',
        'Lending/Lending.manifest.cdm.json',
        'Lending/Loan.cdm.json',
        'Library.manifest.cdm.json',
        'cadmus.json',
      ])
      const report = await importManifest(page, name, bytes)
      await expectShown(report)
      await press(report, 'Close')
      const entities = await nodeAt(page, 'Custom', 'Manifests', 'Library_2', 'Entities')
      await expand(entities)
      await expect.poll(() => childrenOf(page, entities)).toEqual(['Book'])
    },
  )

  it('the dialog confirms a lossless export and omits the list if it cannot be read', async () => {
    const open = await start('Lending')
    await expectShown(open.getByText('Its documents support all content.', { exact: true }))
    await press(open, 'Close')
    await refuse(page, 'POST', /\/export\/preview/)
    const again = await start('Lending')
    await expectShown(again.getByRole('button', { name: 'Export' }))
    await expect.poll(() => again.getByText(/^Looking for/).count()).toBe(0)
    await expect.poll(() => again.getByRole('alert').count()).toBe(0)
    await press(again, 'Close')
  })

  it('a failed export is shown in the dialog and can be repeated', holds('M8.3', 'M8.29'), async () => {
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
    expect(name).toBe('Lending-cdm.zip')
  })

  it('closing the dialog cancels a running export', async () => {
    const open = await start('Library')
    const call = /\/manifest\/\d+\/export$/
    const sent = page.waitForRequest(call)
    const aborted = page.waitForEvent('requestfailed', { predicate: request => call.test(request.url()) })
    await page.route(call, () => undefined)
    await press(open, 'Export')
    await sent
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
    expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
    const row = await nodeAt(page, 'Custom', 'Manifests', 'Library')
    await expect.poll(() => hasFocus(row)).toBe(true)
  })
})

describe('Starting the export of a CDM schema', () => {
  it(
    'the toolbar requests a manifest if none is open or selected, and the export works by keyboard alone',
    holds('M2.22'),
    async () => {
      const party = await apiOf(page).entityNamed('Party', 'DEFAULT')
      await openEntity(page, { id: party, name: 'Party' })
      await (await nodeAt(page, 'Standard')).click()
      await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Generate CDM Schema' }).focus()
      await keys(page, 'Enter')
      const choice = dialog(page, 'Generate CDM Schema')
      const picker = choice.getByRole('combobox', { name: 'Manifest' })
      await tabTo(page, picker)
      await keys(page, 'Enter')
      await expectShown(page.getByRole('option').first())
      await page.keyboard.type('Confused')
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
      await keys(page, 'ArrowDown', 'Enter')
      await expect.poll(() => picker.textContent()).toBe('Confused')
      await tabTo(page, choice.getByRole('button', { name: 'Next' }))
      await keys(page, 'Enter')
      const button = dialog(page, 'Export CDM Schema').getByRole('button', { name: 'Export' })
      await expectShown(button)
      await tabTo(page, button)
      // Entities of the same name in different folders are not an error.
      const { name, bytes } = await captureDownload(page, () => keys(page, 'Enter'))
      expect(name).toBe('Confused-cdm.zip')
      expect([...readArchive(bytes).keys()]).toEqual(
        expect.arrayContaining(['Left/Twofold.cdm.json', 'Right/Twofold.cdm.json']),
      )
    },
  )

  it('the context menu offers the CDM schema below Export, by keyboard', holds('M2.61'), async () => {
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
    await keys(page, 'Enter')
    await expectShown(dialog(page, 'Export CDM Schema').getByRole('button', { name: 'Export' }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(row)).toBe(true)
  })

  it('the palette finds the export by synonyms', async () => {
    await keys(page, 'Control+k')
    await page.keyboard.type('common data model')
    await expectShown(page.getByRole('option', { name: /Generate CDM Schema/ }))
    await keys(page, 'Escape')
  })

  it('the export offers to save unsaved changes first and then contains them', async () => {
    await openEntity(page, book)
    await setText(page, 'Entity', 'Description', 'Bound paper')
    await expect.poll(() => tab(page, 'Book').textContent()).toMatch(/unsaved changes/)
    const confirmation = question(page, 'Export CDM Schema')
    const row = await nodeAt(page, 'Custom', 'Manifests', 'Library')
    await row.focus()
    await keys(page, 'Shift+F10')
    await expect.poll(() => focusText(page)).toMatch(/^Add Entity/)
    await page.getByRole('menuitem', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'CDM Schema' }).click()
    await expectShown(confirmation.getByText('1 unsaved change in "Book". An export contains saved changes only.'))
    await press(confirmation, 'Save')
    const { bytes } = await captureDownload(page, () => press(dialog(page, 'Export CDM Schema'), 'Export'))
    const document = new TextDecoder().decode(Buffer.from(readArchive(bytes).get('Book.cdm.json') ?? ''))
    expect(document).toContain('"description": "Bound paper"')
    expect(journey.complaints).toEqual([])
  })
})
