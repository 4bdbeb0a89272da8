import type { Download, Locator, Page } from 'playwright-core'
import { readFile } from 'node:fs/promises'
import { escaped } from './tree.ts'

/** The dialog of a title; the last one where several are open. */
export function dialog(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true }).last()
}

/** The question that is asked before something that cannot be taken back. */
export function question(page: Page, title: string): Locator {
  return page.getByRole('alertdialog', { name: title, exact: true })
}

/** Presses a button of a dialog: 'Next', 'Finish'. Of two with one name ('Close') the one in the footer. */
export async function press(within: Locator, button: string): Promise<void> {
  await within.getByRole('button', { name: button, exact: true }).last().click()
}

/** Picks a value of a short list. */
export async function pick(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Searches a long list and picks what has the name; `detail` tells namesakes apart. */
export async function find(page: Page, within: Locator, label: string, name: string, detail = ''): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('combobox', { name: `Search ${label}` }).fill(name)
  const option = page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^${escaped(name)}${detail === '' ? '' : '.*'}${escaped(detail)}`) })
    .first()
  const stays =
    (await page.getByRole('listbox', { name: label, exact: true }).getAttribute('aria-multiselectable')) === 'true'
  await option.click()
  if (stays) await page.keyboard.press('Escape')
  await option.waitFor({ state: 'detached' })
}

/** What a list offers, which stays open. */
export async function optionsOf(page: Page, within: Locator, list: string): Promise<string[]> {
  await within.getByRole('combobox', { name: list }).click()
  await expectShown(page.getByRole('option').first())
  return page.getByRole('option').allTextContents()
}

/** It is there and can be seen, now or before long. */
export async function expectShown(what: Locator): Promise<void> {
  await what.waitFor()
}

/** The words of a snackbar. */
export function snackbar(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true }).first()
}

/** What a press downloads: its name and its bytes. */
export async function downloaded(page: Page, work: () => Promise<void>): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), work()])
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) }
}

async function bytesOf(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()))
}

/** What a field or a choice says of itself beside its name, to screen readers as well. */
export function describedBy(what: Locator): Promise<string | undefined> {
  return what.evaluate(one => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent)
}

/** The name of the icon that a button shows. */
export function iconOf(button: Locator): Promise<string | undefined> {
  return button.locator('svg').evaluate(icon => /lucide-(\S+)/.exec(icon.getAttribute('class') ?? '')?.[1])
}
