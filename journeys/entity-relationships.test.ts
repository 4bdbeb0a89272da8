import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { columnHeaders, pickerOptions, openEntity, pageSizes, record, toolDialog } from './driver/document.ts'
import { names, property, row, setText } from './driver/entity.ts'
import { expectShown, find, pick, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

const { page } = await startJourney()
const shop = await apiOf(page).manifestNamed('Shop')
const wide: EntityRef = await createWide()

/** Creates an entity with 20 relationships: ten to the primary key of one entity, ten to another attribute of a second one. */
async function createWide(): Promise<EntityRef> {
  const api = apiOf(page)
  const buyer = await api.createEntity({ name: 'Buyer' }, shop)
  const typeAttributes = [{ name: 'number', dataType: 'integer' as const }]
  const vendor = await api.createEntity({ name: 'Vendor', typeAttributes }, shop)
  const entityAttributes = Array.from({ length: 20 }, (_, at) => ({
    associatedEntityId: at < 10 ? buyer.id : vendor.id,
    associatedEntityTypeAttribute: at < 10 ? 'id' : 'number',
    foreignKeyAttribute: { typeAttributeName: `link_${String(at + 1).padStart(2, '0')}` },
  }))
  return api.createEntity({ name: 'Linked', entityAttributes }, shop)
}

const toRelationships = () => page.getByRole('tab', { name: /^Relationships/ }).click()
const search = (label: string) => page.getByRole('textbox', { name: `Search ${label}` })

describe('Relationships', () => {
  const links = () => names(page, 'Relationships')
  const shown = () => page.getByRole('grid', { name: 'Relationships' }).locator('tbody tr')

  it('the table has four columns and 15 rows', holds('E2.68', 'E2.84', 'E2.94', 'E3.43', 'E3.47', 'E9.3'), async () => {
    await openEntity(page, wide)
    await toRelationships()
    await expect
      .poll(() => columnHeaders(page, 'Relationships'))
      .toEqual(['Associated Entity', 'Target Entity Attribute', 'Foreign Key Type Attribute', 'Foreign Key Data Type'])
    await expect.poll(links).toHaveLength(15)
    await expect.poll(() => pageSizes(page)).toEqual([15, 30, 50, 100, 200])
    const cells = row(page, 'Relationships', 'link_11').getByRole('gridcell').filter({ hasText: /./ })
    await expect.poll(() => cells.allTextContents()).toEqual(['Vendor', 'number', 'link_11', 'integer'])
  })

  it(
    'the search matches foreign keys and associated entities, ignoring case',
    holds('E2.85', 'E2.86', 'E2.87'),
    async () => {
      const keys = () => shown().evaluateAll(all => all.map(one => one.querySelectorAll('td')[3]?.textContent))
      await search('relationships').fill('link_2')
      await expect.poll(keys).toEqual(['link_20'])
      await search('relationships').fill('LINK_1')
      await expect.poll(keys).toEqual(Array.from({ length: 10 }, (_, at) => `link_${10 + at}`))
      await search('relationships').fill('ENDO')
      await expect.poll(links).toEqual(Array.from({ length: 10 }, () => 'Vendor'))
      await search('relationships').fill('')
      await expect.poll(() => shown().count()).toBe(15)
    },
  )

  it(
    'rows can be selected by click and by checkbox, and the selection bar counts them',
    holds('E2.88', 'E2.89', 'E2.91'),
    async () => {
      const expectSelected = async (...selected: number[]) => {
        const flags = () => shown().evaluateAll(all => all.slice(0, 4).map(one => one.getAttribute('aria-selected')))
        await expect.poll(flags).toEqual([0, 1, 2, 3].map(at => String(selected.includes(at))))
      }
      // On the name, beside which there is a link.
      for (const at of [1, 3])
        await shown()
          .nth(at)
          .getByRole('gridcell')
          .nth(1)
          .click({ position: { x: 16, y: 12 } })
      await expectSelected(3)
      await shown()
        .nth(1)
        .getByRole('gridcell')
        .nth(3)
        .click({ modifiers: ['Control'] })
      await expectSelected(1, 3)
      await expectShown(page.getByText('2 selected', { exact: true }))
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await page.getByRole('checkbox', { name: 'Choose link_01 to Buyer' }).click()
      await page.getByRole('checkbox', { name: 'Choose link_02 to Buyer' }).click()
      await expectSelected(0, 1)
      await page.getByRole('checkbox', { name: 'Choose all rows' }).click()
      await expectShown(page.getByText('20 selected', { exact: true }))
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
    },
  )

  it(
    'deleting two relationships requires confirmation; Cancel sends nothing',
    holds('E2.90', 'E2.92', 'E8.17', 'E8.13'),
    async () => {
      const calls = record(page)
      await shown().nth(0).click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await press(question(page, 'Delete Entity Attributes?'), 'Cancel')
      await question(page, 'Delete Entity Attributes?').waitFor({ state: 'detached' })
      expect(calls.filter(call => call.method === 'DELETE')).toEqual([])
      await page.getByRole('checkbox', { name: 'Choose link_02 to Buyer' }).click()
      await expectShown(page.getByText('2 selected', { exact: true }))
      await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
      await press(question(page, 'Delete Entity Attributes?'), 'Delete')
      await expectShown(snackbar(page, 'Successfully deleted entity attributes!'))
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      await keys(page, 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await page.reload()
      await toRelationships()
      await search('relationships').fill('buyer')
      await expect.poll(() => shown().count()).toBe(8)
      await expect.poll(() => row(page, 'Relationships', 'link_01').count()).toBe(0)
    },
  )
})

describe('New Relationship', () => {
  let order: EntityRef
  let land: EntityRef

  beforeAll(async () => {
    order = await apiOf(page).createEntity(
      { name: 'Voyage', typeAttributes: [{ name: 'countryId' }, { name: 'note' }] },
      shop,
    )
    land = await apiOf(page).createEntity({ name: 'Land', typeAttributes: [{ name: 'code' }] }, shop)
  })

  const start = async (): Promise<Locator> => {
    await openEntity(page, order)
    await toRelationships()
    return toolDialog(page, 'Add Relationship', 'New Relationship')
  }

  it('the entity picker excludes the entity itself and says why', holds('E2.131', 'E5.35'), async () => {
    const open = await start()
    expect((await pickerOptions(page, open, 'Associated Entity', 'Voyage')).join(' ')).not.toContain('Voyage')
    await expectShown(
      page.getByText('An entity cannot have a relationship to itself here. Imports keep such relationships.'),
    )
    await keys(page, 'Escape')
    await press(open, 'Cancel')
  })

  it(
    'replacing an attribute by a relationship requires confirmation and is stored by Save',
    holds(
      'E3.45',
      'E3.46',
      'E3.48',
      'E3.51',
      'E3.52',
      'E3.53',
      'E3.54',
      'E3.55',
      'E3.56',
      'E3.57',
      'E3.58',
      'E4.26',
      'E4.27',
      'E5.31',
      'E5.32',
      'E5.33',
      'E5.34',
      'E8.14',
    ),
    async () => {
      const open = await start()
      const calls = record(page)
      await open.getByLabel('Foreign Key Name').fill('countryId')
      await find(page, open, 'Associated Entity', 'Land', 'user-defined/Shop')
      await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
      await press(open, 'Finish')
      const confirmation = question(page, 'Add New Relationship')
      const message = "This will delete the 'countryId' attribute. Do you want to continue?"
      await expectShown(confirmation.getByText(message, { exact: true }))
      await press(confirmation, 'Cancel')
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      await press(open, 'Finish')
      await press(confirmation, 'Continue')
      await expectShown(snackbar(page, "Successfully added 'countryId' entity attribute!"))
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      await keys(page, 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const sent = calls.find(({ method }) => method === 'POST')
      expect(new URL(sent?.url ?? '').pathname).toBe(`/1.0/cdm/entity/${order.id}/edits`)
      const { version, edits } = JSON.parse(sent?.body ?? '')
      expect(version).toBe('1.0.0')
      const item = {
        associatedEntity: { id: land.id, name: 'Land', path: 'user-defined/Shop/Land' },
        associatedEntityTypeAttribute: 'id',
        description: '',
        traitReference: 'is.identifiedBy',
        simple: 'true',
        foreignKeyPurpose: 'hasA',
        foreignKeyDataType: 'integer',
        foreignKeyTypeAttribute: 'countryId',
      }
      expect(edits).toMatchObject([
        { kind: 'removeAttributes', uids: [expect.any(String)] },
        { kind: 'addRelationships', added: [{ item }] },
      ])
      await page.reload()
      await page.getByRole('tab', { name: /^Type Attributes/ }).click()
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'note'])
      await toRelationships()
      await expect.poll(() => names(page, 'Relationships')).toEqual(['Land'])
      const [created] = (await apiOf(page).entityOf(order.id)).entityAttributes
      const storedProperties = [created?.foreignKeyTypeAttribute, created?.traitReference, created?.foreignKeyPurpose]
      expect(storedProperties).toEqual(['countryId', 'is.identifiedBy', 'hasA'])
    },
  )

  it('a changed property of a relationship is stored by Save', holds('E3.44', 'E4.25'), async () => {
    await row(page, 'Relationships', 'Land').click()
    await setText(page, 'Entity Attribute', 'Description', 'Where it goes')
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await page.reload()
    await toRelationships()
    await row(page, 'Relationships', 'Land').click()
    const description = property(page, 'Entity Attribute', 'Description').getByRole('textbox')
    await expect.poll(() => description.inputValue()).toBe('Where it goes')
    const onDelete = property(page, 'Entity Attribute', 'On Delete')
    await pick(page, onDelete, 'On Delete', 'cascade')
    await expect.poll(() => onDelete.getByRole('combobox').textContent()).toBe('cascade')
  })

  it('the panel accepts valid unique names only', holds('E5.20', 'E5.21', 'E5.22', 'E5.23', 'E5.35'), async () => {
    await apiOf(page).relate(order.id, await apiOf(page).createEntity({ name: 'Quay' }, shop), 'quayId')
    await page.reload()
    await toRelationships()
    await row(page, 'Relationships', 'Land').click()
    const field = property(page, 'Entity Attribute', 'Foreign Key Type Attribute')
    const name = field.getByRole('textbox')
    const calls = record(page)
    for (const [refused, message] of [
      ['', 'this is a required field'],
      ['QuayId', 'A relationship with the foreign key "QuayId" already exists.'],
    ] as const) {
      await name.fill(refused)
      await name.press('Enter')
      await expectShown(field.getByRole('alert').getByText(message, { exact: true }))
      await expect.poll(() => name.inputValue()).toBe('countryId')
    }
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
    for (const accepted of ['ab', 'countryId']) {
      await name.fill(accepted)
      await name.press('Enter')
      await expectShown(row(page, 'Relationships', 'Land').getByText(accepted, { exact: true }))
      await expect.poll(() => name.inputValue()).toBe(accepted)
    }
  })
})
