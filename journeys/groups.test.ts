import { describe, expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { openEntity, openManifest, openMore } from './driver/document.ts'
import { cell, property, row } from './driver/entity.ts'
import { Hand, inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, pick, press, question } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)
const shop = await api.createManifest('Grouped')

async function opened(name: string) {
  const typeAttributes = ['orderNo', 'lineNo', 'price'].map(one => ({ name: one, dataType: 'integer' as const }))
  const entity = await api.createEntity({ name, typeAttributes }, shop)
  await openEntity(page, entity)
  await row(page, 'Type attributes', 'orderNo').waitFor()
  return async () =>
    (await api.entityOf(entity.id)).groups.map(({ kind, members }) => {
      const names = members.map(one => (one.descending ? `${one.name} desc` : one.name))
      return `${kind} ${names.join(', ')}`
    })
}

const groups = () => property(page, 'Entity', 'Groups')

describe('Attributes', () => {
  it('become unique together in four actions, by mouse', async () => {
    const stored = await opened('LineByMouse')
    await inAtMost(page, 4, async hand => {
      await hand.click(row(page, 'Type attributes', 'orderNo'))
      await hand.click(row(page, 'Type attributes', 'lineNo'), { modifiers: ['Shift'] })
      await hand.click(row(page, 'Type attributes', 'lineNo'), { button: 'right' })
      await hand.click(page.getByRole('menuitem', { name: 'Unique Together' }))
    })
    await groups().getByRole('button', { name: 'Unique together: orderNo, lineNo' }).waitFor()
    await keys(page, 'Control+s')
    await expect.poll(stored).toEqual(['unique orderNo, lineNo'])
  })

  it('are indexed together by keyboard alone, and the command then says why there is no second index', async () => {
    const stored = await opened('LineByKeys')
    const hand = new Hand(page)
    await row(page, 'Type attributes', 'orderNo').focus()
    await hand.press('Shift+ArrowDown')
    await expect.poll(() => page.getByText('2 selected').count()).toBeGreaterThan(0)
    await hand.press('Control+k')
    await hand.type('index together')
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Index Together')
    await hand.press('Enter')
    await groups().getByRole('button', { name: 'Index: orderNo, lineNo' }).waitFor()
    await row(page, 'Type attributes', 'lineNo').click({ button: 'right' })
    await page.getByText('There is an index of these attributes in this order already.').waitFor()
    await keys(page, 'Escape')
    await keys(page, 'Control+s')
    await expect.poll(stored).toEqual(['index orderNo, lineNo'])
  })
})

describe('A group', () => {
  it('is added, changed and deleted in a dialog, and undone', async () => {
    const stored = await opened('LineInDialog')
    const open = dialog(page, 'New Group')
    await groups().getByRole('button', { name: 'Add Group' }).click()
    await open.waitFor()
    await expect
      .poll(() => open.getByRole('button', { name: 'Add', exact: true }).getAttribute('aria-disabled'))
      .toBe('true')
    await choose('Kind', 'Index')
    for (const name of ['price', 'orderNo']) await add(name)
    await open.getByRole('checkbox', { name: 'Descending' }).first().click()
    await open.getByRole('button', { name: 'Move orderNo up' }).click()
    await expectAccessible(page, 'group-dialog')
    await press(open, 'Add')
    await groups().getByRole('button', { name: 'Index: orderNo, price descending' }).click()
    const changed = dialog(page, 'Group')
    await changed.getByLabel('Name').fill('ix_line')
    await keys(page, 'Control+Enter')
    await changed.waitFor({ state: 'detached' })
    await keys(page, 'Control+s')
    await expect.poll(stored).toEqual(['index orderNo, price desc'])

    await groups().getByRole('button', { name: 'Index ix_line: orderNo, price descending' }).click()
    await press(changed, 'Delete Group')
    await groups().getByText('No attributes are unique or indexed together.').waitFor()
    await keys(page, 'Control+z')
    await groups().getByRole('button', { name: 'Index ix_line: orderNo, price descending' }).waitFor()

    async function choose(label: string, option: string) {
      await open.getByLabel(label).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    async function add(name: string) {
      await open.getByRole('combobox', { name: 'Add Attribute' }).click()
      await page.getByRole('option', { name, exact: true }).click()
      await open.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
  })

  it('keeps the focus among its attributes while they are removed by keyboard', async () => {
    await opened('LineOfFewer')
    for (const name of ['orderNo', 'price'])
      await row(page, 'Type attributes', name).click({ modifiers: name === 'price' ? ['Shift'] : [] })
    await row(page, 'Type attributes', 'price').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Unique Together' }).click()
    await groups()
      .getByRole('button', { name: /^Unique together/ })
      .click()
    const remove = (name: string) => dialog(page, 'Group').getByRole('button', { name: `Remove ${name}` })
    await remove('lineNo').focus()
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(remove('price'))).toBe(true)
    await keys(page, 'Enter')
    await remove('price').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(remove('orderNo'))).toBe(true)
    await keys(page, 'Escape')
    await press(page.getByRole('alertdialog'), 'Leave')
  })

  it('is named by the question before an attribute of it is deleted, which undo brings back', async () => {
    await opened('LineLess')
    await row(page, 'Type attributes', 'orderNo').click()
    await row(page, 'Type attributes', 'lineNo').click({ modifiers: ['Shift'] })
    await row(page, 'Type attributes', 'lineNo').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Unique Together' }).click()
    await groups()
      .getByRole('button', { name: /^Unique together/ })
      .waitFor()
    await row(page, 'Type attributes', 'lineNo').click()
    await expect.poll(() => hasFocus(row(page, 'Type attributes', 'lineNo'))).toBe(true)
    await keys(page, 'Control+-')
    const question = page.getByRole('alertdialog')
    await question.getByText('Groups that change: orderNo, lineNo').waitFor()
    await press(question, 'Delete')
    await groups().getByText('No attributes are unique or indexed together.').waitFor()
    await keys(page, 'Control+z')
    await groups().getByRole('button', { name: 'Unique together: orderNo, lineNo' }).waitFor()
  })
})

describe('A check', () => {
  const checks = () => property(page, 'Entity', 'Checks')

  it('is typed with completed names, and refused in place while it is none', async () => {
    await opened('LineChecked')
    await checks().getByRole('button', { name: 'Add Check' }).click()
    const open = dialog(page, 'New Check')
    await open.getByLabel('Condition').pressSequentially('price >= linx')
    await open.getByText("There is no attribute 'linx'.").waitFor()
    await keys(page, 'Backspace')
    await open.getByText("There is no attribute 'linx'.").waitFor({ state: 'detached' })
    await open.getByRole('button', { name: 'lineNo', exact: true }).click()
    await expect.poll(() => open.getByLabel('Condition').inputValue()).toBe('price >= lineNo')
    await open.getByLabel('Message').fill('Too cheap.')
    await expectAccessible(page, 'check-dialog')
    await press(open, 'Add')
    await checks().getByRole('button', { name: 'price >= lineNo (Too cheap.)' }).waitFor()
    await keys(page, 'Control+z')
    await checks().getByText('Records are not checked.').waitFor()
  })
})

describe('Enumerations of a manifest', () => {
  it('are added, chosen by an attribute, changed with its choices, and deleted after a question that names its entity', async () => {
    const manifest = await api.createManifest('Enumerated')
    const typeAttributes = [{ name: 'state' }, { name: 'former' }]
    const entity = await api.createEntity({ name: 'Order', typeAttributes }, manifest)
    const chosen = async () => {
      const [, state] = (await api.entityOf(entity.id)).typeAttributes
      return { enumeration: state?.enumeration?.name, choices: state?.choices }
    }
    await openManifest(page, manifest, 'Enumerated')
    const showTab = () => page.getByRole('tab', { name: /^Enumerations/ }).click()
    await openMore(page)
    await page.getByRole('menuitem', { name: 'Enumerations', exact: true }).click()
    await page.getByText('No enumerations to display').waitFor()
    await expectAccessible(page, 'enumerations-empty')
    await page.getByRole('button', { name: 'Add Enumeration' }).click()
    const added = dialog(page, 'New Enumeration')
    await added.getByLabel('Name').fill('State')
    const value = (at: number) => page.getByRole('dialog').getByLabel(`Value ${at}`, { exact: true })
    await value(1).focus()
    for (const text of ['Closed', 'Closed']) {
      await page.keyboard.type(text)
      await keys(page, 'Enter')
    }
    await added.getByText('Value 2: A choice with the name "Closed" already exists.').waitFor()
    await expectAccessible(page, 'enumeration-dialog')
    await value(2).fill('Open')
    await keys(page, 'Tab')
    await page.keyboard.type('Still open')
    await keys(page, 'Alt+ArrowUp')
    await expect.poll(() => value(2).inputValue()).toBe('Closed')
    await press(added, 'Add')
    await row(page, 'Enumerations', 'State').getByText('Open, Closed').waitFor()
    await openEntity(page, entity)
    await row(page, 'Type attributes', 'state').click()
    await pick(page, property(page, 'Type Attribute', 'Enumeration'), 'Enumeration', 'State')
    const inSheet = (name: string) => cell(page, name, 'choices')
    await expect.poll(() => inSheet('state').innerText()).toBe('State')
    await inSheet('former').click()
    await page.keyboard.type('St')
    await keys(page, 'ArrowDown')
    await keys(page, 'Enter')
    await expect.poll(() => inSheet('former').innerText()).toBe('State')
    await keys(page, 'Control+s')
    await expect.poll(chosen).toEqual({ enumeration: 'State', choices: ['Open', 'Closed'] })
    await openManifest(page, manifest, 'Enumerated')
    await showTab()
    await row(page, 'Enumerations', 'State').dblclick()
    const edited = dialog(page, 'Enumeration')
    await expect.poll(() => edited.getByLabel('Label 1', { exact: true }).inputValue()).toBe('Still open')
    await value(3).fill('Paid')
    await press(edited, 'Save')
    await expect.poll(chosen).toEqual({ enumeration: 'State', choices: ['Open', 'Closed', 'Paid'] })
    await row(page, 'Enumerations', 'State').click()
    await keys(page, 'Delete')
    const deletion = question(page, 'Delete State?')
    await deletion.getByText('Used by Order. Their attributes keep the choices.').waitFor()
    await press(deletion, 'Delete')
    await expect.poll(chosen).toEqual({ enumeration: undefined, choices: ['Open', 'Closed', 'Paid'] })
  })
})
