import type { Download, Locator, Page } from 'playwright-core'
import { readFile } from 'node:fs/promises'
import { escaped } from './tree.ts'
import { keys } from './keyboard.ts'

/** The dialog with a title; the last one if several are open. */
export function dialog(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true }).last()
}

/** The confirmation of an action that cannot be undone. */
export function question(page: Page, title: string): Locator {
  return page.getByRole('alertdialog', { name: title, exact: true })
}

/**
 * Presses a button of a dialog; of two with the same name, such as 'Close', the one in the footer. Cancel and Close of
 * a dialog with input also confirm that it is lost.
 */
export async function press(within: Locator, button: string): Promise<void> {
  const closes = button === 'Cancel' || button === 'Close'
  const isDialog = closes && (await within.getAttribute('role')) === 'dialog'
  const page = within.page()
  // By attribute, since a question hides the dialog below it from the accessibility tree.
  const dialogs = page.locator('[role=dialog]')
  const before = await dialogs.count()
  await within.getByRole('button', { name: button, exact: true }).last().click()
  if (!isDialog) return
  const leave = question(page, 'Leave without saving?').getByRole('button', { name: 'Leave', exact: true })
  // The dialog closes or the question appears in one of the next frames.
  for (let frame = 0; frame < 60 && (await dialogs.count()) === before; frame += 1) {
    if ((await leave.count()) > 0) return leave.click()
    await page.waitForTimeout(16)
  }
}

/** Picks an option of a dropdown. */
export async function pick(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Searches a long list and picks the option with the name; `detail` distinguishes options with the same name. */
export async function find(page: Page, within: Locator, label: string, name: string, detail = ''): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('combobox', { name: `Search ${label}` }).fill(name)
  const option = page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^${escaped(name)}${detail === '' ? '' : '.*'}${escaped(detail)}`) })
    .first()
  const isMultiple =
    (await page.getByRole('listbox', { name: label, exact: true }).getAttribute('aria-multiselectable')) === 'true'
  await option.click()
  if (isMultiple) await keys(page, 'Escape')
  await option.waitFor({ state: 'detached' })
}

/** Opens a dropdown and returns its options; the dropdown remains open. */
export async function optionsOf(page: Page, within: Locator, list: string): Promise<string[]> {
  await within.getByRole('combobox', { name: list }).click()
  await expectShown(page.getByRole('option').first())
  return page.getByRole('option').allTextContents()
}

/** Waits until an element is visible. */
export async function expectShown(what: Locator): Promise<void> {
  await what.waitFor()
}

/** A snackbar message by its text. */
export function snackbar(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true }).first()
}

/** The name and bytes of the file that `work` downloads. */
export async function captureDownload(
  page: Page,
  work: () => Promise<void>,
): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), work()])
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) }
}

async function bytesOf(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()))
}

/** The text that describes a field for screen readers. */
export function describedBy(what: Locator): Promise<string | undefined> {
  return what.evaluate(one => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent)
}

/** The Lucide name of the icon of a button. */
export function iconOf(button: Locator): Promise<string | undefined> {
  return button.locator('svg').evaluate(icon => /lucide-(\S+)/.exec(icon.getAttribute('class') ?? '')?.[1])
}
