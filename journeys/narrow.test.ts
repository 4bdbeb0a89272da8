import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity, openManifest, toolDialog } from './driver/document.ts'
import { property, row, setText, tab } from './driver/entity.ts'
import { hasFocus } from './driver/keyboard.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

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

it('at 200 % zoom a picker stays within the window with its search, and a long name within its dialog', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  const long = await apiOf(page).createEntity({ name: `Shipment${'_of_temperature_controlled_goods'.repeat(3)}` })
  await openEntity(page, long)
  const open = await toolDialog(page, 'Extend Entity', 'Extend Entity')
  const said = open.getByText(long.name)
  expect(await said.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await open.getByRole('combobox', { name: 'Entity' }).click()
  await expectShown(page.getByRole('option').nth(9))
  const [search, list] = await Promise.all([
    page.getByRole('combobox', { name: 'Search Entity' }).boundingBox(),
    page.getByRole('listbox', { name: 'Entity' }).boundingBox(),
  ])
  expect(search?.y).toBeGreaterThanOrEqual(0)
  expect((list?.y ?? Infinity) + (list?.height ?? 0)).toBeLessThanOrEqual(450)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => open.count()).toBe(0)
})

it('the buttons of a manifest stand on one line at 1024, and a path that is cut shows its end', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const id = await apiOf(page).createManifest('Enterprise_logistics_and_fulfilment_of_all_regions')
  await apiOf(page).createEntity({ name: 'Parcel' }, id)
  const manifest = await openManifest(page, id, 'Enterprise_logistics_and_fulfilment_of_all_regions')
  const buttons = manifest.getByRole('toolbar', { name: 'Manifest' }).getByRole('button')
  const lines = await buttons.evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().top)).size)
  expect(lines).toBe(1)
  const end = manifest.getByRole('grid', { name: 'Entities' }).getByText('Parcel', { exact: true }).last()
  const cell = manifest.getByRole('gridcell', { name: /user-defined/ })
  const [words, room] = await Promise.all([end.boundingBox(), cell.boundingBox()])
  expect(words?.x).toBeGreaterThan(room?.x ?? Infinity)
  expect((words?.x ?? Infinity) + (words?.width ?? 0)).toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0))
})

it('below 900 px what two people changed comes out from under the panel that was typed in, and can be chosen from', async () => {
  await page.setViewportSize({ width: 720, height: 720 })
  const entity = await apiOf(page).createEntity({ name: 'Contested' })
  await openEntity(page, entity)
  await page.getByRole('button', { name: 'Properties panel' }).click()
  await setText(page, 'Entity', 'Description', 'mine')
  await apiOf(page).describe(entity.id, 'theirs')
  await page.keyboard.press('Control+s')
  const keep = page.getByRole('button', { name: /^Keep/ })
  await expectShown(keep)
  await expect.poll(() => page.getByRole('complementary', { name: 'Properties' }).count()).toBe(0)
  await keep.click()
  await expectShown(snackbar(page, 'Entity saved successfully!'))
})

it('below 900 px a side that lies over the document goes with Escape, and where the document has the focus again', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  await openEntity(page, thing)
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const status = row(page, 'Type attributes', 'status')
  await status.focus()
  await page.keyboard.press('F2')
  const field = property(page, 'Type Attribute', 'Name').getByRole('textbox')
  await expect.poll(() => hasFocus(field)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  expect(await hasFocus(status)).toBe(true)

  const navigator = page.getByRole('button', { name: 'Navigator', exact: true })
  const root = page.getByRole('treeitem', { name: 'Custom', exact: true })
  await navigator.click()
  await root.focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => root.isVisible()).toBe(false)
  expect(await hasFocus(page.getByRole('main'))).toBe(true)
  await navigator.click()
  await expectShown(root)
  await page.keyboard.press('Control+F6')
  await page.keyboard.press('Control+F6')
  await expect.poll(() => root.isVisible()).toBe(false)
})

it('what was not taken stays within reach where the window narrows below 900 px', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openEntity(page, thing)
  await row(page, 'Type attributes', 'status').click()
  const name = property(page, 'Type Attribute', 'Name')
  await name.getByRole('textbox').fill('9 lives')
  await name.getByRole('textbox').blur()
  const again = name.getByRole('button', { name: 'Edit your input' })
  await expectShown(again)
  await page.setViewportSize({ width: 720, height: 768 })
  await expect.poll(() => page.getByRole('treeitem').first().isVisible()).toBe(false)
  await again.click()
  expect(await name.getByRole('textbox').inputValue()).toBe('9 lives')
  await page.keyboard.press('Escape')
})
