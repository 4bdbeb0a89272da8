import type { Locator, Page } from 'playwright-core'
import { escaped } from './tree.ts'

/** Presses Tab until an element has the focus; fails after 60 presses. */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' | 'ArrowDown' | 'ArrowUp' = 'Tab',
): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < 60; stop++) {
    if (await hasFocus(target)) return
    await moveFocus(page, key)
  }
  throw new Error(`Tab never came to ${String(target)}.`)
}

/** Presses a key and waits until it has moved the focus, for at most five frames: a second key before that would skip an item. */
async function moveFocus(page: Page, key: string): Promise<void> {
  const before = await page.evaluateHandle(() => document.activeElement)
  await page.keyboard.press(key)
  const hasMoved = (state: { before: Element | null; frames: number }) => {
    state.frames += 1
    return document.activeElement !== state.before || state.frames > 5
  }
  await page.waitForFunction(hasMoved, { before, frames: 0 }, { polling: 'raf' })
}

/** Whether an element has the focus, or a cell of a row. */
export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate(async element => {
    // Focus guards at the edges of a dialog pass the focus on in the next frame.
    for (let frame = 0; frame < 100 && document.activeElement?.matches('[data-base-ui-focus-guard]') === true; frame++)
      await new Promise(requestAnimationFrame)
    const focused = document.activeElement
    return element === focused || (element.tagName === 'TR' && element.contains(focused))
  })
}

/** The label or text of the focused element, at most 80 characters. */
export async function focusText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim().slice(0, 80)
  })
}

/** Presses keys one after the other, each once the focus is where a user would expect it. */
export async function keys(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await focusAtRest(page)
    await page.keyboard.press(name)
  }
}

/**
 * Waits until the focus is in the topmost overlay, or on the field that a list belongs to, and no longer in one that
 * closes; for at most five seconds. Without an overlay the focus may return a few frames after one has closed.
 */
async function focusAtRest(page: Page): Promise<void> {
  const isReady = (state: { frames: number }) => {
    state.frames += 1
    const roles = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
    const isOpen = (overlay: Element) => overlay.closest('[data-base-ui-portal] [data-open]') !== null
    const focused = document.activeElement
    const holder = focused?.closest(`[data-base-ui-portal] :is(${roles})`)
    if (holder && !isOpen(holder)) return false
    const portal = [...document.querySelectorAll(roles)].findLast(isOpen)?.closest('[data-base-ui-portal]')
    if (!portal) return focused !== document.body || state.frames > 5
    return portal.contains(focused) || focused?.matches('input[aria-expanded=true]') === true
  }
  await page.waitForFunction(isReady, { frames: 0 }, { polling: 'raf', timeout: 5_000 }).catch(() => undefined)
}

/** Chooses the best match in the picker of a dialog by keyboard. */
export async function pickByKeys(page: Page, within: Locator, label: string, name: string): Promise<void> {
  const picker = within.getByRole('combobox', { name: label, exact: true })
  await tabTo(page, picker)
  await keys(page, 'Enter')
  await page.getByRole('combobox', { name: `Search ${label}` }).waitFor()
  const list = page.getByRole('listbox')
  const isMultiple = (await list.getAttribute('aria-multiselectable')) === 'true'
  await page.keyboard.type(name)
  await keys(page, 'Enter')
  if (isMultiple) {
    await page.getByRole('option', { selected: true }).waitFor()
    await keys(page, 'Escape')
  }
  await list.waitFor({ state: 'detached' })
  await picker.filter({ hasText: new RegExp(`^${name}`) }).waitFor()
}

/** Presses a button of a dialog by keyboard and waits until the dialog closes. */
export async function pressByKeys(page: Page, within: Locator, button: string): Promise<void> {
  await tabTo(page, within.getByRole('button', { name: button, exact: true }))
  await keys(page, 'Enter')
  await within.waitFor({ state: 'detached' })
}

/** Presses ArrowDown in the palette until the line that begins with `words` is highlighted. */
export async function tabToOption(page: Page, words: string): Promise<void> {
  const marked = page.getByRole('option').and(page.locator('[data-highlighted]'))
  for (let step = 0; step < 30; step++) {
    if (((await marked.first().textContent()) ?? '').startsWith(words)) return
    await keys(page, 'ArrowDown')
  }
  throw new Error(`No line of the palette begins with ${words}.`)
}

/** A line of an open menu by its label, after which it may have a reason or a shortcut. */
export function menuLine(page: Page, label: string | RegExp): Locator {
  const hasText = typeof label === 'string' ? new RegExp(`^${escaped(label)}(?:$|[A-Z])`) : label
  return page.getByRole('menuitem').filter({ hasText })
}

/** Runs a command of a toolbar by keyboard: by its button, or in the menu *More*. */
export async function useTool(page: Page, label: string, toolbar = 'Entity'): Promise<void> {
  const bar = page.getByRole('toolbar', { name: toolbar, exact: true })
  await tabTo(page, bar.getByRole('button').and(page.locator('[tabindex="0"]')))
  const hasButton = (await bar.getByRole('button', { name: label, exact: true }).count()) > 0
  await arrowTo(page, hasButton ? label : 'More')
  await keys(page, 'Enter')
  if (hasButton) return
  await tabTo(page, menuLine(page, label), 'ArrowDown')
  await keys(page, 'Enter')
}

/** Presses ArrowRight until the focused element begins with `label`. */
export async function arrowTo(page: Page, label: string): Promise<void> {
  for (let step = 0; step < 40; step++) {
    if ((await focusText(page)).startsWith(label)) return
    await moveFocus(page, 'ArrowRight')
  }
  throw new Error(`The arrows never came to ${label}.`)
}

/**
 * The controls of an open dialog that Tab does not reach, and the elements outside that it reaches in one round. Composite widgets
 * (tabs, radio buttons, rows, toolbars) need only one tab stop.
 */
export async function missedByTab(page: Page, open: Locator): Promise<string[]> {
  await open.waitFor()
  await page.evaluate(() => Reflect.set(window, 'walked', new Set<Element>()))
  for (let stop = 0; stop < 120; stop++) {
    const isRound = await page.evaluate(async () => {
      const walked: Set<Element> = Reflect.get(window, 'walked')
      const [first] = walked
      // A dialog that has just opened takes the focus, and focus guards at its edges pass it on, in a later frame.
      for (let frame = 0; frame < 100; frame++) {
        const isPassing = document.activeElement?.hasAttribute('data-base-ui-focus-guard') === true
        if (!isPassing && document.activeElement !== document.body) break
        await new Promise(requestAnimationFrame)
      }
      if (document.activeElement === null || document.activeElement === first) return first !== undefined
      walked.add(document.activeElement)
      return false
    })
    if (isRound) break
    // In the source editor Tab indents until Escape is pressed.
    if (await page.evaluate(() => document.activeElement?.shadowRoot !== null)) await keys(page, 'Escape')
    await page.keyboard.press('Tab')
  }
  return open.evaluate(dialog => {
    const walked: Set<Element> = Reflect.get(window, 'walked')
    const groups =
      '[role=tablist], [role=radiogroup], [role=toolbar], [role=grid], [role=treegrid], [role=tree], [role=listbox]'
    const nameOf = (of: Element) =>
      `${of.tagName} ${of.getAttribute('aria-label') ?? of.textContent ?? ''}`.slice(0, 80)
    const isThere = (of: Element) => of.checkVisibility({ visibilityProperty: true }) && of.getClientRects().length > 0
    const controls = [...dialog.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    const missed = controls.filter(control => {
      if (!isThere(control) || control.matches(':disabled, [aria-disabled=true], [aria-hidden=true], [type=file]'))
        return false
      const group = control.closest(groups)
      return !walked.has(control) && !(group && [...walked].some(one => group.contains(one)))
    })
    const outside = [...walked].filter(one => !dialog.contains(one))
    return [...missed.map(one => `missed: ${nameOf(one)}`), ...outside.map(one => `outside: ${nameOf(one)}`)]
  })
}

/** The enabled items of an open menu that the arrow keys do not reach. */
export async function missedByArrows(page: Page): Promise<string[]> {
  const lines = page.getByRole('menu').last().getByRole('menuitem')
  const usable = await lines.and(page.locator(':not([aria-disabled=true])')).all()
  const texts = await Promise.all(usable.map(async line => ((await line.textContent()) ?? '').trim().slice(0, 80)))
  const walked = new Set<string>()
  // Two rounds: a menu that has just opened may focus its first item in between.
  for (let line = 0; line <= 2 * (await lines.count()); line++) {
    await moveFocus(page, 'ArrowDown')
    walked.add(await focusText(page))
    if (texts.every(text => walked.has(text))) break
  }
  return texts.filter(text => !walked.has(text))
}
