import { writeArchive } from '@cadmus/formats/archive'
import { hasHidden } from '@cadmus/model/display'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { entityDocument, manifestDocument, row, tab } from './driver/entity.ts'
import { focusText, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { beginImport, importManifest } from './driver/transfer.ts'
import { childrenOf, menu, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, find, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

const sales = `CREATE TABLE customer (id bigint PRIMARY KEY, name varchar(80) NOT NULL);
CREATE TABLE sale (id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE);
CREATE VIEW v AS SELECT 1;
`
const zipOf = (name: string, script: string) => ({
  name: `${name}.zip`,
  mimeType: 'application/zip',
  buffer: Buffer.from(writeArchive(new Map([[`${name}.sql`, script]]))),
})
const main = page.getByRole('toolbar', { name: 'Main' })
const radio = (open: Locator, name: string) => open.getByRole('radio', { name, exact: true })
const isOn = (open: Locator, name: string) => radio(open, name).getAttribute('aria-checked')
const readDisabled = (open: Locator, button: string) =>
  open.getByRole('button', { name: button, exact: true }).last().getAttribute('aria-disabled')

async function start(): Promise<Locator> {
  await main.getByRole('button', { name: 'Import' }).click()
  const open = dialog(page, 'Import')
  await expectShown(open)
  return open
}

/** Lists the entities of a manifest that the tree has loaded. */
async function entitiesOf(manifest: string): Promise<string[]> {
  const entities = await nodeAt(page, 'Custom', 'Manifests', manifest, 'Entities')
  await expand(entities)
  return childrenOf(page, entities)
}

describe('Step 1 of the import', () => {
  it(
    'the step offers Entity and Manifest, and CDM Schema and Database Schema for a manifest',
    holds('M2.203', 'M2.204'),
    async () => {
      const open = await start()
      const contentKinds = open.getByRole('radiogroup', { name: 'What to import' })
      await expect.poll(() => contentKinds.getByRole('radio').count()).toBe(2)
      await radio(open, 'Entity').click()
      await expect.poll(() => open.getByRole('radio').count()).toBe(2)
      await radio(open, 'Manifest').click()
      const kinds = open.getByRole('radiogroup', { name: 'Import manifest as' })
      await expect.poll(() => kinds.getByRole('radio').count()).toBe(2)
      await expect
        .poll(() => Promise.all(['CDM Schema', 'Database Schema'].map(kind => isOn(open, kind))))
        .toEqual(['true', 'false'])
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )

  it('returning from the file step restores the selected format', holds('M2.210'), async () => {
    const open = await start()
    await radio(open, 'Database Schema').click()
    await press(open, 'Next')
    await expectShown(open.locator('input[type=file]').locator('xpath=../..').getByText('Manifest file'))
    await expect.poll(() => readDisabled(open, 'Finish')).toBe('true')
    await press(open, 'Back')
    await expect.poll(() => isOn(open, 'Database Schema')).toBe('true')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Steps of the import', () => {
  const buttons = (open: Locator) => open.locator('footer').getByRole('button').allTextContents()
  const choose = async (open: Locator, name: string) => {
    const chooser = page.waitForEvent('filechooser')
    await press(open, 'Choose file')
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
  }

  it(
    'an entity import requests a target and a .json file, and rejects other files',
    holds('M2.205', 'M2.206', 'M2.207', 'M2.209', 'M2.210', 'M8.36', 'M8.37'),
    async () => {
      const open = await start()
      await open.getByRole('radio', { name: 'Entity', exact: true }).click()
      await press(open, 'Next')
      await expectShown(open.getByRole('combobox', { name: 'Target manifest' }))
      await press(open, 'Next')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Finish'])
      await expect.poll(() => open.locator('input[type=file]').getAttribute('accept')).toBe('.json')
      await choose(open, 'entity.txt')
      await expectShown(open.getByRole('alert').getByText('.json'))
      await expect.poll(() => readDisabled(open, 'Finish')).toBe('true')
      await choose(open, 'entity.json')
      await press(open, 'Finish')
      await expectShown(open.getByRole('alert').getByText('"entity.json" is not a JSON document.', { exact: true }))
      await press(open, 'Back')
      await expectShown(open.getByRole('combobox', { name: 'Target manifest' }))
      await press(open, 'Cancel')
    },
  )

  it(
    'a manifest import requests a .zip file and rejects other files',
    holds('M2.205', 'M2.206', 'M2.208', 'M2.209', 'M2.210'),
    async () => {
      const open = await start()
      await open.getByRole('radio', { name: 'Manifest', exact: true }).click()
      await press(open, 'Next')
      await expect.poll(() => open.locator('input[type=file]').getAttribute('accept')).toBe('.zip')
      await choose(open, 'folder.json')
      await expectShown(open.getByRole('alert').getByText('.zip'))
      await expect.poll(() => readDisabled(open, 'Finish')).toBe('true')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Finish'])
      await press(open, 'Back')
      await expectShown(open.getByRole('radio', { name: 'Manifest', exact: true }))
      await press(open, 'Cancel')
      await expect.poll(() => manifestDocument(page, 'folder').count()).toBe(0)
    },
  )
})

describe('Entity import', () => {
  it(
    'an exported entity can be imported at a manifest or at its Entities folder',
    holds('E2.16', 'M1.16', 'M2.63', 'M8.60', 'M8.65'),
    async () => {
      await apiOf(page).createManifest('Yard')
      await page.reload()
      const country = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Country')
      const { name, bytes } = await captureDownload(page, () => menu(page, country, 'Export Entity'))
      expect(name).toBe('Country.json')
      await expectShown(snackbar(page, 'Exported entity: Country'))
      const open = dialog(page, 'Import')
      const openAtTarget = async (...below: string[]) => {
        await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard', ...below), 'Import Entity')
        await expect.poll(() => isOn(open, 'Entity')).toBe('true')
        await press(open, 'Next')
        await expectShown(open.getByRole('combobox', { name: 'Target manifest' }).getByText('Yard', { exact: true }))
      }
      await openAtTarget('Entities')
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
      await openAtTarget()
      await press(open, 'Next')
      await open
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(bytes) })
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully imported entity.'))
      // The report notes that the entity is a copy of an existing one.
      await press(dialog(page, 'Import finished'), 'Close')
      await expect.poll(() => entitiesOf('Yard')).toEqual(['Country'])
    },
  )
})

describe('A CDM folder with several versions of its root manifest', () => {
  const versions = (name: string) => {
    const files = ['1.0', '2.0'].map(version => {
      const manifest = { manifestName: `${name}${version.slice(0, 1)}`, entities: [] }
      return [`${name}.${version}.manifest.cdm.json`, JSON.stringify(manifest)] as const
    })
    return { ...zipOf(name, ''), buffer: Buffer.from(writeArchive(new Map(files))) }
  }
  const root = (open: Locator) => open.getByRole('combobox', { name: 'Root manifest' })

  it('the import suggests the newest root manifest, and another one can be selected and imported by keyboard', async () => {
    const open = await start()
    await press(open, 'Next')
    await open.locator('input[type=file]').setInputFiles(versions('Field'))
    await expect.poll(() => root(open).count()).toBe(0)
    await press(open, 'Finish')
    await expectShown(open.getByRole('alert').getByText('The folder has several root manifests'))
    await expect.poll(() => root(open).textContent()).toBe('Field.2.0.manifest.cdm.json')
    await tabTo(page, root(open))
    await keys(page, 'ArrowDown')
    await expectShown(page.locator('[role=option][data-highlighted]', { hasText: 'Field.2.0.manifest.cdm.json' }))
    await keys(page, 'ArrowDown')
    await expectShown(page.locator('[role=option][data-highlighted]', { hasText: 'Field.1.0.manifest.cdm.json' }))
    await keys(page, 'Enter')
    await expect.poll(() => root(open).textContent()).toBe('Field.1.0.manifest.cdm.json')
    await open.getByRole('alert').waitFor({ state: 'detached' })
    await keys(page, 'Control+Enter')
    await press(dialog(page, 'Import finished'), 'Open Field1')
    await expectShown(manifestDocument(page, 'Field1'))
  })
})

describe('Database schema import', () => {
  it(
    'a database schema becomes a manifest, and the report lists ignored statements by file and line',
    holds('M1.17', 'M3.96', 'M8.48'),
    async () => {
      const { name, buffer } = zipOf('Sales', sales)
      const report = await importManifest(page, name, buffer, 'Database Schema')
      await expectShown(report.getByText("Manifest 'Sales' successfully imported", { exact: true }))
      await expectShown(snackbar(page, "Manifest 'Sales' successfully imported"))
      await expect
        .poll(() => report.locator('dl').locator('dt, dd').allTextContents())
        .toEqual(['Files read', '1', 'Entities', '2', 'Manifests', '1', 'Relationships', '1'])
      const notes = report.getByRole('list', { name: 'Notes' }).getByRole('listitem')
      await expect.poll(() => notes.allTextContents()).toEqual(["Lost. Line 3: Views are not imported: 'v'. Sales.sql"])
      const facts = report.getByRole('list', { name: 'What was read' }).getByRole('listitem')
      await expect.poll(() => facts.first().textContent()).toBe('Read as PostgreSQL.')
      await expectAccessible(page, 'import-schema-report', 'all')
      await press(report, 'Open Sales')
      await expectShown(manifestDocument(page, 'Sales'))
      await expect.poll(() => entitiesOf('Sales')).toEqual(['customer', 'sale'])
    },
  )

  it(
    'an unreadable file is reported with the position of the error and can be replaced in the dialog',
    holds('M8.36', 'M8.37', 'M5.61'),
    async () => {
      const open = await start()
      await radio(open, 'Database Schema').click()
      await press(open, 'Next')
      await expect.poll(() => readDisabled(open, 'Finish')).toBe('true')
      await open.locator('input[type=file]').setInputFiles({ ...zipOf('Torn', sales), buffer: Buffer.from('PK torn') })
      await press(open, 'Finish')
      const torn = open.getByRole('alert').getByText('This is not a zip archive, or it is truncated.', { exact: true })
      await expectShown(torn)
      await open.locator('input[type=file]').setInputFiles(zipOf('Broken', 'CREATE TABLE t (\n a int;'))
      await torn.waitFor({ state: 'detached' })
      await press(open, 'Finish')
      const refusal = open
        .getByRole('alert')
        .getByText(`"Broken.sql", line 2, column 7: ')' is expected, but there is ';'.`)
      await expectShown(refusal)
      await press(open, 'Back')
      await refusal.waitFor({ state: 'detached' })
      await press(open, 'Next')
      await open.locator('input[type=file]').setInputFiles(zipOf('Mended', 'CREATE TABLE t (\n a int);'))
      await press(open, 'Finish')
      await press(dialog(page, 'Import finished'), 'Close')
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Mended'))
      await expect.poll(() => page.getByRole('treeitem', { name: 'Broken', exact: true }).count()).toBe(0)
    },
  )

  it('a review shows what was read and what is lost, and entities can be left out by keyboard', async () => {
    const open = await start()
    await radio(open, 'Database Schema').click()
    await press(open, 'Next')
    await open.locator('input[type=file]').setInputFiles(zipOf('Reviewed', sales))
    await press(open, 'Review')
    const tree = open.getByRole('tree', { name: 'What is imported' })
    await expectShown(tree.getByRole('treeitem', { name: 'sale' }))
    await expectShown(open.getByRole('row', { name: 'tables 2 2 0' }))
    const findings = open.getByRole('list', { name: 'Findings' }).getByRole('listitem')
    await expect
      .poll(() => findings.allTextContents())
      .toEqual(["Lost Line 3: Views are not imported: 'v'. Reviewed.sql"])
    await expectAccessible(page, 'import-review', 'all')
    await tree.getByRole('treeitem', { name: 'sale' }).click()
    await expectShown(open.getByText('Nothing is lost or changed.'))
    await keys(page, 'Space')
    await expectShown(open.getByText('1 of 2 entities chosen'))
    await press(open, 'Finish')
    const report = dialog(page, 'Import finished')
    await expectShown(report.getByText(reviewTexts.leftOut(1, 1, 1)))
    await press(report, 'Open Reviewed')
    await expect.poll(() => entitiesOf('Reviewed')).toEqual(['customer'])
  })

  it('a reviewed file is imported into an existing manifest, where its entities are merged', async () => {
    const open = await start()
    await radio(open, 'Database Schema').click()
    await press(open, 'Next')
    await open
      .locator('input[type=file]')
      .setInputFiles(zipOf('Again', sales.replace('name varchar', 'mail text, name varchar')))
    await press(open, 'Review')
    await press(open, 'Existing Manifest')
    await find(page, open, 'Manifest', 'Reviewed')
    const tree = open.getByRole('tree', { name: 'What is imported' })
    await tree.getByRole('treeitem', { name: 'customer 3 columns · merge' }).click()
    await expectShown(open.getByRole('combobox', { name: 'It exists already' }))
    await expectAccessible(page, 'import-into', 'all')
    await press(open, 'Finish')
    await expectShown(snackbar(page, "Imported into 'Reviewed': 1 added, 1 changed, 0 as before."))
    await press(dialog(page, 'Import finished'), 'Open Reviewed')
    await expect.poll(() => entitiesOf('Reviewed')).toEqual(['customer', 'sale'])
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(() => entitiesOf('Reviewed')).toEqual(['customer'])
    const customer = await nodeAt(page, 'Custom', 'Manifests', 'Reviewed', 'Entities', 'customer')
    await customer.dblclick()
    await expectShown(row(page, 'Type attributes', 'name'))
    await expect.poll(() => row(page, 'Type attributes', 'mail').count()).toBe(0)
  })

  it('an import that adds to enumerations says so in its review, and is taken back as a whole', async () => {
    const script = (values: string) =>
      `CREATE TYPE mood AS ENUM (${values}); CREATE TABLE person (id int PRIMARY KEY, mood mood);`
    const begun = async (values: string) => {
      const open = await start()
      await radio(open, 'Database Schema').click()
      await press(open, 'Next')
      await open.locator('input[type=file]').setInputFiles(zipOf('Moody', script(values)))
      return open
    }
    await press(await begun("'sad'"), 'Finish')
    await press(dialog(page, 'Import finished'), 'Open Moody')
    const open = await begun("'sad', 'glad'")
    await press(open, 'Review')
    await press(open, 'Existing Manifest')
    await find(page, open, 'Manifest', 'Moody')
    await expectShown(open.getByText(reviewTexts.enumeration('mood', false, ['glad'])))
    await press(open, 'Finish')
    await press(dialog(page, 'Import finished'), 'Open Moody')
    const shown = async () => {
      await page.getByRole('tab', { name: /^Enumerations/ }).click()
      return row(page, 'Enumerations', 'mood').innerText()
    }
    await expect.poll(shown).toContain('sad, glad')
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(shown).not.toContain('glad')
  })

  it('a database schema can be imported and opened by keyboard alone', async () => {
    await main.getByRole('button', { name: 'Import' }).focus()
    await keys(page, 'Enter')
    const open = dialog(page, 'Import')
    await expectShown(open)
    await tabTo(page, radio(open, 'CDM Schema'))
    await keys(page, 'ArrowDown')
    await expect.poll(() => isOn(open, 'Database Schema')).toBe('true')
    await keys(page, 'Enter')
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, open.getByRole('button', { name: 'Choose file' }))
    await keys(page, 'Enter')
    await (await chooser).setFiles(zipOf('Typed', sales))
    await expectShown(open.getByText('Typed.zip'))
    await tabTo(page, open.getByRole('button', { name: 'Finish' }))
    await keys(page, 'Enter')
    const report = dialog(page, 'Import finished')
    await expectShown(report)
    const notes = report.getByRole('list', { name: 'Notes' })
    await tabTo(page, notes)
    await tabTo(page, report.getByRole('button', { name: 'Open Typed' }))
    await expect.poll(() => focusText(page)).toBe('Open Typed')
    await keys(page, 'Enter')
    await expectShown(manifestDocument(page, 'Typed'))
    expect(journey.complaints).toEqual([])
  })
})

describe('Cancelling an import', () => {
  it('cancelling an import during the upload imports nothing', async () => {
    const arrival = Promise.withResolvers<void>()
    const sent: Promise<void>[] = []
    await page.route(/\/manifest\/import\?/, route => {
      if (route.request().method() !== 'POST') return route.continue()
      // Continuing an aborted request fails.
      sent.push(arrival.promise.then(() => route.continue()).catch(() => undefined))
      return undefined
    })
    const { name, buffer } = zipOf('Clinic', sales)
    const open = await beginImport(page, name, buffer, 'Database Schema')
    await expect.poll(() => sent.length).toBe(1)
    await open.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    arrival.resolve()
    await Promise.all(sent)
    await page.unroute(/\/manifest\/import\?/)
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    await press(open, 'Cancel')
    const headers = { 'X-Organisation-Code': 'ACME' }
    const answer = await page.request.get('/1.0/cdm/manifest?filter=PRIVATE&search=Clinic', { headers })
    expect((await answer.json()).manifests).toEqual([])
  })
})

// Imported names keep all characters; the page makes invisible ones visible, so that no name can imitate another.

const folderName = 'Fold\u202Ereder'
const entityNames = ['Invo\u202Eecic', 'Invoice', 'Invoice\u200B', 'In\u2066vo\u2069ice', 'Left/Right', 'Left%2FRight']
const displayedNames = [
  'Invo‹U+202E›ecic',
  'Invoice',
  'Invoice‹U+200B›',
  'In‹U+2066›vo‹U+2069›ice',
  'Left/Right',
  'Left%2FRight',
]
const displayedFolder = 'Fold‹U+202E›reder'

/** Builds a zip with deceptive names. */
function hostileFolder(): Uint8Array {
  const documentOf = (entityName: string, index: number) => ({
    definitions: [
      {
        entityName,
        description: 'Not\u202E what it says',
        hasAttributes: [
          { name: `key${index}`, purpose: 'identifiedBy', dataType: 'string' },
          { name: 'am\u200Bount', dataType: 'string', description: 'zero\u2060width' },
          `group\u202E${index}`,
        ],
      },
    ],
  })
  const entities = entityNames.map((entityName, index) => ({
    entityName,
    entityPath: `E${index}.cdm.json/${entityName}`,
  }))
  return writeArchive(
    new Map([
      ['m.manifest.cdm.json', JSON.stringify({ manifestName: folderName, entities, subManifests: [] })],
      ...entityNames.map((name, index): [string, string] => [
        `E${index}.cdm.json`,
        JSON.stringify(documentOf(name, index)),
      ]),
    ]),
  )
}

/** Expects no invisible characters in texts and labels; text areas hold the original text. */
async function expectNothingHidden(where: Locator): Promise<void> {
  const texts = () =>
    where.evaluate(node => {
      const labels = [...node.querySelectorAll('*')].flatMap(one =>
        ['aria-label', 'title', 'placeholder', 'alt'].map(name => one.getAttribute(name) ?? ''),
      )
      const own = [...node.querySelectorAll(':not(textarea)'), node].flatMap(one =>
        [...one.childNodes].filter(child => child.nodeType === Node.TEXT_NODE).map(child => child.textContent ?? ''),
      )
      return [...labels, ...own]
    })
  await expect.poll(async () => (await texts()).map(text => text.replace(/[\n\t]/g, ' ')).filter(hasHidden)).toEqual([])
}

describe('Deceptive names in an imported folder', () => {
  it('the report and its download spell out invisible characters', async () => {
    const report = await importManifest(page, 'hostile.zip', hostileFolder())
    const notes = report.getByRole('list', { name: 'Notes' })
    await expectShown(notes.getByText('group‹U+202E›0').first())
    await expectShown(report.getByRole('button', { name: `Open ${displayedFolder}` }))
    await expectNothingHidden(page.locator('body'))
    const downloaded = (format: string) =>
      captureDownload(page, async () => {
        await press(report, 'Download Report')
        await page.getByRole('menuitem', { name: format, exact: true }).click()
      })
    expect((await downloaded('Text')).name).toBe('import-report.txt')
    expect((await downloaded('JSON')).name).toBe('import-report.json')
    const { name, bytes } = await downloaded('CSV')
    expect(name).toBe('import-report.csv')
    const csv = new TextDecoder().decode(bytes)
    const lines = csv.trimEnd().split('\r\n')
    expect(lines[0]).toBe('"Severity","Place","Message"')
    for (const index of entityNames.keys()) expect(csv).toContain(`group‹U+202E›${index}`)
    expect(lines.filter(line => hasHidden(line))).toEqual([])
    await expect.poll(() => notes.getByRole('listitem').count()).toBe(lines.length - 1)
    await press(report, `Open ${displayedFolder}`)
    await report.waitFor({ state: 'detached' })
  })

  it('tree, header, tab and window title spell out invisible characters, so that names differ visibly', async () => {
    await expectShown(manifestDocument(page, displayedFolder))
    await expectNothingHidden(page.locator('body'))
    for (const name of displayedNames.slice(0, 3)) {
      const node = await nodeAt(page, 'Custom', 'Manifests', displayedFolder, 'Entities', name)
      await node.dblclick()
      const open = entityDocument(page, name)
      await expectShown(open)
      await expectShown(open.getByRole('heading', { name, exact: true }))
      await expectShown(tab(page, name))
      await expectShown(row(page, 'Type attributes', 'am‹U+200B›ount'))
      await expect.poll(() => page.title()).toContain(name)
      await expectNothingHidden(page.locator('body'))
    }
  })

  it('a slash in a name creates no folder in the tree or in the path', async () => {
    for (const [name, path] of [
      ['Left/Right', 'Left%2FRight'],
      ['Left%2FRight', 'Left%252FRight'],
    ] as const) {
      await (await nodeAt(page, 'Custom', 'Manifests', displayedFolder, 'Entities', name)).dblclick()
      await expectShown(entityDocument(page, name))
      await expectShown(page.getByRole('complementary', { name: 'Properties' }).getByText(path).first())
    }
    expect(journey.complaints).toEqual([])
  })
})
