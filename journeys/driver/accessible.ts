import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsInAllVariants, violationsInLight } from './axe.ts'
import { missedByArrows, missedByTab } from './keyboard.ts'

/**
 * Expects no accessibility violations, and every control of an open menu or dialog to be reachable by keyboard. Pages
 * are also checked in the dark theme, in forced colours and at 200 % zoom; dialogs only with `all`, because they share
 * their components. Saves screenshots if enabled.
 */
export async function expectAccessible(page: Page, name: string, variants?: 'light' | 'all'): Promise<void> {
  const menus = await page.getByRole('menu').count()
  const lists = await page.getByRole('listbox').count()
  const dialogs = page.locator('[role=dialog], [role=alertdialog]')
  const hasDialog = (await dialogs.count()) > 0
  const isPage = menus === 0 && lists === 0 && !hasDialog
  const violationsIn = (variants ?? (isPage ? 'all' : 'light')) === 'all' ? violationsInAllVariants : violationsInLight
  expect.soft(await violationsIn(page, name), name).toEqual([])
  if (menus > 0) expect.soft(await missedByArrows(page), name).toEqual([])
  else if (lists === 0 && hasDialog) expect.soft(await missedByTab(page, dialogs.last()), name).toEqual([])
}
