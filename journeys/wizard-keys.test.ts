import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, toolDialog } from './driver/document.ts'
import { property, row } from './driver/entity.ts'
import { hasFocus } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const { page } = await openDesk()

async function start(what: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const open = dialog(page, `Create ${what}`)
  await expectShown(open)
  return open
}

const step = (open: Locator, words: string) => expectShown(open.getByText(words, { exact: true }))

describe('A wizard by keyboard', () => {
  it('goes on by Enter, starts each step in its first field, keeps its size, and finishes by Ctrl+Enter', async () => {
    const open = await start('Entity')
    const size = await open.boundingBox()
    await open.getByRole('textbox', { name: 'Name' }).fill('TypedOnly')
    await page.keyboard.press('Enter')
    await step(open, 'Step 2 of 3: Manifest')
    expect(await open.boundingBox()).toEqual(size)
    // The picker has the focus: Enter opens it, and takes the best match even before the answer is here.
    await page.keyboard.press('Enter')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await page.keyboard.type('Shop')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await expect
      .poll(() =>
        open.getByRole('combobox', { name: 'Select a manifest to where the entity will be injected' }).textContent(),
      )
      .toMatch(/^Shop/)
    // Enter opens the list again; Ctrl+Enter goes on.
    await page.keyboard.press('Enter')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await step(open, 'Step 3 of 3: Type attributes')
    await page.keyboard.type('first')
    await page.keyboard.press('Enter')
    await expectShown(open.getByRole('row', { name: /first/ }))
    expect(await open.boundingBox()).toEqual(size)
    await page.keyboard.press('Control+Enter')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await open.waitFor({ state: 'detached' })
  })

  it('goes on by Enter from a choice, too', async () => {
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('ChosenOnly')
    const choice = open.getByRole('radio', { checked: true })
    await choice.focus()
    expect(await hasFocus(choice)).toBe(true)
    await page.keyboard.press('Enter')
    await step(open, 'Step 2 of 3: Manifest')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('asks before Escape throws away what was entered, and only then', async () => {
    const fresh = await start('Entity')
    await page.keyboard.press('Escape')
    await fresh.waitFor({ state: 'detached' })
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('Precious')
    await page.keyboard.press('Escape')
    const leave = question(page, 'Leave without saving?')
    await expectShown(leave.getByText('Your input will be lost.'))
    await page.keyboard.press('Escape')
    await leave.waitFor({ state: 'detached' })
    expect(await open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Precious')
    await page.keyboard.press('Escape')
    await press(leave, 'Leave')
    await open.waitFor({ state: 'detached' })
  })

  it('takes several entities at once, the own ones offered before those of the library', async () => {
    const open = await start('Manifest')
    await press(open, 'Next')
    await open.getByRole('combobox', { name: 'Entity' }).click()
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBeGreaterThan(3)
    expect(await options.first().textContent()).toMatch(/user-defined/)
    await options.nth(0).click()
    await options.nth(1).click()
    await options.nth(2).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => open.getByRole('combobox', { name: 'Entity' }).textContent()).toBe('3 entities')
    await press(open, 'Add')
    await expect.poll(() => open.getByRole('grid', { name: 'Entities' }).getByRole('row').count()).toBe(4)
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Enter on a picker that is filled', () => {
  it('opens its list and submits nothing, in a form, a wizard and a dialog without a form', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    const heir = await apiOf(page).createEntity({ name: 'Heir' }, shop)
    await openEntity(page, heir)
    const attribute = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    await expectOpens(attribute.getByRole('combobox', { name: 'Data Type' }), 'integer')
    await page.keyboard.press('Control+Enter')
    await attribute.waitFor({ state: 'detached' })
    await expectShown(row(page, 'Type attributes', 'new_type_attribute').getByText('integer', { exact: true }))

    const wizard = await start('Manifest')
    await press(wizard, 'Next')
    await expectOpens(wizard.getByRole('combobox', { name: 'Entity' }), 'Country', { several: true })
    expect(await wizard.getByRole('grid', { name: 'Entities' }).count()).toBe(0)
    await press(wizard, 'Cancel')
    await wizard.waitFor({ state: 'detached' })

    const extend = await toolDialog(page, 'Extend Entity', 'Extend Entity')
    await find(page, extend, 'Entity', 'Country')
    await expectOpens(extend.getByRole('combobox', { name: 'Entity' }), 'Country')
    await page.keyboard.press('Control+Enter')
    await extend.waitFor({ state: 'detached' })
    await expectShown(property(page, 'Entity', 'Extends').getByText('Country', { exact: true }))
  })
})

/** Enter on the closed picker opens it; what is typed then and taken by Enter is its value, and the dialog stays. */
async function expectOpens(picker: Locator, value: string, { several = false } = {}): Promise<void> {
  await picker.focus()
  await page.keyboard.press('Enter')
  await expectShown(page.getByRole('combobox', { name: /^Search / }))
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
  if (several) {
    await page.getByRole('option', { selected: true }).waitFor()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await expect.poll(() => picker.textContent()).toMatch(new RegExp(`^${value}`))
}

it('Backspace takes back a letter of the search, and not the value, before the list has the focus', async () => {
  const api = apiOf(page)
  const shop = await api.manifestNamed('Shop')
  const [from, to] = [await api.createEntity({ name: 'Hasty' }, shop), await api.createEntity({ name: 'Held' }, shop)]
  await api.relate(from.id, to, 'heldId')
  await openEntity(page, from)
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  // Beside the links of the row.
  await row(page, 'Relationships', 'Held').getByRole('gridcell').nth(3).click()
  const associated = property(page, 'Entity Attribute', 'Associated Entity').getByRole('combobox')
  await expect.poll(() => associated.textContent()).toMatch(/^Held/)
  await associated.focus()
  // Below the open list it is hidden from whoever asks by roles.
  const trigger = await associated.elementHandle()
  await page.keyboard.press('ArrowDown')
  const search = page.getByRole('combobox', { name: 'Search Associated Entity' })
  await expectShown(search)
  // As somebody who types faster than the list takes the focus.
  for (const key of ['a', 'b', 'Backspace']) await trigger?.dispatchEvent('keydown', { key, bubbles: true })
  await expect.poll(() => search.inputValue()).toBe('a')
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  expect(await associated.textContent()).toMatch(/^Held/)
})

describe('The steps of a manifest', () => {
  it('of many entities that are gathered in step 3, fifty stand on a page', holds('M9.7'), async () => {
    const open = await start('Manifest')
    await open.getByRole('radio', { name: 'Duplicate Existing Manifest' }).click()
    await press(open, 'Next')
    await find(page, open, 'Manifest to duplicate', 'Shop')
    await press(open, 'Next')
    await step(open, 'Step 3 of 3: Manage Entities')
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    const name = open.getByRole('textbox', { name: 'Name' })
    for (let count = 1; count <= 60; count++) {
      await name.fill(`Gathered${count}`)
      await name.press('Enter')
    }
    const rows = open.getByRole('row').filter({ hasText: 'Gathered' })
    await expect.poll(() => rows.count()).toBe(50)
    await open.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => rows.count()).toBe(10)
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('the name is required: an emptied one is told, and neither Next nor Finish goes on', holds('M5.1'), async () => {
    const open = await start('Manifest')
    const name = open.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => name.inputValue()).toBe('new_manifest')
    await name.fill('')
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await expectShown(open.getByText('this is a required field', { exact: true }))
    // Finish is on the last step only.
    expect(await open.locator('footer').getByRole('button').allTextContents()).toEqual(['Cancel', 'Back', 'Next'])
    await expect.poll(() => open.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
    await name.press('Enter')
    await step(open, 'Step 1 of 2: Name')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})
