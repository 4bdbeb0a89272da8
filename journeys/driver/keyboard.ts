import type { Locator, Page } from 'playwright-core'

/** Presses Tab until an element has the focus, as somebody without a mouse would; fails after 60 stops. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < 60; stop++) {
    // One key after the other.
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab never came to ${String(target)}.`)
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate(element => element === document.activeElement)
}

/** What has the focus, as assistive technology would say it: its text, shortened. */
export async function focusText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim().slice(0, 80)
  })
}

/** Presses keys one after the other. */
export async function keys(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.keyboard.press(name)
  }
}
