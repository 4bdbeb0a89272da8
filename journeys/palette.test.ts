import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, openPage } from './driver/desk.ts'
import { holdAll, tool } from './driver/document.ts'
import { entityDocument, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk

async function openPalette(): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
}

/** The part of the page that has the focus. */
const focusedRegion = () =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))

/** The folder that the shown document names. */
const shownPath = (name: string) => entityDocument(page, name).getByText(/user-defined\/|predefined\//)

describe('The palette', () => {
  it('moves the focus to the document when it closes, and finds commands by synonyms', async () => {
    await openPalette()
    await page.keyboard.type('create manifest')
    await expectShown(page.getByRole('option', { name: /^New manifest/ }).first())
    await keys(page, 'Escape')
    await expect.poll(focusedRegion).toBe('document')
  })

  it('opens what was typed when Enter follows at once, and one’s own before its namesake of the library', async () => {
    // The server is slow to answer: what is not known yet is waited for.
    const letGo = await holdAll(page, /[?&]search=/)
    await openPalette()
    await page.keyboard.type('salesorder')
    await keys(page, 'Enter')
    letGo()
    await expectShown(entityDocument(page, 'SalesOrder'))
    await expect.poll(() => shownPath('SalesOrder').first().textContent()).toMatch(/user-defined/)
    await page.unroute(/[?&]search=/)
  })

  it('finds an own entity by letters in their order, also one that was never looked at', async () => {
    await openPalette()
    await page.keyboard.type('slsordr')
    await expectShown(page.getByRole('option', { name: /^SalesOrder.*user-defined/ }).first())
    await keys(page, 'Escape')
  })

  it('gives the focus to the tab of what it opens, where a tab had it: Delete closes what is shown', async () => {
    const openByName = async (name: string) => {
      await openPalette()
      await page.keyboard.type(name)
      await keys(page, 'Enter')
      await expectShown(entityDocument(page, name))
    }
    for (const name of ['Product', 'Customer']) await openByName(name)
    await tab(page, 'Customer').focus()
    await openByName('Product')
    await expect.poll(() => hasFocus(tab(page, 'Product'))).toBe(true)
    await keys(page, 'Delete')
    await tab(page, 'Product').waitFor({ state: 'detached' })
    await expectShown(tab(page, 'Customer'))
  })

  it('leaves the focus in the document when a dialog closes and its button is gone', async () => {
    // Nothing refers to it, so that it may extend what has a key of its own.
    await apiOf(page).createEntity({ name: 'Lonely' }, await apiOf(page).manifestNamed('Shop'))
    await openPalette()
    await page.keyboard.type('Lonely')
    await expectShown(page.getByRole('option', { name: /^Lonely/ }).first())
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Lonely'))
    // Delete asks there whether something else is to go.
    await page.getByRole('treeitem', { name: /^Shop/ }).first().focus()
    await tool(page, 'Extend Entity').click()
    const open = dialog(page, 'Extend Entity')
    await find(page, open, 'Entity', 'Region')
    await press(open, 'Apply')
    await open.waitFor({ state: 'detached' })
    await expect.poll(focusedRegion).toBe('document')
  })

  it('keeps the line chosen by arrow keys when more results arrive', async () => {
    const letGo = await holdAll(page, /[?&]search=/)
    await openPalette()
    await page.keyboard.type('contac')
    const marked = page.locator('[role=option][data-highlighted]')
    await expect.poll(() => marked.count()).toBe(1)
    await keys(page, 'ArrowDown')
    const chosen = await marked.textContent()
    const answered = page.waitForResponse(/attributes?.*[?&]search=contac/)
    letGo()
    await answered
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)))
    expect(await marked.textContent()).toBe(chosen)
    await keys(page, 'Escape')
    await page.unroute(/[?&]search=/)
  })
})

const paletteInput = (at: Page) => at.getByRole('combobox', { name: 'Search or run a command' })

describe('Text typed before its field is ready', () => {
  it('goes into the palette when it follows Ctrl+K at once', async () => {
    await typeAtOnce(page, 'Control+k', 'Customer')
    await expect.poll(() => paletteInput(page).inputValue()).toBe('Customer')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('goes into the palette while its code is still loading', async () => {
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

  it('is run by Enter, which presses nothing that has the focus until then', async () => {
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

  it('goes into the first field of a dialog, in place of the suggested name', async () => {
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

  it('is dropped by Escape', async () => {
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
