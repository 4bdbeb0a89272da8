import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsInAnyLook } from './axe.ts'
import { missedByArrows, missedByTab } from './keyboard.ts'

/**
 * Axe finds nothing in what is seen, in any look, and of a menu or dialog that lies over the page nothing is out of the keyboard's reach.
 * It is kept as a picture in both themes where that is asked for.
 */
export async function expectClean(page: Page, name: string): Promise<void> {
  expect.soft(await violationsInAnyLook(page, name), name).toEqual([])
  const lists = await page.getByRole('listbox').count()
  const dialogs = page.locator('[role=dialog], [role=alertdialog]')
  if ((await page.getByRole('menu').count()) > 0) expect.soft(await missedByArrows(page), name).toEqual([])
  else if (lists === 0 && (await dialogs.count()) > 0)
    expect.soft(await missedByTab(page, dialogs.last()), name).toEqual([])
}
