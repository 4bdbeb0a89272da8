import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { holdAll, openEntity, record, tool } from './driver/document.ts'
import { property, row, setText, tab } from './driver/entity.ts'
import { hasFocus } from './driver/keyboard.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk

/** A fresh entity, open in its tab. */
async function opened(): Promise<{ id: number; name: string; document: Locator }> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const shop = await apiOf(page).manifestNamed('Shop')
  const { id, name } = await apiOf(page).createEntity({ name: `Refused_${count}`, typeAttributes }, shop)
  return { id, name, document: await openEntity(page, { id, name }) }
}

const ruled = /^this must contain only alphanumeric/
const name = () => property(page, 'Type Attribute', 'Name')
const field = () => name().getByRole('textbox')

/** The name of an attribute is typed as no rule allows it; nothing was pressed to apply it. */
async function typing(text: string) {
  await row(page, 'Type attributes', 'first').click()
  await field().fill(text)
}

/** The field has the focus, holds what was typed, and says what is wrong with it. */
async function expectToMend(text: string) {
  await expectShown(name().getByRole('alert').getByText(ruled))
  await expect.poll(() => hasFocus(field())).toBe(true)
  expect(await field().inputValue()).toBe(text)
}

const headerSave = (document: Locator) => document.locator('header').getByRole('button', { name: 'Save' })
const saves: [string, (document: Locator) => Promise<void>][] = [
  ['Ctrl+S', () => page.keyboard.press('Control+s')],
  ['the toolbar by mouse', () => tool(page, 'Save').click()],
  ['the button beside the name', document => headerSave(document).first().click()],
]

describe('Save with a text in a field that no rule allows', () => {
  it.each(saves)('%s saves nothing until it is mended, and then all of it', async (_how, save) => {
    const { id, document } = await opened()
    await setText(page, 'Entity', 'Description', 'also changed')
    await typing('9 lives')
    const calls = record(page)
    await save(document)
    await expectToMend('9 lives')
    await save(document)
    await expectToMend('9 lives')
    await shoot(page, 'save-stopped-by-a-field')
    expect(calls.filter(call => call.method === 'PUT')).toEqual([])
    await field().fill('nineLives')
    await save(document)
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const headers = { 'X-Organisation-Code': 'ACME' }
    const { entity } = await (await page.request.get(`/1.0/cdm/entity/${id}`, { headers })).json()
    expect(entity.description).toBe('also changed')
    expect(entity.typeAttributes.map((attribute: { name: string }) => attribute.name)).toContain('nineLives')
  })

  it('is stopped the same where nothing else was changed, and where the server is asked about the text', async () => {
    await opened()
    await typing('9 lives')
    await tool(page, 'Save').click()
    await expectToMend('9 lives')
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('first')
    await setText(page, 'Entity', 'Description', 'also changed')
    const own = property(page, 'Entity', 'Name')
    await own.getByRole('textbox').fill('Country')
    const calls = record(page)
    await tool(page, 'Save').click()
    await expectShown(own.getByRole('alert').getByText(/Country/))
    await expect.poll(() => hasFocus(own.getByRole('textbox'))).toBe(true)
    expect(await own.getByRole('textbox').inputValue()).toBe('Country')
    expect(calls.filter(call => call.method === 'PUT')).toEqual([])
    await page.keyboard.press('Escape')
    await tool(page, 'Discard changes').click()
  })

  it('what was typed and given up does not come back with the value that it was typed over', async () => {
    await opened()
    const description = property(page, 'Entity', 'Description').getByRole('textbox')
    await setText(page, 'Entity', 'Description', 'typed once')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => description.inputValue()).toBe('')
    expect(await tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })

  it.each(['Discard changes', /^Undo/])(
    '%s by mouse waits for the answer to what was typed, and takes that too',
    async button => {
      const { name: entity } = await opened()
      const own = property(page, 'Entity', 'Name').getByRole('textbox')
      const slow = /\/cdm\/manifest\/\d+\/entities\?search=/
      await setText(page, 'Entity', 'Description', 'also changed')
      const letGo = await holdAll(page, slow)
      const answered = page.waitForResponse(slow)
      await own.fill('Quite_another')
      await page.getByRole('toolbar', { name: 'Entity' }).getByRole('button', { name: button }).click()
      letGo()
      await answered
      await expect.poll(() => own.inputValue()).toBe(entity)
      await page.waitForTimeout(100)
      expect(await own.inputValue()).toBe(entity)
      const left = button === 'Discard changes' ? '' : 'also changed'
      expect(await property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe(left)
      await page.unroute(slow)
      if (left !== '') await tool(page, 'Discard changes').click()
    },
  )

  it.each(['Discard changes', /^Undo/])(
    '%s by mouse leaves nothing of what was just typed in its field',
    async button => {
      await opened()
      const description = property(page, 'Entity', 'Description').getByRole('textbox')
      await property(page, 'Entity', 'Name').getByRole('textbox').fill('Another_name')
      await page.keyboard.press('Enter')
      await expect.poll(() => tool(page, 'Discard changes').getAttribute('aria-disabled')).not.toBe('true')
      await description.fill('just typed')
      await page.getByRole('toolbar', { name: 'Entity' }).getByRole('button', { name: button }).click()
      await expect.poll(() => description.inputValue()).toBe('')
      if (button !== 'Discard changes') await tool(page, 'Discard changes').click()
      await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    },
  )

  it('Discard gives up all changes, and what was refused stays within reach', async () => {
    await opened()
    await setText(page, 'Entity', 'Description', 'also changed')
    await typing('9 lives')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('')
    await expect.poll(() => field().inputValue()).toBe('first')
    await expectShown(name().getByRole('alert').getByText(ruled))
    await name().getByRole('button', { name: 'Edit your input' }).click()
    expect(await field().inputValue()).toBe('9 lives')
    await page.keyboard.press('Escape')
  })
})

describe('A text that no rule allows, left with the mouse', () => {
  it('keeps its tab from being closed', async () => {
    const { name: entity } = await opened()
    await typing('9 lives')
    await tab(page, entity).locator('[data-close]').click()
    await expectToMend('9 lives')
    await expectShown(tab(page, entity))
    await page.keyboard.press('Escape')
    await tab(page, entity).locator('[data-close]').click()
    await expect.poll(() => tab(page, entity).count()).toBe(0)
  })

  it('is told where its field is gone: another row, another document', async () => {
    const other = await opened()
    const { name: entity } = await opened()
    await typing('9 lives')
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

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

describe('A save that the server refuses', () => {
  it('names the attribute and its field, and leads to the row', async () => {
    const { document } = await opened()
    await row(page, 'Type attributes', 'second').click()
    await setText(page, 'Type Attribute', 'Default Value', 'B')
    await pick(page, property(page, 'Type Attribute', 'Data Type'), 'Data Type', 'integer')
    await row(page, 'Type attributes', 'first').click()
    await page.keyboard.press('Control+s')
    await expectShown(
      document.getByRole('alert').getByText('Attribute second, default value: this must be a whole number.'),
    )
    await expect.poll(() => hasFocus(row(page, 'Type attributes', 'second'))).toBe(true)
    expect(await property(page, 'Type Attribute', 'Name').getByRole('textbox').inputValue()).toBe('second')
  })
})

describe('Ctrl+Enter in a dialog', () => {
  it('takes what was typed, from a text of several lines too', async () => {
    await opened()
    await page.getByRole('button', { name: 'Edit Description in a larger field' }).click()
    const open = page.getByRole('dialog', { name: 'Description' })
    await open.getByRole('textbox').fill('one\ntwo')
    await page.keyboard.press('Control+Enter')
    await open.waitFor({ state: 'detached' })
    expect(await property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('one\ntwo')
  })
})
