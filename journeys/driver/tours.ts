import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { saveScreenshot } from './journey.ts'
import { openProfileMenu } from './session.ts'
import { expectShown } from './widgets.ts'

/** The titles of the steps of the onboarding tour. */
export const onboarding = [
  'Welcome to Cadmus',
  'Project Navigator',
  'CDM Library',
  'Search',
  'New',
  'Generate and import',
  'Audit Logs',
  'Documents',
  'Properties',
  'Search or run a command',
  'Your profile',
]

/** The popover of a tour step. */
export function step(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

/** The popovers of all tours; none while a tour is paused. */
export function popovers(page: Page): Locator {
  return page.locator('[data-region=tour]')
}

/** Signs the newcomer in on the sign-in page, without skipping the onboarding tour. */
export async function signInNewcomer(page: Page, address = '/'): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'newcomer' }).click()
  await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
}

/** Opens a wizard by the New button. */
export async function chooseNew(page: Page, what: 'Manifest' | 'Entity'): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const line = page.getByRole('menuitem', { name: what, exact: true })
  await expectShown(line)
  await saveScreenshot(page, `new-${what}`)
  await line.click()
}

/** Chooses an item of the profile menu. */
export async function chooseFromProfile(page: Page, line: string): Promise<void> {
  await openProfileMenu(page)
  await page.getByRole('menuitem', { name: line, exact: true }).click()
}

/** Expects a popover to be entirely within the window. */
export async function expectInWindow(page: Page, popover: Locator): Promise<void> {
  await expectShown(popover)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect
    .poll(async () => {
      const box = await popover.boundingBox()
      return box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
    })
    .toBe(true)
}
