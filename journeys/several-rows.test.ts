import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openEntity } from './driver/document.ts'
import { entityDocument, fillProperty, names, property, row, tab } from './driver/entity.ts'
import { Hand, inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, press } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)
const shop = await api.createManifest('Rows')

/** An open entity with this many attributes besides the key. */
async function opened(name: string, count: number) {
  const typeAttributes = Array.from({ length: count }, (_, at) => ({ name: `field${at + 1}` }))
  const entity = await api.createEntity({ name, typeAttributes }, shop)
  await openEntity(page, entity)
  await row(page, 'Type attributes', 'field1').waitFor()
  return async () => (await api.entityOf(entity.id)).typeAttributes.filter(({ purpose }) => purpose === 'hasA')
}

const attributeRow = (name: string) => row(page, 'Type attributes', name)

describe('A change of several rows', () => {
  it('makes 20 attributes nullable and saves them in four actions, by mouse', async () => {
    const attributes = await opened('ByMouse', 20)
    await inAtMost(page, 4, async hand => {
      await hand.click(attributeRow('field1'))
      await hand.click(attributeRow('field20'), { modifiers: ['Shift'] })
      const nullable = property(page, '20 Type Attributes', 'Nullable')
      await hand.click(nullable.getByRole('checkbox'))
      await nullable.getByRole('checkbox', { checked: true }).waitFor()
      await hand.press('Control+s')
    })
    await expect.poll(async () => (await attributes()).filter(({ nullable }) => nullable).length).toBe(20)
  })

  it('makes 20 attributes nullable in four actions by keyboard alone', async () => {
    const attributes = await opened('ByKeyboard', 20)
    await attributeRow('field1').focus()
    await inAtMost(page, 4, async hand => {
      await hand.press('Control+a')
      const nullable = property(page, '21 Type Attributes', 'Nullable')
      await nullable.waitFor()
      await hand.press('Control+k')
      await hand.type('nullable')
      await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Nullable: Yes')
      await hand.press('Enter')
      await nullable.getByRole('checkbox', { checked: true }).waitFor()
      await hand.press('Control+s')
    })
    await expect.poll(async () => (await attributes()).filter(({ nullable }) => nullable).length).toBe(20)
  })

  it('gives four attributes a list of choices at once', async () => {
    const attributes = await opened('Choices', 4)
    const list = dialog(page, 'Choices')
    await attributeRow('field1').click()
    await attributeRow('field4').click({ modifiers: ['Shift'] })
    await property(page, '4 Type Attributes', 'Choices').getByRole('button', { name: 'Edit Choices' }).click()
    await list.waitFor()
    for (const word of ['Open', 'Paid', 'Closed']) {
      await list.getByLabel('Name').fill(word)
      if (word !== 'Closed') await list.getByLabel('Name').press('Enter')
    }
    await press(list, 'Save')
    await list.waitFor({ state: 'detached' })
    await keys(page, 'Control+s')
    const lists = async () => (await attributes()).map(({ choices }) => choices?.join())
    await expect.poll(lists).toEqual(Array.from({ length: 4 }, () => 'Open,Paid,Closed'))
  })

  it('names the rows that refuse the value, and is accessible', async () => {
    const entity = await api.createEntity(
      {
        name: 'Mixed',
        typeAttributes: [
          { name: 'text', description: 'A' },
          { name: 'number', dataType: 'integer', isNullable: true },
          { name: 'flag', dataType: 'boolean' },
        ],
      },
      shop,
    )
    await openEntity(page, entity)
    await row(page, 'Type attributes', 'text').click()
    await row(page, 'Type attributes', 'flag').click({ modifiers: ['Shift'] })
    const field = property(page, '3 Type Attributes', 'Default Value').getByRole('textbox')
    await fillProperty(field, '12')
    await field.press('Enter')
    const refused = property(page, '3 Type Attributes', 'Not changed').getByRole('alert')
    await expect
      .poll(() => refused.getByRole('listitem').allTextContents())
      .toEqual(['flag: this must be true or false.'])
    await expect.poll(() => field.inputValue()).toBe('')
    await expectAccessible(page, 'several-rows-refused')
  })
})

describe('Attributes', () => {
  const named = (id: number) => api.entityOf(id).then(entity => entity.typeAttributes.map(({ name }) => name))
  const count = (name: string, size: number) =>
    api.createEntity(
      { name, typeAttributes: Array.from({ length: size }, (_, at) => ({ name: `field${at + 1}` })) },
      shop,
    )
  /** Chooses the entity in the open dialog, whose picker has the focus. */
  const choose = async (open: Locator, name: string, hand = new Hand(page)) => {
    await expect.poll(() => hasFocus(open.getByRole('combobox', { name: 'Entity' }))).toBe(true)
    await hand.type(name)
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor()
    await hand.press('Enter')
    // The entity has been read.
    const submit = open.getByRole('button', { name: /^(Copy|Move)$/ })
    await expect.poll(() => submit.getAttribute('aria-disabled')).toBeNull()
  }

  it('that are chosen one by one are filled and deleted together by keys', async () => {
    const { id } = await openedWith('Together', 4)
    const length = (name: string) => attributeRow(name).locator('td[data-column=length]')
    await length('field1').click()
    await page.keyboard.type('40')
    await keys(page, 'Enter')
    await length('field1').click()
    await length('field4').click({ modifiers: ['Control'] })
    await keys(page, 'Control+d')
    await expect.poll(() => length('field4').textContent()).toBe('40')
    await expect.poll(() => length('field3').textContent()).toBe('')
    await keys(page, 'Delete')
    await press(page.getByRole('alertdialog', { name: 'Delete Type Attributes?' }), 'Delete')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field2', 'field3'])
    await keys(page, 'Control+s')
    await expect.poll(() => named(id)).toEqual(['id', 'field2', 'field3'])
  })

  it('are duplicated below their originals by a key', async () => {
    const { id } = await openedWith('Duplicated', 2)
    await row(page, 'Type attributes', 'field1').click()
    await keys(page, 'Control+Shift+D')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field1', 'field1_2', 'field2'])
    await keys(page, 'Control+s')
    await expect.poll(() => named(id)).toContain('field1_2')
  })

  it('of relationships are named in the panel by F2', async () => {
    const target = await api.createEntity({ name: 'Referred' }, shop)
    const key = {
      associatedEntityId: target.id,
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'referredId',
    }
    await openEntity(page, await api.createEntity({ name: 'Referring', entityAttributes: [key] }, shop))
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'referredId').click()
    await keys(page, 'F2')
    const field = property(page, 'Entity Attribute', 'Foreign Key Type Attribute').getByRole('textbox')
    await expect.poll(() => hasFocus(field)).toBe(true)
  })

  it('five are copied to another entity in six actions, by mouse', async () => {
    const target = await api.createEntity({ name: 'CopyTarget', typeAttributes: [{ name: 'field2' }] }, shop)
    await openedWith('CopySource', 5)
    const open = dialog(page, 'Copy 5 Attributes to Entity')
    await inAtMost(page, 6, async hand => {
      await hand.click(attributeRow('field1'))
      await hand.click(attributeRow('field5'), { modifiers: ['Shift'] })
      await hand.click(attributeRow('field3'), { button: 'right' })
      await hand.click(page.getByRole('menuitem', { name: 'Copy to Entity…' }))
      await choose(open, 'CopyTarget', hand)
      await open.getByLabel('New name of field2').waitFor()
      await expectAccessible(page, 'copy-attributes', 'all')
      await hand.click(open.getByRole('button', { name: 'Copy', exact: true }))
      await open.waitFor({ state: 'detached' })
    })
    await press(page.getByRole('region', { name: 'Messages' }), 'Open')
    await row(page, 'Type attributes', 'field2_2').waitFor()
    await keys(page, 'Control+s')
    await expect
      .poll(() => named(target.id))
      .toEqual(['id', 'field2', 'field1', 'field2_2', 'field3', 'field4', 'field5'])
  })

  it('five are copied to another entity in six actions, by keyboard alone', async () => {
    const target = await api.createEntity({ name: 'KeysTarget' }, shop)
    await openedWith('KeysSource', 5)
    const open = dialog(page, 'Copy 5 Attributes to Entity')
    await attributeRow('field1').focus()
    await inAtMost(page, 6, async hand => {
      await hand.press('Control+Shift+End')
      await page.getByText('5 selected', { exact: true }).waitFor()
      await hand.press('Control+Alt+C')
      await choose(open, 'KeysTarget', hand)
      await hand.press('Control+Enter')
      await open.waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: /^KeysTarget.*unsaved/i }).waitFor()
      await hand.press('Control+Shift+S')
    })
    await expect.poll(() => named(target.id)).toEqual(['id', 'field1', 'field2', 'field3', 'field4', 'field5'])
  })

  it('are moved with their identity: undone in both entities, and saved in both by either', async () => {
    const target = await api.createEntity({ name: 'MoveTarget' }, shop)
    const source = await openedWith('MoveSource', 3)
    const open = dialog(page, 'Move 2 Attributes to Entity')
    const before = source.typeAttributes.filter(({ name }) => ['field1', 'field2'].includes(name))
    const toEntity = async () => {
      await row(page, 'Type attributes', 'field1').click()
      await row(page, 'Type attributes', 'field2').click({ modifiers: ['Shift'] })
      await keys(page, 'Control+Alt+M')
      await choose(open, 'MoveTarget')
      await keys(page, 'Control+Enter')
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field3'])
    }
    await toEntity()
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field1', 'field2', 'field3'])
    const unsaved = page
      .getByRole('tablist', { name: 'Open documents' })
      .getByRole('tab', { name: /^MoveTarget.*unsaved/i })
    await unsaved.waitFor({ state: 'detached' })
    await toEntity()
    await openEntityTab('MoveTarget')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field1', 'field2'])
    await keys(page, 'Control+s')
    await expect.poll(() => named(target.id)).toEqual(['id', 'field1', 'field2'])
    await expect.poll(() => named(source.id)).toEqual(['id', 'field3'])
    const uids = (await api.entityOf(target.id)).typeAttributes.slice(1).map(({ uid }) => uid)
    expect(uids).toEqual(before.map(({ uid }) => uid))
    await openEntityTab('MoveSource')
    await expect.poll(() => page.getByRole('tab', { name: /^Move.*unsaved/i }).count()).toBe(0)
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'field1', 'field2', 'field3'])
    await openEntityTab('MoveTarget')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id'])
    await keys(page, 'Control+s')
    await expect.poll(() => named(target.id)).toEqual(['id'])
    await expect.poll(() => named(source.id)).toEqual(['id', 'field1', 'field2', 'field3'])
  })

  async function openedWith(name: string, size: number) {
    const entity = await count(name, size)
    await openEntity(page, entity)
    await row(page, 'Type attributes', 'field1').waitFor()
    return entity
  }
  async function openEntityTab(name: string) {
    await tab(page, name).click()
    await entityDocument(page, name).waitFor()
  }
})
