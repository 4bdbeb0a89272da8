import { holds } from '@cadmus/testing/holds'
import { startPostgres } from '@cadmus/testing/postgres'
import { describe, expect, it } from 'vitest'
import { cdmFolder, cdmZip } from './driver/cdm.ts'
import { saveScreenshot, signIn, startJourney } from './driver/journey.ts'
import { tool } from './driver/document.ts'
import { addAttribute, entityDocument, manifestDocument, names, property, row, setText } from './driver/entity.ts'
import { exportSchema, importManifest } from './driver/transfer.ts'
import { childrenOf, nodeAt, expand } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey

describe('Main journey', () => {
  it('signing in as designer opens ACME, the only organisation', holds('M2.17'), async () => {
    await signIn(page)
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: 'Profile of Dan Designer' }).click()
    await expectShown(page.getByRole('menu').getByText('designer@example.com'))
    await expectShown(page.getByRole('menuitem', { name: 'Organizations (Acme Trading)' }))
    await keys(page, 'Escape')
  })

  it('the tree shows Standard, Custom and the example manifest Shop', holds('E2.2', 'E2.3'), async () => {
    const custom = await nodeAt(page, 'Custom')
    await expect.poll(() => childrenOf(page, custom)).toEqual(['Entities', 'Manifests'])
    const shop = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    await expand(shop)
    await expect.poll(() => childrenOf(page, shop)).toEqual(['Entities', 'Sub-Manifests'])
    const standard = await nodeAt(page, 'Standard')
    await expand(standard)
    await expect.poll(() => childrenOf(page, standard)).toEqual(['Entities', 'Manifests'])
    await expectShown(await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account'))
    await saveScreenshot(page, 'journey-navigator')
  })

  it('the wizard creates a manifest with library and custom entities', holds('M2.19', 'M2.122'), async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Manifest' }).click()
    const wizard = dialog(page, 'Create Manifest')
    await wizard.getByLabel('Name').fill('Sales')
    await press(wizard, 'Next')
    await wizard.getByRole('checkbox', { name: 'Show Core Entities' }).click()
    for (const name of ['Account', 'Contact', 'Product']) {
      await find(page, wizard, 'Entity', name, '')
      await press(wizard, 'Add')
    }
    await wizard.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await wizard.getByRole('textbox', { name: 'Name' }).fill('SpecialOrder')
    await press(wizard, 'Add')
    await expect.poll(() => names(page, 'Entities')).toEqual(['Account', 'Contact', 'Product', 'SpecialOrder'])
    await saveScreenshot(page, 'journey-wizard')
    await press(wizard, 'Finish')
    await expectShown(snackbar(page, 'Successfully created manifest.'))
    await expectShown(manifestDocument(page, 'Sales'))
    const entities = await nodeAt(page, 'Custom', 'Manifests', 'Sales', 'Entities')
    await expand(entities)
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Sales', 'Entities', 'SpecialOrder'))
    await expect.poll(() => childrenOf(page, entities)).toEqual(['Account', 'Contact', 'Product', 'SpecialOrder'])
  })

  it(
    'SpecialOrder gets attributes of several data types, choices and a max length',
    holds('E2.56', 'E2.159'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Sales', 'Entities', 'SpecialOrder')).dblclick()
      await expectShown(entityDocument(page, 'SpecialOrder'))
      const dataTypes = ['boolean', 'dateTime', 'integer']
      for (const type of dataTypes) {
        await addAttribute(page, `${type}Field`, type)
      }
      await addAttribute(page, 'status')
      await row(page, 'Type attributes', 'status').click()
      await setText(page, 'Type Attribute', 'Max Length', '20')
      await property(page, 'Type Attribute', 'Choices').getByRole('button', { name: 'Edit Choices' }).click()
      const choices = dialog(page, 'Choices')
      for (const name of ['Open', 'Shipped', 'Cancelled']) {
        await choices.getByRole('textbox', { name: 'Name' }).fill(name)
        await press(choices, 'Add')
      }
      await press(choices, 'Save')
      await expect
        .poll(() => names(page, 'Type attributes'))
        .toEqual(['id', ...dataTypes.map(type => `${type}Field`), 'status'])
    },
  )

  it('a new relationship is saved together with pending attributes', holds('E2.131'), async () => {
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await tool(page, 'Add Relationship').click()
    const open = dialog(page, 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('orderingAccountId')
    await find(page, open, 'Associated Entity', 'Account', 'user-defined/Sales')
    const target = open.getByRole('combobox', { name: 'Target Attribute' })
    await expect.poll(() => target.textContent()).toBe('accountId')
    await press(open, 'Finish')
    await expectShown(snackbar(page, "Successfully added 'orderingAccountId' entity attribute!"))
    await expectShown(row(page, 'Relationships', 'Account'))
  })

  it('dragging an attribute changes the order, which is stored with choices and length', holds('E2.75'), async () => {
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await expect.poll(() => names(page, 'Type attributes')).toContain('status')
    const before = await names(page, 'Type attributes')
    await row(page, 'Type attributes', 'status').dragTo(row(page, 'Type attributes', before[1] ?? ''), {
      targetPosition: { x: 80, y: 3 },
    })
    const order = ['id', 'status', ...before.slice(1).filter(name => name !== 'status')]
    await expect.poll(() => names(page, 'Type attributes')).toEqual(order)
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await saveScreenshot(page, 'journey-entity')

    await page.reload()
    await expectShown(entityDocument(page, 'SpecialOrder'))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(order)
    await row(page, 'Type attributes', 'status').click()
    await expect.poll(() => property(page, 'Type Attribute', 'Max Length').getByRole('textbox').inputValue()).toBe('20')
    await property(page, 'Type Attribute', 'Choices').getByRole('button', { name: 'Edit Choices' }).click()
    await expect
      .poll(() => dialog(page, 'Choices').getByRole('listitem').allTextContents())
      .toEqual(['Open', 'Shipped', 'Cancelled'])
    await press(dialog(page, 'Choices'), 'Cancel')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await expectShown(row(page, 'Relationships', 'Account'))
  })

  it('a CDM folder is imported completely, and one of its entities can be opened', holds('M2.25'), async () => {
    const { name, bytes } = cdmFolder()
    const report = await importManifest(page, name, bytes)
    await expectShown(snackbar(page, "Manifest 'clinic' successfully imported"))
    await saveScreenshot(page, 'journey-import-report')
    await press(report, 'Close')
    const clinic = await nodeAt(page, 'Custom', 'Manifests', 'clinic')
    const subManifests = await nodeAt(page, 'Custom', 'Manifests', 'clinic', 'Sub-Manifests')
    await expand(subManifests)
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'clinic', 'Sub-Manifests', 'care'))
    await expect.poll(() => childrenOf(page, subManifests)).toEqual(expect.arrayContaining(['care', 'billing']))
    await expect.poll(() => childrenOf(page, clinic)).toEqual(['Entities', 'Sub-Manifests'])
    await (await nodeAt(page, 'Custom', 'Manifests', 'clinic', 'Entities', 'Animal')).dblclick()
    await expectShown(entityDocument(page, 'Animal'))
    await expect.poll(async () => (await names(page, 'Type attributes')).length).toBeGreaterThan(1)
  })

  it('the PostgreSQL schema of Sales runs unchanged on an empty database', holds('M7.40'), async () => {
    const { name, script } = await exportSchema(page, 'Sales')
    expect(name).toBe('Sales-postgresql.zip')
    const tables = await listCreatedTables(script)
    expect(tables).toEqual(expect.arrayContaining(['Account', 'Contact', 'Product', 'SpecialOrder']))
  })
})

describe('A real archive', () => {
  const [file, entities] = ['customer-insights-journeys.zip', 102]
  const bytes = cdmZip(file)
  it.skipIf(bytes === null)(`${entities} entities are imported and exported to a script that runs`, async () => {
    const report = await importManifest(page, file, bytes ?? new Uint8Array())
    const counts = report.getByRole('definition')
    await expect.poll(() => counts.nth(1).textContent()).toBe(String(entities))
    const open = report.getByRole('button', { name: /^Open / })
    const manifest = ((await open.textContent()) ?? '').replace('Open ', '')
    await open.click()
    await expectShown(manifestDocument(page, manifest))
    const { script } = await exportSchema(page, manifest)
    expect((await listCreatedTables(script)).length).toBeGreaterThan(entities / 2)
  })
})

it('the page reports no errors', () => {
  expect(journey.complaints).toEqual([])
})

/** Runs a script on an empty database and lists the tables it creates. */
async function listCreatedTables(script: string): Promise<string[]> {
  const postgres = await startPostgres()
  const database = await postgres.createDatabase()
  try {
    await database.execute(script)
    const tables = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return tables.map(table => String(table['tablename']))
  } finally {
    await database.drop()
    await postgres.stop()
  }
}
