import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity, tool, toolDialog } from './driver/document.ts'
import { property, row } from './driver/entity.ts'
import { hasFocus } from './driver/keyboard.ts'
import { expectLeavingAsks, leavingDialog } from './driver/leaving.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, expectShown, find, press } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk

/** A fresh entity with two attributes, open in its tab. */
async function opened(): Promise<void> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const shop = await apiOf(page).manifestNamed('Shop')
  await openEntity(page, await apiOf(page).createEntity({ name: `Held_${count}`, typeAttributes }, shop))
}

const leaving = () => leavingDialog(page)
const asksBeforeIt = (open: Locator, field: Locator) => expectLeavingAsks(page, open, field)

describe('Escape in a dialog', () => {
  it('of a long text asks before what was typed is lost', async () => {
    await opened()
    const larger = page.getByRole('button', { name: 'Edit Description in a larger field' })
    await larger.click()
    const open = dialog(page, 'Description')
    await page.keyboard.press('Escape')
    await open.waitFor({ state: 'detached' })
    await larger.click()
    const field = open.getByRole('textbox')
    await field.fill('Two lines\nof a description')
    await page.keyboard.press('Escape')
    await expectShown(leaving())
    await shoot(page, 'leave-larger-editor')
    await page.keyboard.press('Escape')
    await leaving().waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('Two lines\nof a description')
    await asksBeforeIt(open, field)
  })

  it('of choices asks, whether a name is typed or the list was changed', async () => {
    await opened()
    await row(page, 'Type attributes', 'first').click()
    const edit = property(page, 'Type Attribute', 'Choices').getByRole('button')
    const open = dialog(page, 'Choices')
    const name = open.getByRole('textbox')
    await edit.click()
    await name.fill('red')
    await asksBeforeIt(open, name)
    await edit.click()
    await name.fill('red')
    await name.press('Enter')
    await asksBeforeIt(open, name)
    await edit.click()
    await expectShown(open)
    expect(await open.getByRole('listitem').count()).toBe(0)
    await page.keyboard.press('Escape')
    await open.waitFor({ state: 'detached' })
  })

  it('of choices keeps the focus in it where what had it goes', async () => {
    await opened()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const open = dialog(page, 'Choices')
    const name = open.getByRole('textbox')
    await name.fill('red')
    await name.press('Enter')
    await open.getByRole('checkbox', { name: 'red' }).click()
    await open.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await press(open, 'Cancel')
  })

  it('of a new relationship asks when something was chosen, and only then', async () => {
    await opened()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const untouched = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await page.keyboard.press('Escape')
    await untouched.waitFor({ state: 'detached' })
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    const associated = open.getByRole('combobox', { name: 'Associated Entity' })
    await expect.poll(() => hasFocus(associated)).toBe(true)
    await asksBeforeIt(open, associated)
  })

  it('of a new relationship asks from the moment of the choice on, however late its attributes are known', async () => {
    await opened()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const late = Promise.withResolvers<void>()
    await page.route(/\/1\.0\/cdm\/entity\/\d+/, async route => {
      await late.promise
      await route.continue()
    })
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    const associated = open.getByRole('combobox', { name: 'Associated Entity' })
    await page.keyboard.press('Escape')
    await expectShown(leaving())
    await page.keyboard.press('Escape')
    await leaving().waitFor({ state: 'detached' })
    expect(await associated.textContent()).toMatch(/^Country/)
    // The second choice counts, whichever answer comes last.
    await find(page, open, 'Associated Entity', 'Product', 'user-defined/Shop')
    late.resolve()
    const target = open.getByRole('combobox', { name: 'Target Attribute' })
    await expect.poll(() => target.textContent()).toMatch(/^product/)
    expect(await associated.textContent()).toMatch(/^Product/)
    await press(open, 'Cancel')
  })

  it('of a new attribute asks when a name was typed, and only then', async () => {
    await opened()
    const untouched = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    await page.keyboard.press('Escape')
    await untouched.waitFor({ state: 'detached' })
    const open = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    const name = open.getByLabel('Name')
    await name.fill('nickname')
    await asksBeforeIt(open, name)
    expect(await tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('A field that is left with what no rule allows', () => {
  it(
    'by mouse: the old value is back, the message stays, and what was typed can be had again',
    holds('E4.37', 'E4.38'),
    async () => {
      await opened()
      await row(page, 'Type attributes', 'first').click()
      const name = property(page, 'Type Attribute', 'Name')
      const field = name.getByRole('textbox')
      const leave = async () => {
        await field.fill('9 lives')
        await page.getByRole('article').getByRole('heading', { level: 1 }).click()
        await expect.poll(() => field.inputValue()).toBe('first')
        await expectShown(name.getByRole('alert').getByText(/^this must contain only alphanumeric/))
      }
      await leave()
      // In a window of half the size the panel is a sheet, which forgets what was refused.
      await expectClean(page, 'left-with-invalid-text')
      await leave()
      await name.getByRole('button', { name: 'Edit your input' }).click()
      expect(await field.inputValue()).toBe('9 lives')
      await expect.poll(() => hasFocus(field)).toBe(true)
      await field.fill('nineLives')
      await page.getByRole('article').getByRole('heading', { level: 1 }).click()
      await expectShown(row(page, 'Type attributes', 'nineLives'))
      expect(await name.getByRole('alert').count()).toBe(0)
    },
  )

  it('where the server is asked about it, too; the message goes once the field was looked at', async () => {
    await opened()
    const name = property(page, 'Entity', 'Name')
    const field = name.getByRole('textbox')
    const own = await field.inputValue()
    await field.fill('Country')
    await page.getByRole('article').getByRole('heading', { level: 1 }).click()
    await expect.poll(() => field.inputValue()).toBe(own)
    await expectShown(name.getByRole('alert').getByText('An entity with the name "Country" already exists.'))
    await field.click()
    await page.getByRole('article').getByRole('heading', { level: 1 }).click()
    await expect.poll(() => name.getByRole('alert').count()).toBe(0)
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})
