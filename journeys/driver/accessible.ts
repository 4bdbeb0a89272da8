import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsInAllVariants } from './axe.ts'
import { missedByArrows, missedByTab } from './keyboard.ts'

/**
 * Expects no accessibility violations in any theme or zoom, and every control of an open menu or dialog to be reachable by keyboard.
 * Saves a screenshot in both themes if screenshots are enabled.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  expect.soft(await violationsInAllVariants(page, name), name).toEqual([])
  const lists = await page.getByRole('listbox').count()
  const dialogs = page.locator('[role=dialog], [role=alertdialog]')
  if ((await page.getByRole('menu').count()) > 0) expect.soft(await missedByArrows(page), name).toEqual([])
  else if (lists === 0 && (await dialogs.count()) > 0)
    expect.soft(await missedByTab(page, dialogs.last()), name).toEqual([])
}
