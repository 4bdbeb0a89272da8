import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { switchTheme, startJourney, saveScreenshot } from './driver/journey.ts'
import { expectAccessible } from './driver/accessible.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await startJourney({ width: 1024, height: 768 })
for (let number = 1; number <= 16; number++) await apiOf(page).createManifest(`Depot${number}`)
await page.reload()
await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Audit Logs' }).click()

const logs = page.getByRole('article', { name: 'Audit Logs' })
const rows = logs.getByRole('row').filter({ hasNot: page.getByRole('columnheader') })

/** Texts of the elements whose content is clipped. */
const clipped = (all: Locator) =>
  all.evaluateAll(elements =>
    elements.filter(one => one.scrollWidth > one.clientWidth + 1).map(({ textContent }) => textContent),
  )

/** Texts of the elements that overlap another one. */
const overlapping = (all: Locator) =>
  all.evaluateAll(elements => {
    const boxes = elements.map(element => ({ text: element.textContent, box: element.getBoundingClientRect() }))
    const meet = (a: DOMRect, b: DOMRect) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    return boxes.flatMap(({ text, box }, at) => (boxes.slice(at + 1).some(other => meet(box, other.box)) ? [text] : []))
  })

it.each(['light', 'dark'] as const)(
  'audit logs have no clipped or overlapping content at a width of 1024 (%s theme)',
  async theme => {
    await expectShown(rows.first())
    await switchTheme(page, theme)
    await saveScreenshot(page, `audit-logs-1024-${theme}`)
    const uncut = 'h1, label:not(.visually-hidden), header button, input:not([aria-hidden]), th, td, td button'
    await expect.poll(() => clipped(logs.locator(uncut))).toEqual([])
    await expect.poll(() => overlapping(logs.locator('header > *, fieldset > div, th, td'))).toEqual([])
    await expect.poll(() => clipped(logs)).toEqual([])
    await expect.poll(() => clipped(logs.locator('[data-scroller]'))).toEqual([])
  },
)

it('audit logs have no accessibility violations at a width of 1024 in any display mode', async () => {
  await expectAccessible(page, 'audit-logs-1024')
})

it('audit log columns are side by side in a wide window', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const columnHeaders = await logs
    .getByRole('columnheader')
    .evaluateAll(all => new Set(all.map(head => head.getBoundingClientRect().top)).size)
  expect(columnHeaders).toBe(1)
  await saveScreenshot(page, 'audit-logs-1440')
})
