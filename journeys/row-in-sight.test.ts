import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity } from './driver/document.ts'

const { page } = await openDesk({ height: 500 })

it('the row of the shown document is wholly in sight after a reload', async () => {
  const shop = await apiOf(page).manifestNamed('Shop')
  const last = await apiOf(page).createEntity({ name: 'Zebra' }, shop)
  await openEntity(page, last)
  await page.reload()
  const row = page.getByRole('treeitem', { name: /^Zebra/, selected: true })
  await row.waitFor()
  /** How many pixels of the row are below the lower edge of what scrolls, or above the upper one. */
  const hidden = () =>
    row.evaluate(element => {
      const scroller = element.closest('[role=tree]')?.parentElement
      const edges = scroller?.getBoundingClientRect() ?? new DOMRect()
      const { top, bottom } = element.getBoundingClientRect()
      return { isScrolled: (scroller?.scrollTop ?? 0) > 0, pixels: Math.max(bottom - edges.bottom, edges.top - top, 0) }
    })
  await expect.poll(hidden).toEqual({ isScrolled: true, pixels: 0 })
})
