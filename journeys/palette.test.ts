import { describe, expect, it } from 'vitest'
import { openDesk } from './driver/desk.ts'
import { holdAll } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await openDesk()

async function openPalette(): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
}

/** The folder that the shown document names. */
const shownPath = (name: string) => entityDocument(page, name).getByText(/user-defined\/|predefined\//)

describe('The palette', () => {
  it('as the first thing that is used gives the focus to the document when it goes, and finds commands by other words', async () => {
    await openPalette()
    await page.keyboard.type('create manifest')
    await expectShown(page.getByRole('option', { name: /^New manifest/ }).first())
    await keys(page, 'Escape')
    const place = () =>
      page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))
    await expect.poll(place).toBe('document')
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
