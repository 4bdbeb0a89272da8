import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openPage, openDesk } from './driver/desk.ts'
import { holdAll } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk

const paletteInput = (at: Page) => at.getByRole('combobox', { name: 'Search or run a command' })

describe('What is typed goes where it was meant', () => {
  it('into the palette, typed in the same breath as Ctrl+K', async () => {
    await typeAtOnce(page, 'Control+k', 'Customer')
    await expect.poll(() => paletteInput(page).inputValue()).toBe('Customer')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('also when the code of the palette is still on its way', async () => {
    const { context, page: slow } = await openPage(desk.browser, desk.console.url, { signedInAs: desk.context })
    let asked = false
    slow.on('request', request => {
      asked ||= /\/assets\/dialogs-.*\.js$/.test(request.url())
    })
    const letGo = await holdAll(slow, '**/assets/dialogs-*.js')
    await slow.goto('/')
    await expectShown(slow.getByRole('treeitem', { name: /^Shop/ }))
    await typeAtOnce(slow, 'Control+k', 'Prodd')
    await slow.keyboard.press('Backspace')
    await slow.keyboard.type('uct')
    await expect.poll(() => asked).toBe(true)
    letGo()
    await expect.poll(() => paletteInput(slow).inputValue()).toBe('Product')
    await context.close()
  })

  it('and Enter after it sends it, and presses nothing that has the focus until then', async () => {
    const { context, page: slow } = await openPage(desk.browser, desk.console.url, { signedInAs: desk.context })
    await slow.goto('/')
    await expectShown(slow.getByRole('treeitem', { name: /^Shop/ }))
    await slow.goto(`/?entity=${await apiOf(slow).entityNamed('Customer')}`)
    const letGo = await holdAll(slow, '**/assets/dialogs-*.js')
    await slow.reload()
    const manage = slow.getByRole('button', { name: 'Manage Versions' }).first()
    await manage.focus()
    await typeAtOnce(slow, 'Control+k', 'salesorder')
    await slow.keyboard.press('Enter')
    letGo()
    await expectShown(entityDocument(slow, 'SalesOrder'))
    expect(await slow.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  it('into the first field of a dialog, in place of the name that it suggests', async () => {
    await page.keyboard.press('Control+k')
    await expectShown(paletteInput(page))
    await page.keyboard.type('Customer')
    await page
      .getByRole('option', { name: /^Customer.*user-defined/ })
      .first()
      .click()
    const customer = entityDocument(page, 'Customer')
    await expectShown(customer)
    const add = page.getByRole('button', { name: 'Add Attribute' }).first()
    await add.focus()
    await typeAtOnce(page, 'Enter', 'nickname')
    await expect
      .poll(() => dialog(page, 'New Type Attribute').getByRole('textbox', { name: 'Name' }).inputValue())
      .toBe('nickname')
    await press(dialog(page, 'New Type Attribute'), 'Cancel')
  })

  it('and Escape in between lets it go', async () => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await typeAtOnce(page, 'Control+k', 'x')
    await expectShown(paletteInput(page))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await expectShown(paletteInput(page))
    expect(await paletteInput(page).inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

/** Key presses one after the other: none waits for what the one before it brought about. */
async function typeAtOnce(at: Page, opening: string, text: string): Promise<void> {
  await at.keyboard.press(opening)
  await at.keyboard.type(text)
}
