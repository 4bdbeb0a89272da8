import type { Download, Locator, Page } from 'playwright-core'
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
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
  const pressed = isDialog ? await within.elementHandle() : null
  await within.getByRole('button', { name: button, exact: true }).last().click()
  if (!pressed) return
  const isOver = (open: Node) => !open.isConnected || document.querySelector('[role=alertdialog]') !== null
  await page.waitForFunction(isOver, pressed)
  const leave = question(page, 'Leave without saving?').getByRole('button', { name: 'Leave', exact: true })
  if ((await leave.count()) > 0) await leave.click()
}

/** Opens a dropdown after another one has closed, which returns the focus and so would close this one as well. */
export async function openDropdown(page: Page, dropdown: Locator): Promise<void> {
  await page.locator('[role=listbox]:visible').first().waitFor({ state: 'detached' })
  await dropdown.click()
}

/** Picks an option of a dropdown. */
export async function pick(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await openDropdown(page, within.getByRole('combobox', { name: label }))
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Searches a long list and picks the option with the name; `detail` distinguishes options with the same name. */
export async function find(page: Page, within: Locator, label: string, name: string, detail = ''): Promise<void> {
  await openDropdown(page, within.getByRole('combobox', { name: label }))
  // Folders are searched by their own name and shown by their path.
  await page.getByRole('combobox', { name: `Search ${label}` }).fill(name.slice(name.lastIndexOf('/') + 1))
  // A busy list still shows the options of the previous search.
  await page.locator('[role=listbox][aria-busy=true]').waitFor({ state: 'detached' })
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
  await openDropdown(page, within.getByRole('combobox', { name: list }))
  await expectShown(page.getByRole('option').first())
  return page.getByRole('option').allTextContents()
}

/** Waits for two frames: a closing overlay returns the focus in the next one. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** The box of an element once it rests, as after a change of the layout or a move of the camera. */
export async function restingBox(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await target.waitFor()
  let box = await target.boundingBox()
  let same = 0
  await expect
    .poll(async () => {
      const before = box
      await nextFrames(target.page())
      box = await target.boundingBox()
      same = JSON.stringify(box) === JSON.stringify(before) ? same + 1 : 0
      // On a busy machine a move may begin several frames after what causes it.
      return same
    })
    .toBeGreaterThanOrEqual(5)
  if (!box) throw new Error(`${String(target)} has no box.`)
  return box
}

/** Waits until an element is visible. */
export async function expectShown(what: Pick<Locator, 'waitFor'>): Promise<void> {
  await what.waitFor()
}

/** A snackbar message by its text. */
export function snackbar(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true }).first()
}

/** Rests the pointer on the messages, which stay as long as it does. */
export async function holdMessages(page: Page): Promise<void> {
  await page.locator('[data-snackbar]').last().hover()
}

/** Dismisses all messages, so that a later one with the same text is not taken for an earlier one. */
export async function dismissMessages(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    for (const dismiss of document.querySelectorAll<HTMLElement>('[data-snackbar] [aria-label=Dismiss]'))
      dismiss.click()
    return document.querySelector('[data-snackbar]') === null
  })
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
