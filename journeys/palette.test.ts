import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { holdAll, tool } from './driver/document.ts'
import { entityDocument, property, row, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, nextFrames, press } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

async function openPalette(): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
}

/** The region of the page that has the focus. */
const focusedRegion = () =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))

/** The folder in the header of the active document. */
const shownPath = (name: string) => entityDocument(page, name).getByText(/user-defined\/|predefined\//)

describe('The palette', () => {
  it('the palette finds commands by synonyms and returns the focus to the document on close', async () => {
    await openPalette()
    await page.keyboard.type('create manifest')
    await expectShown(page.getByRole('option', { name: /^New manifest/ }).first())
    await keys(page, 'Escape')
    await expect.poll(focusedRegion).toBe('document')
  })

  it('Enter right after typing opens the match and prefers a custom entity to a library entity', async () => {
    // Enter must wait for the delayed search responses.
    const release = await holdAll(page, /[?&]search=/)
    await openPalette()
    await page.keyboard.type('salesorder')
    await keys(page, 'Enter')
    release()
    await expectShown(entityDocument(page, 'SalesOrder'))
    await expect.poll(() => shownPath('SalesOrder').first().textContent()).toMatch(/user-defined/)
    await page.unroute(/[?&]search=/)
  })

  it('the palette finds an entity that was never opened by letters in their order', async () => {
    await openPalette()
    await page.keyboard.type('slsordr')
    await expectShown(page.getByRole('option', { name: /^SalesOrder.*user-defined/ }).first())
    await keys(page, 'Escape')
  })

  it('the palette closes menus and lists that are open, and returns the focus to where they came from', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'Covered', typeAttributes: [{ name: 'code' }] })
    await page.goto(`/?entity=${id}`)
    const shown = row(page, 'Type attributes', 'code')
    await shown.click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Duplicate/ }).waitFor()
    await openPalette()
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(shown)).toBe(true)
    const type = property(page, 'Type Attribute', 'Data Type').getByRole('combobox')
    await type.click()
    const search = page.getByRole('combobox', { name: 'Search Data Type' })
    await search.waitFor()
    await openPalette()
    await search.waitFor({ state: 'detached' })
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(type)).toBe(true)
  })

  it('opening a document from the palette moves the focus from tab to tab, so that Delete closes the active one', async () => {
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

  it('the focus moves to the document if a dialog closes and its button no longer exists', async () => {
    // An entity without references may extend one that has its own key.
    await apiOf(page).createEntity({ name: 'Lonely' }, await apiOf(page).manifestNamed('Shop'))
    await openPalette()
    await page.keyboard.type('Lonely')
    await expectShown(page.getByRole('option', { name: /^Lonely/ }).first())
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Lonely'))
    // The focus must not return to the tree, where Delete would delete the manifest.
    await page.getByRole('treeitem', { name: /^Shop/ }).first().focus()
    await tool(page, 'Extend Entity').click()
    const open = dialog(page, 'Extend Entity')
    await find(page, open, 'Entity', 'Region')
    await press(open, 'Apply')
    await open.waitFor({ state: 'detached' })
    await expect.poll(focusedRegion).toBe('document')
  })

  it('the palette keeps the line chosen by arrow keys when more results arrive', async () => {
    const release = await holdAll(page, /[?&]search=/)
    await openPalette()
    await page.keyboard.type('contac')
    const marked = page.locator('[role=option][data-highlighted]')
    await expect.poll(() => marked.count()).toBe(1)
    const first = await marked.textContent()
    await keys(page, 'ArrowDown')
    await expect.poll(() => marked.textContent()).not.toBe(first)
    const chosen = await marked.textContent()
    const answered = page.waitForResponse(/\/search\?.*search=contac/)
    release()
    await answered
    await nextFrames(page)
    await expect.poll(() => marked.textContent()).toBe(chosen)
    await keys(page, 'Escape')
    await page.unroute(/[?&]search=/)
  })
})

describe('The search for anything', () => {
  const option = (name: RegExp) => page.getByRole('option', { name }).first()

  it('words of descriptions and values of choices lead to the row, Ctrl+Enter opens it in the background', async () => {
    const typeAttributes = [
      { name: 'first' },
      { name: 'grade', description: 'How ripe the quinces are', choices: ['unripe', 'mellow'] },
    ]
    await apiOf(page).createEntity({ name: 'Quince', typeAttributes }, await apiOf(page).manifestNamed('Shop'))
    await openPalette()
    await page.keyboard.type('mellow')
    await expectShown(option(/^mellow\s*choice of Quince\.grade, user-defined\/Shop/))
    await keys(page, 'Control+Enter')
    await expectShown(tab(page, 'Quince'))
    await expect.poll(() => tab(page, 'Quince').getAttribute('aria-selected')).toBe('false')
    await openPalette()
    await page.keyboard.type('quinces ripe')
    await expectShown(option(/^How ripe the quinces are\s*description of Quince\.grade/))
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Quince'))
    await expect.poll(() => row(page, 'Type attributes', 'grade').getAttribute('aria-selected')).toBe('true')
  })

  it('the palette begins with recent documents and commands', async () => {
    await openPalette()
    await page.keyboard.type('keyboard shortcuts')
    await expectShown(option(/^Keyboard shortcuts/))
    await keys(page, 'Enter')
    await expectShown(dialog(page, 'Keyboard shortcuts'))
    await keys(page, 'Escape')
    await dialog(page, 'Keyboard shortcuts').waitFor({ state: 'detached' })
    await openPalette()
    const recent = page.getByRole('option').filter({ hasText: /recent/ })
    await expect
      .poll(() => recent.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/^Keyboard shortcuts/)]))
    await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(/user-defined|predefined/)
    await keys(page, 'Escape')
  })
})

const paletteInput = (at: Page) => at.getByRole('combobox', { name: 'Search or run a command' })

describe('Text typed before its field is ready', () => {
  it('text typed right after Ctrl+K is entered into the palette', async () => {
    await typeAtOnce(page, 'Control+k', 'Customer')
    await expect.poll(() => paletteInput(page).inputValue()).toBe('Customer')
    await keys(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('text and Enter typed while the palette is loading run the command and do not press the focused button', async () => {
    const { context, page: slow } = await openPage(journey.browser, journey.console.url, {
      signedInAs: journey.context,
    })
    const release = await holdAll(slow, '**/assets/dialogs-*.js')
    await slow.goto(`/?entity=${await apiOf(page).entityNamed('Customer')}`)
    await slow.getByRole('button', { name: 'Add Attribute' }).focus()
    await typeAtOnce(slow, 'Control+k', 'salesordd')
    await slow.keyboard.press('Backspace')
    await slow.keyboard.type('er')
    await slow.keyboard.press('Enter')
    release()
    await expectShown(entityDocument(slow, 'SalesOrder'))
    await expect.poll(() => slow.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  it('text typed while a dialog opens replaces the suggested name in its first field', async () => {
    await keys(page, 'Control+k')
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

  it('Escape discards text typed into the palette', async () => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await typeAtOnce(page, 'Control+k', 'x')
    await expectShown(paletteInput(page))
    await keys(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys(page, 'Control+k')
    await expectShown(paletteInput(page))
    await expect.poll(() => paletteInput(page).inputValue()).toBe('')
    await keys(page, 'Escape')
  })

  it('the palette causes no errors on the page', () => {
    expect(journey.complaints).toEqual([])
  })
})

/** Presses keys without waiting for their effects. */
async function typeAtOnce(at: Page, opening: string, text: string): Promise<void> {
  await at.keyboard.press(opening)
  await at.keyboard.type(text)
}
