import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openEntity } from './driver/document.ts'
import { entityDocument, fillProperty, names, property, row, tab } from './driver/entity.ts'
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

/** Runs the actions of a user and returns their number. Typed words do not count. */
async function counted(...actions: readonly (() => Promise<unknown>)[]): Promise<number> {
  for (const act of actions) await act()
  return actions.length
}
const key = (name: string) => () => keys(page, name)
const typing = (text: string, then: () => Promise<unknown>) => async () => {
  await page.keyboard.type(text)
  await then()
}

/** Chooses the command that the palette lists first, once it is this one. */
const best = (label: string) => async () => {
  await expect.poll(() => page.getByRole('option').first().textContent()).toContain(label)
  await keys(page, 'Enter')
}

describe('A change of several rows', () => {
  it('makes 20 attributes nullable and saves them in four actions, by mouse', async () => {
    const attributes = await opened('ByMouse', 20)
    const actions = await counted(
      () => row(page, 'Type attributes', 'field1').click(),
      () => row(page, 'Type attributes', 'field20').click({ modifiers: ['Shift'] }),
      () => property(page, '20 Type Attributes', 'Nullable').getByRole('checkbox').click(),
      key('Control+s'),
    )
    expect(actions).toBe(4)
    await expect.poll(async () => (await attributes()).filter(({ nullable }) => nullable).length).toBe(20)
  })

  it('makes 20 attributes nullable in four actions by keyboard alone', async () => {
    const attributes = await opened('ByKeyboard', 20)
    await row(page, 'Type attributes', 'field1').focus()
    const actions = await counted(
      key('Control+a'),
      key('Control+k'),
      typing('nullable', best('Nullable: Yes')),
      async () => {
        await property(page, '21 Type Attributes', 'Nullable').getByRole('checkbox', { checked: true }).waitFor()
        await keys(page, 'Control+s')
      },
    )
    expect(actions).toBe(4)
    await expect.poll(async () => (await attributes()).filter(({ nullable }) => nullable).length).toBe(20)
  })

  it('gives four attributes a list of choices in four actions', async () => {
    const attributes = await opened('Choices', 4)
    const list = dialog(page, 'Choices')
    const actions = await counted(
      () => row(page, 'Type attributes', 'field1').click(),
      () => row(page, 'Type attributes', 'field4').click({ modifiers: ['Shift'] }),
      () => property(page, '4 Type Attributes', 'Choices').getByRole('button', { name: 'Edit Choices' }).click(),
      async () => {
        await list.waitFor()
        for (const word of ['Open', 'Paid', 'Closed']) {
          await list.getByLabel('Name').fill(word)
          if (word !== 'Closed') await list.getByLabel('Name').press('Enter')
        }
        await press(list, 'Save')
      },
    )
    expect(actions).toBe(4)
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
  const choose = (open: Locator, name: string) => async () => {
    await expect.poll(() => hasFocus(open.getByRole('combobox', { name: 'Entity' }))).toBe(true)
    await page.keyboard.type(name)
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor()
    await keys(page, 'Enter')
    // The entity has been read.
    const submit = open.getByRole('button', { name: /^(Copy|Move)$/ })
    await expect.poll(() => submit.getAttribute('aria-disabled')).toBeNull()
  }

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

  it('five are copied to another entity in six actions', async () => {
    const target = await api.createEntity({ name: 'CopyTarget', typeAttributes: [{ name: 'field2' }] }, shop)
    await openedWith('CopySource', 5)
    const open = dialog(page, 'Copy 5 Attributes to Entity')
    const actions = await counted(
      () => row(page, 'Type attributes', 'field1').click(),
      () => row(page, 'Type attributes', 'field5').click({ modifiers: ['Shift'] }),
      () => row(page, 'Type attributes', 'field3').click({ button: 'right' }),
      () => page.getByRole('menuitem', { name: 'Copy to Entity…' }).click(),
      choose(open, 'CopyTarget'),
      async () => {
        await open.getByLabel('New name of field2').waitFor()
        await expectAccessible(page, 'copy-attributes', 'all')
        await press(open, 'Copy')
      },
    )
    expect(actions).toBe(6)
    await press(page.getByRole('region', { name: 'Messages' }), 'Open')
    await row(page, 'Type attributes', 'field2_2').waitFor()
    await keys(page, 'Control+s')
    await expect
      .poll(() => named(target.id))
      .toEqual(['id', 'field2', 'field1', 'field2_2', 'field3', 'field4', 'field5'])
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
      await choose(open, 'MoveTarget')()
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
