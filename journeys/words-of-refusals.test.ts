import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, openManifest, record, send, tool, toolDialog } from './driver/document.ts'
import { manifestDocument, property, row } from './driver/entity.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press } from './driver/widgets.ts'

const desk = await openDesk({ height: 1800 })
const { page } = desk
const api = apiOf(page)
const harbour = await api.createManifest('Harbour')
const typeAttributes = [{ name: 'flag' }, { name: 'decks', dataType: 'integer' as const }]
const ship = await api.createEntity({ name: 'Ship', typeAttributes }, harbour)
await api.relate(ship.id, await api.createEntity({ name: 'Berth' }, harbour), 'berthId')

const pattern =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

const required = 'this is a required field'
const bounds = 'this must be 2 to 50 characters long.'

const isDisabled = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true'

/** Wrong names are refused in their words below the field, while the button waits; with right ones it does not. */
async function expectNames(
  open: Locator,
  [label, button]: readonly [string, string],
  wrong: readonly (readonly [string, string])[],
  right: readonly string[],
): Promise<void> {
  const field = open.getByLabel(label)
  const goOn = open.getByRole('button', { name: button })
  for (const [name, words] of wrong) {
    await field.fill(name)
    await expectShown(open.getByText(words, { exact: true }))
    expect(await isDisabled(goOn)).toBe(true)
  }
  for (const name of right) {
    await field.fill(name)
    await expect.poll(() => isDisabled(goOn)).toBe(false)
  }
}

describe('What stands below a field', () => {
  it('of the name of an attribute', holds('E5.6', 'E5.14', 'E5.15', 'E5.16', 'E5.17'), async () => {
    await openEntity(page, ship)
    const open = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    const wrong = [
      ['', required],
      ['a', bounds],
      ['a'.repeat(51), bounds],
      ['a__b', pattern],
      ['flag', 'A type attribute with the name "flag" already exists.'],
    ] as const
    await expectNames(open, ['Name', 'Finish'], wrong, ['ab', 'a'.repeat(50)])
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('of the name of an entity in the panel', holds('E5.5'), async () => {
    await openEntity(page, ship)
    const entity = property(page, 'Entity', 'Name')
    await entity.getByRole('textbox').fill('a__b')
    await expectShown(entity.getByRole('alert').getByText(pattern, { exact: true }))
    await entity.getByRole('textbox').press('Escape')
  })

  it('of the name of an entity', holds('E5.7', 'E5.8', 'E5.9', 'M5.2', 'M5.5', 'M5.6'), async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Entity', exact: true }).click()
    const wizard = dialog(page, 'Create Entity')
    const wrong = [
      ['', required],
      ['a', 'this must be 2 to 120 characters long.'],
      ['a'.repeat(121), 'this must be 2 to 120 characters long.'],
      ['my-name', `${pattern} It must not contain "-".`],
    ] as const
    await expectNames(wizard, ['Name', 'Next'], wrong, ['ab', 'a'.repeat(120), 'my_name'])
    await press(wizard, 'Cancel')
    await wizard.waitFor({ state: 'detached' })
  })

  it(
    'of the name of an entity that the manifest has; where that cannot be looked up, the server refuses it',
    holds('E5.10', 'E5.12', 'E5.13'),
    async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Entity', exact: true }).click()
      const wizard = dialog(page, 'Create Entity')
      const next = wizard.getByRole('button', { name: 'Next' })
      const name = wizard.getByRole('textbox', { name: 'Name' })
      await name.fill('Ship')
      await press(wizard, 'Next')
      await find(page, wizard, 'Select a manifest to where the entity will be injected', 'Harbour')
      await expectShown(wizard.getByText('An entity with the name "Ship" already exists.', { exact: true }))
      expect(await isDisabled(next)).toBe(true)
      await name.press('End')
      await name.pressSequentially('yard')
      expect(await name.inputValue()).toBe('Shipyard')
      await expect.poll(() => isDisabled(next)).toBe(false)
      await page.route(/\/manifest\/\d+\/entities/, route => route.abort())
      const blocked = page.waitForEvent('requestfailed', request => /search=ship(&|$)/.test(request.url()))
      await name.fill('ship')
      await blocked
      expect(await wizard.getByRole('alert').count()).toBe(0)
      expect(await isDisabled(next)).toBe(false)
      await press(wizard, 'Next')
      await name.fill('sail')
      await press(wizard, 'Finish')
      await expectShown(
        wizard.getByRole('alert').getByText('An entity with the name "ship" already exists.', { exact: true }),
      )
      await press(wizard, 'Cancel')
      await wizard.waitFor({ state: 'detached' })
    },
  )

  it('of the name of a manifest', holds('M5.1', 'M5.3', 'M5.4', 'M5.6', 'M5.7', 'M5.8', 'M5.9'), async () => {
    await page.goto('/?manifestWizard=open')
    const wrong = [
      ['', required],
      ['a', bounds],
      ['a'.repeat(51), bounds],
      ['my-name', `${pattern} It must not contain "-".`],
      ['my__name', pattern],
    ] as const
    const wizard = dialog(page, 'Create Manifest')
    await expectNames(wizard, ['Name', 'Next'], wrong, ['ab', 'a'.repeat(50), 'my_name'])
    await press(wizard, 'Next')
    await wizard.getByRole('tab', { name: 'Create Custom Entity' }).click()
    const finish = wizard.getByRole('button', { name: 'Finish' })
    for (const [name, waits] of [
      ['my__name', true],
      ['my_name', false],
    ] as const) {
      await wizard.getByRole('textbox', { name: 'Name' }).fill(name)
      await expect.poll(() => isDisabled(finish)).toBe(waits)
    }
  })

  it('of a second entity of a name', holds('E5.12'), async () => {
    await openManifest(page, harbour, 'Harbour')
    const open = await toolDialog(page, 'Manage Entity', 'Add Entity')
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await open.getByRole('textbox', { name: 'Name' }).fill('Ship')
    await press(open, 'Finish')
    await expectShown(open.getByText('An entity with the name "Ship" already exists.', { exact: true }))
  })

  it(
    'of a foreign key, among them one that is called as the primary key',
    holds('E5.24', 'E5.25', 'E5.26', 'E5.29'),
    async () => {
      await openEntity(page, ship)
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
      await open.getByLabel('Foreign Key Name').fill('quayId')
      expect(await isDisabled(open.getByRole('button', { name: 'Finish' }))).toBe(true)
      await find(page, open, 'Associated Entity', 'Berth', 'user-defined/Harbour')
      const wrong = [
        ['a', bounds],
        ['a'.repeat(51), bounds],
        ['a__b', pattern],
        ['id', 'Primary key should not be used as foreign key type attribute'],
        ['berthId', 'A relationship with the foreign key "berthId" already exists.'],
      ] as const
      await expectNames(open, ['Foreign Key Name', 'Finish'], wrong, ['quayId'])
    },
  )

  it('of a manifest that was picked as its own sub-manifest', holds('M5.10'), async () => {
    await openManifest(page, harbour, 'Harbour')
    const open = await toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest')
    await find(page, open, 'Manifest', 'Harbour')
    await expectShown(open.getByText("You can't select the same manifest as your sub-manifest.", { exact: true }))
    const body = { submanifests: [harbour] }
    const headers = { 'X-Organisation-Code': 'ACME' }
    const refused = await page.request.put(`/1.0/cdm/manifest/${harbour}/subManifests`, { headers, data: body })
    expect(refused.status()).toBe(400)
  })
})

describe('What is typed or chosen in the properties', () => {
  it(
    'of an attribute: the length of a text is a number, the key an integer or a string, the purpose one of seven',
    holds('E3.32', 'E3.40', 'E5.18', 'E5.19'),
    async () => {
      await openEntity(page, ship)
      await page.getByRole('tab', { name: /^Type Attributes/ }).click()
      await row(page, 'Type attributes', 'flag').click()
      const field = property(page, 'Type Attribute', 'Max Length')
      const length = field.getByRole('textbox')
      for (const wrong of ['12a', '-1']) {
        await length.fill(wrong)
        await length.press('Enter')
        await expectShown(field.getByRole('alert').getByText('this must contain only digits.', { exact: true }))
        await expect.poll(() => length.inputValue()).toBe('')
      }
      await length.fill('12')
      await length.press('Enter')
      await expect.poll(() => isDisabled(tool(page, 'Save'))).toBe(false)
      expect(await length.inputValue()).toBe('12')
      const offered = async (label: string) => {
        await property(page, 'Type Attribute', label).getByRole('combobox').click()
        await page.getByRole('option').first().waitFor()
        const found = await page.getByRole('option').allTextContents()
        await page.keyboard.press('Escape')
        await page.getByRole('option').first().waitFor({ state: 'detached' })
        return found.join(' ')
      }
      expect(await offered('Purpose')).toBe(
        'hasA identifiedBy locatedAt namedBy orderedBy representsCorrelatedStatusWith representsStateWith',
      )
      for (const integer of ['decks', 'id']) {
        await row(page, 'Type attributes', integer).click()
        const name = property(page, 'Type Attribute', 'Name').getByRole('textbox')
        await expect.poll(() => name.inputValue()).toBe(integer)
        await expect.poll(() => field.count()).toBe(0)
      }
      expect(await offered('Data Type')).toBe('integer string')
      await tool(page, 'Discard changes').click()
    },
  )
})

describe('A manifest that is locked', () => {
  const adds = async () => [
    await isDisabled(tool(page, 'Manage Entity')),
    await isDisabled(tool(page, 'Add Sub-Manifest')),
  ]
  /** What an entity that is dropped on it makes the page send. */
  const drop = async (target: Locator) => {
    const calls = record(page)
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Country')).dragTo(target)
    await page.waitForTimeout(300)
    return calls.filter(call => call.method !== 'GET').map(call => new URL(call.url).pathname)
  }

  it('as an old version takes nothing in', holds('M4.4'), async () => {
    await send(page, 'POST', `/1.0/cdm/manifest/${harbour}/version?version=2.0.0`)
    await openManifest(page, harbour, 'Harbour')
    expect(await adds()).toEqual([false, false])
    const document = manifestDocument(page, 'Harbour')
    expect(await drop(document)).toEqual([`/1.0/cdm/manifest/${harbour}/entities`])
    await pick(page, property(page, 'Manifest', 'Version'), 'Version', '1.0.0')
    await expectShown(document.getByText('Only the latest version can be edited.'))
    expect(await adds()).toEqual([true, true])
    expect(await drop(document)).toEqual([])
  })

  it('as one of the library takes nothing in and loses nothing', holds('M4.5', 'M4.7', 'M4.8'), async () => {
    await (await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties')).dblclick()
    await expectShown(manifestDocument(page, 'parties'))
    expect(await adds()).toEqual([true, true])
    for (const name of ['Delete Manifest', 'Rename']) expect(await isDisabled(tool(page, name))).toBe(true)
    await row(page, 'Entities', 'Account').click({ button: 'right' })
    const remove = page.getByRole('menuitem', { name: /^Delete\b.*Predefined content is read-only\./ })
    await expectShown(remove)
    expect(await isDisabled(remove)).toBe(true)
    await page.keyboard.press('Escape')
    for (const [label, value] of [
      ['Name', 'parties'],
      ['Version', '1.0.0'],
      ['Path', 'predefined/parties/parties'],
    ] as const) {
      await expectShown(property(page, 'Manifest', label).getByText(value, { exact: true }))
      expect(await property(page, 'Manifest', label).locator('input, textarea, [role=combobox]').count()).toBe(0)
    }
    expect(await drop(await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties'))).toEqual([])
    expect(await drop(manifestDocument(page, 'parties'))).toEqual([])
    const id = new URL(page.url()).searchParams.get('manifest') ?? ''
    const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
    expect((await page.request.delete(`/1.0/cdm/manifest/${id}`, { headers })).status()).toBe(403)
  })
})
