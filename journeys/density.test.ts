import { expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { openConfiguration } from './driver/configuration.ts'
import { openEntity, openManifest, openMore, openTabs } from './driver/document.ts'
import { entityDocument, manifestDocument, row } from './driver/entity.ts'
import { startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await startJourney({ width: 1440, height: 900 })
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const typeAttributes = Array.from({ length: 40 }, (_, at) => ({ name: `attribute_${at + 1}`, description: 'Words' }))
const target = await api.createEntity({ name: 'Target' }, shop)
const wide = await api.createEntity({ name: 'Wide', description: 'What a customer wants.', typeAttributes }, shop)
await api.relate(wide.id, target, 'targetId')

const article = () => entityDocument(page, 'Wide')

it('the head of a document is one line of 44 px, and 24 rows of an entity are in view at 900 px', async () => {
  await openEntity(page, wide)
  await expect.poll(async () => (await article().locator('header').boundingBox())?.height).toBe(44)
  const rows = article().getByRole('grid', { name: 'Type attributes' }).locator('tbody tr[data-row-id]')
  const inView = () =>
    rows.evaluateAll(
      all =>
        all.filter(one => {
          const { top, bottom, height } = one.getBoundingClientRect()
          const view = one.closest('[data-scroller]')?.getBoundingClientRect()
          return height <= 28 && view !== undefined && top >= view.top && bottom <= view.bottom
        }).length,
    )
  await expect.poll(inView).toBeGreaterThanOrEqual(24)
})

it('columns of relationships fit their longest text and the sign of its link', async () => {
  await openEntity(page, wide)
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  await expectShown(row(page, 'Relationships', 'targetId'))
  const gaps = () =>
    page.getByRole('grid', { name: 'Relationships' }).evaluate(grid => {
      const textEnd = (cell: Element) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getBoundingClientRect().right
      }
      const columns = [...grid.querySelectorAll('thead th')].map((_, at) =>
        [...grid.querySelectorAll(`tr > :nth-child(${at + 1})`)].filter(cell => cell.textContent !== ''),
      )
      const named = columns.filter(cells => cells.length > 0)
      return named.slice(1).map((cells, at) => {
        const start = (cells[0]?.getBoundingClientRect().left ?? 0) + 12
        return Math.round(start - Math.max(...(named[at] ?? []).map(textEnd)))
      })
    })
  // 24 px between columns, and 22 for the sign, which stands there on hover.
  await expect.poll(async () => Math.max(...(await gaps()))).toBeLessThanOrEqual(48)
})

it('toolbars have at most three labelled buttons beside More, at most one is filled, and none is red', async () => {
  const danger = 'rgb(196, 40, 28)'
  for (const [name, open] of [
    ['Entity', () => openEntity(page, wide)],
    ['Manifest', () => openManifest(page, shop, 'Shop')],
    ['Configuration', () => openConfiguration(page, shop, 'Shop')],
  ] as const) {
    await open()
    const buttons = page.getByRole('toolbar', { name }).getByRole('button')
    await expect.poll(async () => (await buttons.allTextContents()).at(-1)).toBe('More')
    await expect.poll(() => buttons.count()).toBeLessThanOrEqual(4)
    await expect.poll(async () => (await buttons.allTextContents()).every(text => text !== '')).toBe(true)
    await expect.poll(() => buttons.and(page.locator('[data-primary]')).count()).toBeLessThanOrEqual(1)
    const colours = () => buttons.evaluateAll(all => all.map(one => getComputedStyle(one).color))
    await expect.poll(colours).not.toContain(danger)
  }
})

it('the tabs of a manifest stay in one line beside its text and the properties', async () => {
  await openManifest(page, shop, 'Shop')
  await keys(page, 'Alt+t')
  await expectShown(page.getByText('In step with the model.'))
  await expectShown(page.getByRole('complementary', { name: 'Properties' }))
  const tabs = page.getByRole('tablist', { name: 'Parts of Shop' })
  await expect.poll(async () => (await tabs.boundingBox())?.height).toBe(36)
  await keys(page, 'Alt+t')
})

it('open documents keep 96 px each, and those that do not fit are in a counted list', async () => {
  const names = Array.from({ length: 14 }, (_, at) => `Document_with_a_long_name_${at + 1}`)
  const made = await Promise.all(names.map(name => api.createEntity({ name }, shop)))
  await openTabs(page, made)
  const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
  const widths = () => tabs.evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().width)))
  await expect.poll(async () => Math.min(...(await widths()))).toBe(96)
  await page.getByRole('button', { name: 'All 14 open documents' }).click()
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(14)
  await keys(page, 'Escape')
})

it('the sheet with a chosen row and the menu of a manifest meet WCAG A and AA in both themes', async () => {
  await openEntity(page, wide)
  await page.getByRole('tab', { name: /^Type Attributes/ }).click()
  await row(page, 'Type attributes', 'attribute_3').click()
  await expectShown(page.getByText('1 selected', { exact: true }))
  await expectAccessible(page, 'density-sheet', 'all')
  await openManifest(page, shop, 'Shop')
  await expectShown(manifestDocument(page, 'Shop'))
  await openMore(page)
  await expectAccessible(page, 'density-more', 'all')
  await keys(page, 'Escape')
})
