import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { hasFocus, keys } from './keyboard.ts'
import { expectShown, press, question } from './widgets.ts'

/** The confirmation before the input of a dialog is lost. */
export function leaveDialog(page: Page): Locator {
  return question(page, 'Leave without saving?')
}

/**
 * Expects Escape, the footer's button and the close icon to require confirmation, cancelling to restore dialog and focus,
 * and Leave to close the dialog.
 */
export async function expectLeaveConfirmation(page: Page, open: Locator, field: Locator): Promise<void> {
  const confirmation = leaveDialog(page)
  await keys(page, 'Escape')
  await expectShown(confirmation.getByText('Your input will be lost.'))
  await keys(page, 'Escape')
  await confirmation.waitFor({ state: 'detached' })
  await expectShown(open)
  await expect.poll(() => hasFocus(field)).toBe(true)
  const footer = open.locator('footer').getByRole('button', { name: /^(Cancel|Close)$/ })
  await footer.click()
  await press(confirmation, 'Cancel')
  await confirmation.waitFor({ state: 'detached' })
  // The close icon in the header.
  await open.getByRole('button', { name: 'Close', exact: true }).first().click()
  await press(confirmation, 'Leave')
  await open.waitFor({ state: 'detached' })
}
