import { apiOf } from './driver/api.ts'
import { describe, expect, it } from 'vitest'
import { openDesk } from './driver/desk.ts'
import { holdAll, tool } from './driver/document.ts'
import { entityDocument, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press } from './driver/widgets.ts'

const { page } = await openDesk()

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
  it('as the first thing that is used gives the focus to the document when it goes, and finds commands by other words', async () => {
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

  it('opened a dialog whose button is another one afterwards: the focus stays in the document', async () => {
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

  it('leaves a line that was chosen by arrows where it is when more is found', async () => {
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
