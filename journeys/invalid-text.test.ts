import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { expectSaved, holdAll, openEntity, record, tool, toolDialog } from './driver/document.ts'
import { fillProperty, property, row, setText, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectLeaveConfirmation, leaveDialog } from './driver/leave-dialog.ts'
import { violations } from './driver/axe.ts'
import { dialog, expectShown, find, pick, press, snackbar } from './driver/widgets.ts'

let count = 0

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

/** Creates an entity and opens it. */
async function openNewEntity(): Promise<{ id: number; name: string; document: Locator }> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const { id, name } = await apiOf(page).createEntity({ name: `Refused_${count}`, typeAttributes }, shop)
  return { id, name, document: await openEntity(page, { id, name }) }
}

const nameError = /^this must contain only alphanumeric/
const name = () => property(page, 'Type Attribute', 'Name')
const field = () => name().getByRole('textbox')

/** Types into the name of an attribute without confirming the input. */
async function typeName(text: string) {
  await row(page, 'Type attributes', 'first').click()
  await fillProperty(field(), text)
}

/** Expects the field to keep the focus and the invalid text, and to show an error. */
async function expectNameError(text: string) {
  await expectShown(name().getByRole('alert').getByText(nameError))
  await expect.poll(() => hasFocus(field())).toBe(true)
  await expect.poll(() => field().inputValue()).toBe(text)
}

const headerSave = (document: Locator) => document.locator('header').getByRole('button', { name: 'Save' })
/** All ways to save: Ctrl+S, the toolbar, and the button beside the name. */
const saves: ((document: Locator) => Promise<void>)[] = [
  () => keys(page, 'Control+s'),
  () => tool(page, 'Save').click(),
  document => headerSave(document).first().click(),
]

describe('Save with invalid text in a field', () => {
  it('no save command saves anything while a field is invalid; once it is corrected, all changes are saved', async () => {
    const { id, document } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'also changed')
    await typeName('9 lives')
    const calls = record(page)
    for (const save of saves) {
      await save(document)
      await expectNameError('9 lives')
    }
    expect(calls.filter(call => call.method !== 'GET')).toEqual([])
    await field().fill('nineLives')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { description, typeAttributes } = await apiOf(page).entityOf(id)
    expect(description).toBe('also changed')
    expect(typeAttributes.map(attribute => attribute.name)).toContain('nineLives')
  })

  it('invalid text blocks Save without other changes and when only the server can reject it', async () => {
    await openNewEntity()
    await typeName('9 lives')
    await tool(page, 'Save').click()
    await expectNameError('9 lives')
    await keys(page, 'Escape')
    await expect.poll(() => field().inputValue()).toBe('first')
    await setText(page, 'Entity', 'Description', 'also changed')
    const own = property(page, 'Entity', 'Name')
    await own.getByRole('textbox').fill('Country')
    const calls = record(page)
    await tool(page, 'Save').click()
    await expectShown(own.getByRole('alert').getByText(/Country/))
    await expect.poll(() => hasFocus(own.getByRole('textbox'))).toBe(true)
    await expect.poll(() => own.getByRole('textbox').inputValue()).toBe('Country')
    expect(calls.filter(({ url }) => url.includes('/edits'))).toEqual([])
    await keys(page, 'Escape')
    await tool(page, 'Discard changes').click()
  })

  it.each(['Discard changes', /^Undo/])(
    '%s by mouse waits for the pending name check and also reverts the typed name',
    async button => {
      const { name: entity } = await openNewEntity()
      const own = property(page, 'Entity', 'Name').getByRole('textbox')
      const slow = /\/cdm\/manifest\/\d+\/entities\?search=/
      await setText(page, 'Entity', 'Description', 'also changed')
      const release = await holdAll(page, slow)
      const answered = page.waitForResponse(slow)
      await own.fill('Quite_another')
      await tool(page, button).click()
      release()
      await answered
      await expect.poll(() => own.inputValue()).toBe(entity)
      const left = button === 'Discard changes' ? '' : 'also changed'
      await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe(left)
      await page.unroute(slow)
      if (left !== '') await tool(page, 'Discard changes').click()
    },
  )

  it.each(['Discard changes', /^Undo/])('%s by mouse clears text just typed into a field', async button => {
    await openNewEntity()
    const description = property(page, 'Entity', 'Description').getByRole('textbox')
    await property(page, 'Entity', 'Name').getByRole('textbox').fill('Another_name')
    await keys(page, 'Enter')
    await expect.poll(() => tool(page, 'Discard changes').getAttribute('aria-disabled')).not.toBe('true')
    await description.fill('just typed')
    await tool(page, button).click()
    await expect.poll(() => description.inputValue()).toBe('')
    if (button !== 'Discard changes') await tool(page, 'Discard changes').click()
    await expectSaved(page)
  })

  it('Discard reverts all changes and rejected input can still be edited', async () => {
    await openNewEntity()
    await setText(page, 'Entity', 'Description', 'also changed')
    await typeName('9 lives')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('')
    await expect.poll(() => field().inputValue()).toBe('first')
    await expectShown(name().getByRole('alert').getByText(nameError))
    await name().getByRole('button', { name: 'Edit your input' }).click()
    await expect.poll(() => field().inputValue()).toBe('9 lives')
    await keys(page, 'Escape')
  })
})

describe('Leaving a field with invalid text by mouse', () => {
  it('a tab with invalid text in a field does not close', async () => {
    const { name: entity } = await openNewEntity()
    await typeName('9 lives')
    await tab(page, entity).locator('[data-close]').click()
    await expectNameError('9 lives')
    await expectShown(tab(page, entity))
    await keys(page, 'Escape')
    await tab(page, entity).locator('[data-close]').click()
    await expect.poll(() => tab(page, entity).count()).toBe(0)
  })

  it('a message reports invalid text when another row or document replaces its field', async () => {
    const other = await openNewEntity()
    const { name: entity } = await openNewEntity()
    await typeName('9 lives')
    await row(page, 'Type attributes', 'second').click()
    await expect.poll(() => field().inputValue()).toBe('second')
    await expectShown(
      page.getByRole('region', { name: 'Messages' }).getByText(/^"9 lives" was not applied to Name: this/),
    )
    await field().fill('8 lives')
    await tab(page, other.name).click()
    await expectShown(other.document)
    await expectShown(
      page.getByRole('region', { name: 'Messages' }).getByText(/^"8 lives" was not applied to Name: this/),
    )
    await tab(page, entity).click()
    await expectShown(row(page, 'Type attributes', 'second'))
  })
})

describe('A save rejected by the server', () => {
  it('a rejected save names the attribute and its field and focuses the row', async () => {
    const { document } = await openNewEntity()
    await row(page, 'Type attributes', 'second').click()
    await setText(page, 'Type Attribute', 'Default Value', 'B')
    await pick(page, property(page, 'Type Attribute', 'Data Type'), 'Data Type', 'integer')
    await row(page, 'Type attributes', 'first').click()
    await keys(page, 'Control+s')
    await expectShown(
      document.getByRole('alert').getByText('Attribute second, default value: this must be a whole number.'),
    )
    await expect.poll(() => hasFocus(row(page, 'Type attributes', 'second'))).toBe(true)
    await expect.poll(() => property(page, 'Type Attribute', 'Name').getByRole('textbox').inputValue()).toBe('second')
  })
})

describe('Ctrl+Enter in a dialog', () => {
  it('Ctrl+Enter in a dialog applies text of several lines', async () => {
    await openNewEntity()
    await page.getByRole('button', { name: 'Edit Description in a larger field' }).click()
    const open = page.getByRole('dialog', { name: 'Description' })
    await open.getByRole('textbox').fill('one\ntwo')
    await keys(page, 'Control+Enter')
    await open.waitFor({ state: 'detached' })
    await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('one\ntwo')
  })
})

const leaveConfirmation = () => leaveDialog(page)
const expectConfirmation = (open: Locator, field: Locator) => expectLeaveConfirmation(page, open, field)

describe('Escape in a dialog', () => {
  it('Escape in the larger editor requires confirmation before input is lost', async () => {
    await openNewEntity()
    const larger = page.getByRole('button', { name: 'Edit Description in a larger field' })
    await larger.click()
    const open = dialog(page, 'Description')
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
    await larger.click()
    const field = open.getByRole('textbox')
    await field.fill('Two lines\nof a description')
    await expectConfirmation(open, field)
  })

  it('Escape in the choices dialog requires confirmation after a change, and deleting a choice moves the focus to the name', async () => {
    await openNewEntity()
    await row(page, 'Type attributes', 'first').click()
    const edit = property(page, 'Type Attribute', 'Choices').getByRole('button')
    const open = dialog(page, 'Choices')
    const name = open.getByRole('textbox')
    await edit.click()
    await name.fill('red')
    await expectConfirmation(open, name)
    await edit.click()
    await expectShown(open)
    await expect.poll(() => open.getByRole('listitem').count()).toBe(0)
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
    await edit.click()
    await name.fill('red')
    await name.press('Enter')
    await keys(page, 'Escape')
    await expectShown(leaveConfirmation())
    await keys(page, 'Escape')
    await leaveConfirmation().waitFor({ state: 'detached' })
    await open.getByRole('checkbox', { name: 'red' }).click()
    await open.getByRole('button', { name: 'Delete' }).focus()
    await keys(page, 'Enter')
    // The name field is the next control.
    await expect.poll(() => hasFocus(name)).toBe(true)
    await press(open, 'Cancel')
  })

  it('Escape in New Relationship requires confirmation only after an entity was chosen', async () => {
    await openNewEntity()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const untouched = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await keys(page, 'Escape')
    await untouched.waitFor({ state: 'detached' })
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    const associated = open.getByRole('combobox', { name: 'Associated Entity' })
    await expect.poll(() => hasFocus(associated)).toBe(true)
    await expectConfirmation(open, associated)
  })

  it('Escape in New Relationship requires confirmation before the attributes of the chosen entity are loaded', async () => {
    await openNewEntity()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const late = Promise.withResolvers<void>()
    await page.route(/\/1\.0\/cdm\/entity\/\d+/, async route => {
      await late.promise
      await route.continue()
    })
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    const associated = open.getByRole('combobox', { name: 'Associated Entity' })
    await keys(page, 'Escape')
    await expectShown(leaveConfirmation())
    await keys(page, 'Escape')
    await leaveConfirmation().waitFor({ state: 'detached' })
    await expect.poll(() => associated.textContent()).toMatch(/^Country/)
    // The second choice wins in any order of the responses.
    await find(page, open, 'Associated Entity', 'Product', 'user-defined/Shop')
    late.resolve()
    const target = open.getByRole('combobox', { name: 'Target Attribute' })
    await expect.poll(() => target.textContent()).toMatch(/^product/)
    await expect.poll(() => associated.textContent()).toMatch(/^Product/)
    await press(open, 'Cancel')
  })

  it('Escape in New Type Attribute requires confirmation only after a name was typed', async () => {
    await openNewEntity()
    const untouched = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    await keys(page, 'Escape')
    await untouched.waitFor({ state: 'detached' })
    const open = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    const name = open.getByLabel('Name')
    await name.fill('nickname')
    await expectConfirmation(open, name)
    await expectSaved(page)
  })
})

describe('A field that is left with invalid text', () => {
  it(
    'leaving a field with invalid text restores the old value and the message offers the text for editing',
    holds('E4.37', 'E4.38'),
    async () => {
      await openNewEntity()
      await row(page, 'Type attributes', 'first').click()
      const name = property(page, 'Type Attribute', 'Name')
      const field = name.getByRole('textbox')
      const leave = async () => {
        await fillProperty(field, '9 lives')
        await page.getByRole('article').getByRole('heading', { level: 1 }).click()
        await expect.poll(() => field.inputValue()).toBe('first')
        await expectShown(name.getByRole('alert').getByText(/^this must contain only alphanumeric/))
      }
      await leave()
      expect(await violations(page)).toEqual([])
      await name.getByRole('button', { name: 'Edit your input' }).click()
      await expect.poll(() => field.inputValue()).toBe('9 lives')
      await expect.poll(() => hasFocus(field)).toBe(true)
      await field.fill('nineLives')
      await page.getByRole('article').getByRole('heading', { level: 1 }).click()
      await expectShown(row(page, 'Type attributes', 'nineLives'))
      await expect.poll(() => name.getByRole('alert').count()).toBe(0)
    },
  )

  it('a name rejected by the server restores the old value and its message disappears after the field is focused', async () => {
    const { name: own } = await openNewEntity()
    const name = property(page, 'Entity', 'Name')
    const field = name.getByRole('textbox')
    await field.fill('Country')
    await page.getByRole('article').getByRole('heading', { level: 1 }).click()
    await expect.poll(() => field.inputValue()).toBe(own)
    await expectShown(name.getByRole('alert').getByText('An entity with the name "Country" already exists.'))
    await field.click()
    await page.getByRole('article').getByRole('heading', { level: 1 }).click()
    await expect.poll(() => name.getByRole('alert').count()).toBe(0)
  })

  it('invalid text causes no errors on the page', () => {
    expect(journey.complaints).toEqual([])
  })
})
