import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity } from './driver/document.ts'
import { property, row, tab } from './driver/entity.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await openDesk()
const thing = await apiOf(page).createEntity({ name: 'Thing', typeAttributes: [{ name: 'status' }] })
for (const name of ['Account', 'Contact', 'Address', 'PriceList', 'SalesOrder'])
  await openEntity(page, { id: await apiOf(page).entityNamed(name), name })

it('the active tab stays whole, with its ×, when the window narrows', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const strip = await page.getByRole('tablist', { name: 'Open documents' }).boundingBox()
  const end = (strip?.x ?? 0) + (strip?.width ?? 0)
  const close = tab(page, 'SalesOrder').locator('[data-close]')
  await expect
    .poll(async () => {
      const box = await close.boundingBox()
      return (box?.x ?? end) + (box?.width ?? 0)
    })
    .toBeLessThanOrEqual(end)
})

it('the heads of the relationships are read whole at 1024, and the columns share the width', async () => {
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  // Beside the links of the row.
  await row(page, 'Relationships', 'Account').getByRole('gridcell').nth(3).click()
  const heads = page.getByRole('grid', { name: 'Relationships' }).getByRole('columnheader')
  const cut = await heads.evaluateAll(all => all.filter(head => head.scrollWidth > head.clientWidth + 1).length)
  expect(cut).toBe(0)
  const grid = page.getByRole('grid', { name: 'Relationships' })
  expect(await grid.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : -1))).toBe(0)
  await shoot(page, 'narrow-relationships')
})

it('the header says the folder without the name again, and never runs over the version', async () => {
  const header = page.getByRole('article', { name: 'Entity SalesOrder' }).locator('header')
  const version = header.getByText(/^Version/)
  expect(await header.textContent()).not.toContain('/SalesOrder')
  const folder = header.getByText('user-defined/').locator('..')
  const [words, chip] = [await folder.boundingBox(), await version.boundingBox()]
  expect((words?.x ?? Infinity) + (words?.width ?? 0)).toBeLessThanOrEqual(chip?.x ?? 0)
})

it('tabs of namesakes show how their folders end', async () => {
  const name = 'TwiceNamedOverview'
  for (const folder of ['Here', 'There']) {
    const { id } = await apiOf(page).createEntity({ name }, await apiOf(page).createManifest(folder))
    await openEntity(page, { id, name })
  }
  for (const folder of ['Here', 'There']) {
    const words = page.getByRole('tablist', { name: 'Open documents' }).getByText(folder, { exact: true })
    await expectShown(words)
    expect(await words.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
})

it('with reduced motion all words have the colours of a new theme at once', async () => {
  const colourOf = (words: Locator) => words.first().evaluate(element => getComputedStyle(element).color)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  const colour = await colourOf(page.locator('body'))
  expect(await colourOf(page.getByRole('treeitem').locator('span').last())).toBe(colour)
  const properties = page.getByRole('complementary', { name: 'Properties' })
  expect(await colourOf(properties.getByRole('textbox'))).toBe(colour)
})

it.each([
  [1440, 700],
  [1024, 768],
])('the window does not scroll under a long panel, whatever the wheel turns over (%i × %i)', async (width, height) => {
  await page.setViewportSize({ width, height })
  await openEntity(page, thing)
  await row(page, 'Type attributes', 'status').click()
  const field = property(page, 'Type Attribute', 'Name')
  await expectShown(field)
  const over = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
  expect(await over()).toBe(0)
  await field.hover()
  await page.mouse.wheel(0, 5000)
  await expect.poll(() => field.evaluate(line => line.getBoundingClientRect().top)).toBeLessThan(0)
  expect(await page.evaluate(() => window.scrollY + document.body.scrollTop)).toBe(0)
  expect(await over()).toBe(0)
})
