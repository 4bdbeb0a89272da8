import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { saveScreenshot } from './journey.ts'

declare global {
  interface Window {
    axe: { run(context: object, options: object): Promise<AxeResults> }
  }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Rules that depend on colours and so have to be checked in each theme. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** WCAG A and AA violations on the page in its current state, one line each: rule, element and reason. */
export async function violations(page: Page): Promise<string[]> {
  return runAxe(page, { type: 'tag', values: TAGS })
}

/** Violations in the light theme only; contrast.test.ts checks the contrast of both themes. */
export async function violationsInLight(page: Page, picture: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await saveScreenshot(page, `${picture}-light`)
  return light
}

/**
 * Violations in both themes, in forced colours and at 200 % zoom; each line begins with the variant. `picture` names the screenshots
 * of both themes.
 */
export async function violationsInAllVariants(page: Page, picture?: string): Promise<string[]> {
  const saveVariant = async (theme: string) => {
    if (picture !== undefined) await saveScreenshot(page, `${picture}-${theme}`)
  }
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await saveVariant('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await runAxe(page, { type: 'rule', values: COLOURS })
  await saveVariant('dark')
  // Zoom changes no colours, so that one run checks both.
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  await page.setViewportSize({ width: Math.floor(size.width / 2), height: Math.floor(size.height / 2) })
  const large = await violations(page)
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  return Object.entries({ light, dark, 'large in forced colours': large }).flatMap(([variant, lines]) =>
    lines.map(line => `${variant}: ${line}`),
  )
}

async function runAxe(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  await withoutTransitions(page)
  // Evaluated through the debugger because the content security policy blocks foreign scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const results = await page.evaluate(only => {
    // Content below a dialog or menu is inert and is checked elsewhere without the overlay.
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

/** Colours in transition between themes or states would fail the contrast rules. */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (Reflect.get(window, 'isStill') === true) return
    Reflect.set(window, 'isStill', true)
    const noTransitions = new CSSStyleSheet()
    noTransitions.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, noTransitions]
  })
}
