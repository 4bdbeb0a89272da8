import type { Locator, Page } from 'playwright-core'

/** A node of the navigator by its path from the root; expands the nodes above it. */
export async function nodeAt(page: Page, ...path: readonly string[]): Promise<Locator> {
  const [label = '', ...rest] = path
  const root = rows(page, label, 1, '')
  await reveal(page, root)
  return walk(page, root, rest)
}

/** The labels of the visible rows directly below a node. */
export async function childrenOf(page: Page, node: Locator): Promise<string[]> {
  const { id, level } = await placeOf(node)
  return page
    .locator(`[role=treeitem][data-row-id^="${id}>"][aria-level="${level + 1}"]`)
    .evaluateAll(rows => rows.map(row => row.children[2]?.textContent ?? row.textContent ?? ''))
}

export async function expand(node: Locator, options: { timeout?: number } = {}): Promise<void> {
  await node.waitFor(options)
  // The tree also expands rows by itself, to reveal the active document: a click just after that collapses them.
  for (let tries = 0; tries < 5 && (await node.getAttribute('aria-expanded', options)) === 'false'; tries += 1)
    await node.locator('> span').first().click(options)
}

/** Opens the context menu of a row and chooses an item; 'Export > Database Schema' names an item of a submenu. */
export async function menu(page: Page, row: Locator, line: string): Promise<void> {
  await row.click({ button: 'right' })
  const steps = line.split(' > ')
  for (const step of steps) {
    await page.getByRole('menuitem', { name: new RegExp(`^${escaped(step)}( |$)`) }).click()
  }
}

/** The items of an open menu, without their shortcuts. */
export async function menuLines(page: Page): Promise<string[]> {
  const items = page.getByRole('menu').last().getByRole('menuitem')
  await items.first().waitFor()
  return items.evaluateAll(all =>
    all.map(item => item.querySelectorAll(':scope > span')[1]?.firstChild?.textContent ?? ''),
  )
}

async function walk(page: Page, node: Locator, path: readonly string[]): Promise<Locator> {
  const [label, ...rest] = path
  if (label === undefined) return node
  // Rows that arrive above a row may move it out of view, where it is not rendered.
  const shortly = { timeout: 2000 }
  const expanded = () => expand(node, shortly).then(() => placeOf(node, shortly))
  for (let tries = 0; tries < 20 && !(await isFulfilled(expanded())); tries += 1) await reveal(page, node)
  const { id, level } = await placeOf(node)
  const next = rows(page, label, level + 1, `${id}>`)
  await reveal(page, next)
  return walk(page, next, rest)
}

/** Scrolls until a row is rendered: the tree renders only visible rows. Repeats this, because the row may still be loading. */
async function reveal(page: Page, row: Locator): Promise<void> {
  const scroller = page.locator('[role=tree]').first().locator('..')
  // As by a user: until one scrolls, the tree follows the selected row while rows arrive.
  await scroller.dispatchEvent('wheel')
  for (let round = 0; round < 10; round += 1) {
    const attached = row.waitFor({ state: 'attached', timeout: 200 * (round + 1) })
    if (await isFulfilled(attached)) return
    const {
      top: before,
      height,
      shown,
    } = await scroller.evaluate(element => ({
      top: element.scrollTop,
      height: element.scrollHeight,
      shown: element.clientHeight,
    }))
    for (let top = 0; top < height; top += Math.max(shown - 60, 100)) {
      await scrollTo(scroller, top)
      if ((await row.count()) > 0) return
    }
    await scrollTo(scroller, before)
  }
}

/** Scrolls and waits until the tree has rendered the last row in view. */
async function scrollTo(scroller: Locator, top: number): Promise<void> {
  await scroller.evaluate(async (element, to) => {
    element.scrollTo({ top: to })
    const isRendered = () => {
      const { top: start, bottom } = element.getBoundingClientRect()
      const last = Math.min(bottom, start + element.scrollHeight - element.scrollTop) - 20
      const boxes = [...element.querySelectorAll('[data-row-id]')].map(row => row.getBoundingClientRect())
      return boxes.some(box => box.top <= last && box.bottom >= last)
    }
    for (let frame = 0; frame < 3 || (frame < 300 && !isRendered()); frame += 1)
      await new Promise(requestAnimationFrame)
  }, top)
}

async function isFulfilled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

function rows(page: Page, label: string, level: number, prefix: string): Locator {
  return page
    .getByRole('treeitem', { name: new RegExp(`^${escaped(label)}( |$)`) })
    .and(page.locator(`[data-row-id${prefix === '' ? '' : `^="${prefix}"`}][aria-level="${level}"]`))
    .first()
}

async function placeOf(node: Locator, options: { timeout?: number } = {}): Promise<{ id: string; level: number }> {
  await node.waitFor(options)
  const [id, level] = await Promise.all([
    node.getAttribute('data-row-id', options),
    node.getAttribute('aria-level', options),
  ])
  return { id: id ?? '', level: Number(level) }
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
