import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import {
  columnHeaders,
  expectSaved,
  openEntity,
  pageSizes,
  record,
  refuse,
  tool,
  toolDialog,
} from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText } from './driver/entity.ts'
import { menuLines } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const parent: EntityRef = await api.createEntity(
  { name: 'Base', typeAttributes: ['aa', 'bb', 'cc'].map(name => ({ name })) },
  shop,
)
const child: EntityRef = await api.createEntity(
  {
    name: 'Derived',
    description: 'A child of Base',
    extendsEntity: { id: parent.id },
    typeAttributes: [{ name: 'AA' }],
  },
  shop,
)
const typeAttributes = Array.from({ length: 40 }, (_, at) => ({ name: `field_${String(at + 1).padStart(2, '0')}` }))
const wide: EntityRef = await api.createEntity({ name: 'Wide', typeAttributes }, shop)
// Tables have pages from 500 rows on.
const many = Array.from({ length: 520 }, (_, at) => ({ name: `field_${String(at + 1).padStart(3, '0')}` }))
const long: EntityRef = await api.createEntity({ name: 'Long', typeAttributes: many }, shop)

const tabs = (name: string) => page.getByRole('tablist', { name: `Parts of ${name}` }).getByRole('tab')
const toRelationships = () => page.getByRole('tab', { name: /^Relationships/ }).click()
const search = (label: string) => page.getByRole('textbox', { name: `Search ${label}` })

describe('Entity header', () => {
  it('shows name, parent and tabs', holds('E2.63', 'E2.64', 'E2.65', 'E2.67', 'E2.68', 'E2.69', 'E2.71'), async () => {
    const document = await openEntity(page, child)
    await expectShown(document.getByRole('heading', { name: 'Derived', exact: true }))
    await expectShown(document.getByText('extends Base', { exact: true }))
    await expectShown(document.getByText('A child of Base', { exact: true }))
    await expect
      .poll(async () => (await tabs('Derived').allTextContents()).map(text => text.replace(/\d+$/, '')))
      .toEqual(['Type Attributes', 'Relationships', 'Extended Attributes', 'Compare'])
    await expect.poll(() => tabs('Derived').first().getAttribute('aria-selected')).toBe('true')
    await openEntity(page, parent)
    await expect.poll(() => tabs('Base').allTextContents()).toHaveLength(3)
  })

  it(
    'Save has a button only if there are unsaved changes, and no other button of the toolbar moves then',
    holds('E2.49', 'E2.55', 'E4.14', 'E8.11'),
    async () => {
      await openEntity(page, parent)
      const buttons = page.getByRole('toolbar', { name: 'Entity' }).getByRole('button')
      const save = buttons.and(page.locator('[data-primary]'))
      const saveDisabled = () => tool(page, 'Save').getAttribute('aria-disabled')
      await expect.poll(() => Promise.all([save.count(), saveDisabled()])).toEqual([0, 'true'])
      await expect.poll(() => buttons.allTextContents()).toEqual(['Add Attribute', 'Show as Text', 'More'])
      const positions = () => buttons.evaluateAll(all => all.slice(-3).map(one => one.getBoundingClientRect().x))
      const before = await positions()
      await setText(page, 'Entity', 'Description', 'Changed')
      await expect.poll(() => save.allTextContents()).toEqual(['Save'])
      await expect.poll(() => buttons.allTextContents()).toEqual(['Save', 'Add Attribute', 'Show as Text', 'More'])
      await expect.poll(saveDisabled).toBeNull()
      // A second click would hit another one.
      await expect.poll(() => positions()).toEqual(before)
      await tool(page, 'Save').click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await save.waitFor({ state: 'detached' })
      await expect.poll(saveDisabled).toBe('true')
    },
  )

  it(
    'the settings menu lists the actions that the entity allows',
    holds('E2.50', 'E2.51', 'E2.52', 'E2.53', 'E2.54', 'E3.6'),
    async () => {
      const settings = page.getByRole('menu').nth(1)
      await openEntity(page, parent)
      await tool(page, 'Settings').click()
      await expect.poll(() => menuLines(page)).toEqual(['Add to Manifest', 'Extends Entity', 'Delete Entity'])
      await settings.getByRole('menuitem', { name: 'Add to Manifest' }).click()
      await press(dialog(page, 'Add Entity To Manifest'), 'Close')
      await tool(page, 'Settings').click()
      await settings.getByRole('menuitem', { name: 'Extends Entity' }).click()
      await press(dialog(page, 'Extend Entity'), 'Close')
      await tool(page, 'Settings').click()
      await settings.getByRole('menuitem', { name: 'Delete Entity' }).click()
      await press(question(page, 'Delete Entity'), 'Cancel')
      await openEntity(page, child)
      await tool(page, 'Settings').click()
      await expect.poll(() => menuLines(page)).toEqual(['Add to Manifest', 'Delete Extends Entity', 'Delete Entity'])
      await keys(page, 'Escape', 'Escape')
    },
  )
})

describe('Entity toolbar', () => {
  it(
    'the toolbar offers the actions of the open tab, each with its dialog',
    holds('E2.56', 'E2.57', 'E2.58', 'E2.59', 'E2.60', 'E2.61', 'E2.62', 'E3.6'),
    async () => {
      await openEntity(page, parent)
      await press(await toolDialog(page, 'Add Attribute', 'New Type Attribute'), 'Cancel')
      await expect.poll(() => tool(page, 'Add Relationship').count()).toBe(0)
      await toRelationships()
      await expect.poll(() => tool(page, 'Add Attribute').count()).toBe(0)
      await press(await toolDialog(page, 'Add Relationship', 'New Relationship'), 'Cancel')
      await press(await toolDialog(page, 'Add To Manifest', 'Add Entity To Manifest'), 'Close')
      await expect.poll(() => tool(page, 'Delete Extend Entity').count()).toBe(0)
      await press(await toolDialog(page, 'Extend Entity', 'Extend Entity'), 'Close')
      await press(await toolDialog(page, 'Manage Versions', 'Manage Versions'), 'Cancel')
      const { name, bytes } = await captureDownload(page, () => tool(page, 'Export Entity').click())
      expect([name, JSON.parse(new TextDecoder().decode(bytes)).entity.name]).toEqual(['Base.json', 'Base'])
      await tool(page, 'Delete Entity').click()
      await expectShown(
        question(page, 'Delete Entity').getByText('Do you really want to delete the entity?', { exact: true }),
      )
      await press(question(page, 'Delete Entity'), 'Cancel')
      await openEntity(page, child)
      await expect.poll(() => tool(page, 'Extend Entity').count()).toBe(0)
      await expectShown(tool(page, 'Delete Extend Entity'))
    },
  )
})

describe('Type attributes', () => {
  const attributes = () => names(page, 'Type attributes')

  it('the primary key is always the first row, with an icon', holds('E2.72', 'E2.73', 'E2.74', 'E2.77'), async () => {
    await openEntity(page, wide)
    await expect
      .poll(async () => (await columnHeaders(page, 'Type attributes')).slice(0, 3))
      .toEqual(['Name', 'Type', 'Length'])
    const grid = page.getByRole('grid', { name: 'Type attributes' })
    await expect.poll(() => grid.getByText('Primary key', { exact: true }).count()).toBe(1)
    const key = 'svg.lucide-key-round'
    await expect.poll(() => grid.locator('tbody tr').first().locator(key).count()).toBe(1)
    await expect.poll(async () => [(await attributes())[0], await grid.locator(key).count()]).toEqual(['id', 1])
    await search('type attributes').fill('FIELD_3')
    await expect.poll(attributes).toEqual(['id', ...Array.from({ length: 10 }, (_, at) => `field_${30 + at}`)])
    await openEntity(page, long)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(async () => (await attributes()).slice(0, 2)).toEqual(['id', 'field_015'])
  })

  it(
    'a long table shows 15 rows, shows properties of the selected one and stores a dragged order',
    holds('E2.75', 'E2.78', 'E2.81', 'E2.82'),
    async () => {
      await openEntity(page, long)
      await expect.poll(() => attributes()).toHaveLength(15)
      await expect.poll(() => pageSizes(page)).toEqual([15, 30, 50, 100, 200])
      const row4 = row(page, 'Type attributes', 'field_003')
      await row4.click()
      await expect.poll(() => row4.getAttribute('aria-selected')).toBe('true')
      await expect
        .poll(() => property(page, 'Type Attribute', 'Name').getByRole('textbox').inputValue())
        .toBe('field_003')
      await row4.dragTo(row(page, 'Type attributes', 'field_001'), { targetPosition: { x: 80, y: 3 } })
      await expect
        .poll(async () => (await attributes()).slice(0, 4))
        .toEqual(['id', 'field_003', 'field_001', 'field_002'])
      await keys(page, 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await page.reload()
      await expect
        .poll(async () => (await attributes()).slice(0, 4))
        .toEqual(['id', 'field_003', 'field_001', 'field_002'])
    },
  )

  it('deleting an attribute requires confirmation and a later Save', holds('E2.79', 'E8.18', 'E4.24'), async () => {
    await openEntity(page, wide)
    const calls = record(page)
    const remove = async (answer: string) => {
      await row(page, 'Type attributes', 'field_05').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await press(question(page, 'Delete Type Attributes?'), answer)
    }
    await remove('Cancel')
    await expect.poll(() => attributes()).toContain('field_05')
    await remove('Delete')
    await expect.poll(attributes).not.toContain('field_05')
    await addAttribute(page, 'brand_new')
    expect(calls.filter(call => call.method !== 'GET')).toEqual([])
    // Drafts are stored by the browser only.
    await page.reload()
    await expectShown(page.getByText(/^Restored draft: 2 unsaved changes/))
    await expect.poll(() => attributes()).not.toContain('field_05')
    await tool(page, 'Discard changes').click()
    await expect.poll(attributes).toContain('field_05')
    await search('type attributes').fill('brand_new')
    await expectShown(page.getByText('No type attributes to display', { exact: true }))
  })
})

describe('Extended attributes', () => {
  it(
    'the tab lists inherited attributes that the entity does not override, read-only',
    holds('E2.57', 'E2.95', 'E2.96', 'E2.97'),
    async () => {
      await openEntity(page, child)
      await page.getByRole('tab', { name: 'Extended Attributes' }).click()
      await expectShown(page.getByText('All type attributes from Base entity', { exact: true }))
      const extended = () => names(page, 'Extended attributes')
      // The primary key is inherited.
      await expect.poll(extended).toEqual(['id', 'bb', 'cc'])
      for (const add of ['Add Attribute', 'Add Relationship']) await expect.poll(() => tool(page, add).count()).toBe(0)
      const [bb, cc] = [row(page, 'Extended attributes', 'bb'), row(page, 'Extended attributes', 'cc')]
      await cc.dragTo(bb, { targetPosition: { x: 80, y: 3 } })
      await bb.click()
      await keys(page, 'Delete', 'Alt+ArrowDown')
      await bb.click({ button: 'right' })
      await expect.poll(() => extended()).toEqual(['id', 'bb', 'cc'])
      await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Open Base', 'Open Beside'])
      await keys(page, 'Escape')
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
      await expect
        .poll(() => page.getByRole('grid', { name: 'Extended attributes' }).getByRole('textbox').count())
        .toBe(0)
      await expect.poll(() => bb.getAttribute('aria-keyshortcuts')).toBeNull()
      await expect.poll(() => page.getByRole('region', { name: 'Type Attribute', exact: true }).count()).toBe(0)
      await expectSaved(page)
    },
  )

  it(
    'removing the parent requires confirmation and enables Save',
    holds('E4.6', 'E2.69', 'E4.29', 'E4.30', 'E8.20'),
    async () => {
      await openEntity(page, child)
      const extended = property(page, 'Entity', 'Extends')
      await expectShown(extended.getByText('Base', { exact: true }))
      await expect.poll(() => extended.locator('input, textarea, button, select, [role=combobox]').count()).toBe(0)
      await tool(page, 'Delete Extend Entity').click()
      await press(question(page, 'Delete Extended Entity'), 'Cancel')
      await expectShown(entityDocument(page, 'Derived').getByText('extends Base'))
      await expectSaved(page)
      await tool(page, 'Delete Extend Entity').click()
      await press(question(page, 'Delete Extended Entity'), 'Delete')
      await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBeNull()
      await expect.poll(() => page.getByRole('tab', { name: 'Extended Attributes' }).count()).toBe(0)
      await tool(page, 'Discard changes').click()
    },
  )
})

describe('Save failures', () => {
  it(
    "a failed save shows the reason of the server or 'Failed to save entity.' in the document",
    holds('E8.1', 'E2.66'),
    async () => {
      const document = await openEntity(page, parent)
      await refuse(page, 'POST', /\/cdm\/entity\/\d+\/edits/)
      await setText(page, 'Entity', 'Description', 'Once more')
      await tool(page, 'Save').click()
      await expectShown(document.getByRole('alert').getByText('Failed to save entity.', { exact: true }))
      await page.unrouteAll()
      await refuse(page, 'POST', /\/cdm\/entity\/\d+\/edits/, 'Not on a Friday.')
      await tool(page, 'Save').click()
      await expectShown(document.getByRole('alert').getByText('Not on a Friday.', { exact: true }))
      await tool(page, 'Discard changes').click()
    },
  )
})
