import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { hasFocus } from './keyboard.ts'
import { expectShown, press, question } from './widgets.ts'

/** The question before what was entered in a dialog goes. */
export function leavingDialog(page: Page): Locator {
  return question(page, 'Leave without saving?')
}

/** Escape asks; taken back everything is there and has the focus as before; said again the dialog goes. */
export async function expectLeavingAsks(page: Page, open: Locator, field: Locator): Promise<void> {
  const asked = leavingDialog(page)
  await page.keyboard.press('Escape')
  await expectShown(asked.getByText('Your input will be lost.'))
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await expectShown(open)
  await expect.poll(() => hasFocus(field)).toBe(true)
  // The one at the top: that of the footer gives up, as Cancel does.
  await open.getByRole('button', { name: 'Close', exact: true }).first().click()
  await press(asked, 'Leave')
  await open.waitFor({ state: 'detached' })
}
