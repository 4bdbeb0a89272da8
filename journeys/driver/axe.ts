import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { shoot } from './desk.ts'

declare global {
  interface Window {
    axe: { run(context: object, options: object): Promise<AxeResults> }
  }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What depends on colours alone: the rest is the same in each of them. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds against WCAG A and AA in the page as it stands: rule, element and why, a line each. */
export async function violations(page: Page): Promise<string[]> {
  return found(page, { type: 'tag', values: TAGS })
}

/**
 * The same in every look of the page: in both themes, where the system forces its colours, and where everything is shown at twice its
 * size. Each line begins with the look. `picture`: the name under which what is seen is kept in both themes.
 */
export async function violationsInAnyLook(page: Page, picture?: string): Promise<string[]> {
  await withoutTransitions(page)
  const keep = async (theme: string) => {
    if (picture !== undefined) await shoot(page, `${picture}-${theme}`)
  }
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await keep('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, { type: 'rule', values: COLOURS })
  await keep('dark')
  // At twice the size nothing else has another colour: one run finds both.
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  await page.setViewportSize({ width: Math.floor(size.width / 2), height: Math.floor(size.height / 2) })
  const large = await violations(page)
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  return Object.entries({ light, dark, 'large in forced colours': large }).flatMap(([look, lines]) =>
    lines.map(line => `${look}: ${line}`),
  )
}

async function found(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  // Through the debugger: the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const results = await page.evaluate(only => {
    // What lies below a dialog or menu cannot be reached meanwhile, and is looked at where nothing lies over it.
    const above = [...document.querySelectorAll('[data-base-ui-portal]')].filter(
      one => one.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null,
    )
    return window.axe.run(above.length > 0 ? { include: above } : document, {
      runOnly: only,
      resultTypes: ['violations'],
    })
  }, runOnly)
  return results.violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')} (${node.failureSummary ?? rule.help})`),
  )
}

/** Colours that glide from one theme to the other fit neither half-way. */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (Reflect.get(window, 'isStill') === true) return
    Reflect.set(window, 'isStill', true)
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still]
  })
}
