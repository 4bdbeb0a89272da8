import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, openManifest, tool, toolDialog } from './driver/document.ts'
import { cell, entityDocument, fillProperty, property, row, setText, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, restingBox, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const thing = await api.createEntity({ name: 'Thing', typeAttributes: [{ name: 'status' }] })
for (const name of ['Account', 'Contact', 'Address', 'PriceList', 'SalesOrder'])
  await openEntity(page, { id: await api.entityNamed(name), name })

const endOf = (what: Locator) => what.evaluate(element => element.getBoundingClientRect().right)
const startOf = (what: Locator) => what.evaluate(element => element.getBoundingClientRect().left)

it('the active tab and its close button are fully visible after the window narrows', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const strip = page.getByRole('tablist', { name: 'Open documents' })
  const close = tab(page, 'SalesOrder').locator('[data-close]')
  await expect.poll(async () => (await endOf(close)) <= (await endOf(strip))).toBe(true)
})

it('column headers of the relationships table are not truncated at 1024 px and the table does not scroll sideways', async () => {
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  // A cell without a link.
  await row(page, 'Relationships', 'Account').getByRole('gridcell').nth(3).click()
  const columnHeaders = page.getByRole('grid', { name: 'Relationships' }).getByRole('columnheader')
  await expect
    .poll(() => columnHeaders.evaluateAll(all => all.filter(head => head.scrollWidth > head.clientWidth + 1).length))
    .toBe(0)
  const grid = page.getByRole('grid', { name: 'Relationships' })
  await expect
    .poll(() => grid.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : -1)))
    .toBe(0)
  await saveScreenshot(page, 'narrow-relationships')
})

it('the entity header shows the folder without the entity name and does not overlap the version', async () => {
  const header = page.getByRole('article', { name: 'Entity SalesOrder' }).locator('header')
  const version = header.getByText(/^Version/)
  await expect.poll(() => header.textContent()).not.toContain('/SalesOrder')
  const folder = header.getByText('user-defined/').locator('..')
  await expect.poll(async () => (await endOf(folder)) <= (await startOf(version))).toBe(true)
})

it('tabs of entities with the same name show the end of their folder paths', async () => {
  const name = 'TwiceNamedOverview'
  for (const folder of ['Here', 'There']) {
    const { id } = await api.createEntity({ name }, await api.createManifest(folder))
    await openEntity(page, { id, name })
  }
  for (const folder of ['Here', 'There']) {
    const words = page.getByRole('tablist', { name: 'Open documents' }).getByText(folder, { exact: true })
    await expectShown(words)
    await expect.poll(() => words.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
})

it('with reduced motion a theme change applies to all text without animation', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const colourOf = (words: Locator) => words.first().evaluate(element => getComputedStyle(element).color)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  const colour = await colourOf(page.locator('body'))
  await expect.poll(() => colourOf(page.getByRole('treeitem').locator('span').last())).toBe(colour)
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await expect.poll(() => colourOf(properties.getByRole('textbox'))).toBe(colour)
})

it('scrolling a long properties panel with the mouse wheel does not scroll the window', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openEntity(page, thing)
  await row(page, 'Type attributes', 'status').click()
  await page.getByRole('button', { name: 'Properties panel' }).click()
  const field = property(page, 'Type Attribute', 'Name')
  await expectShown(field)
  const over = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
  await expect.poll(() => over()).toBe(0)
  await field.hover()
  await page.mouse.wheel(0, 5000)
  await expect.poll(() => field.evaluate(line => line.getBoundingClientRect().top)).toBeLessThan(0)
  await expect.poll(() => page.evaluate(() => window.scrollY + document.body.scrollTop)).toBe(0)
  await expect.poll(() => over()).toBe(0)
})

it('at 200 % zoom a picker and its search field fit the window and a long name fits its dialog', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  const long = await api.createEntity({ name: `Shipment${'_of_temperature_controlled_goods'.repeat(3)}` })
  await openEntity(page, long)
  const open = await toolDialog(page, 'Extend Entity', 'Extend Entity')
  const text = open.getByText(long.name)
  await expect.poll(() => text.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await open.getByRole('combobox', { name: 'Entity' }).click()
  await expectShown(page.getByRole('option').nth(9))
  const search = page.getByRole('combobox', { name: 'Search Entity' })
  await expect.poll(() => search.evaluate(element => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
  const list = page.getByRole('listbox', { name: 'Entity' })
  await expect.poll(() => list.evaluate(element => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(450)
  await keys(page, 'Escape', 'Escape')
  await expect.poll(() => open.count()).toBe(0)
})

it('at 1024 px the manifest toolbar fits one line and a truncated path shows its end', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const id = await api.createManifest('Enterprise_logistics_and_fulfilment_of_all_regions')
  await api.createEntity({ name: 'Parcel' }, id)
  const manifest = await openManifest(page, id, 'Enterprise_logistics_and_fulfilment_of_all_regions')
  const buttons = manifest.getByRole('toolbar', { name: 'Manifest' }).getByRole('button')
  await expect
    .poll(() => buttons.evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().top)).size))
    .toBe(1)
  const end = manifest.getByRole('grid', { name: 'Entities' }).getByText('Parcel', { exact: true }).last()
  const cell = manifest.getByRole('gridcell', { name: /user-defined/ })
  await expect
    .poll(async () => [(await startOf(end)) > (await startOf(cell)), (await endOf(end)) <= (await endOf(cell))])
    .toEqual([true, true])
})

it('a truncated table cell shows its whole text when the mouse rests on it', async () => {
  // Without scrolling, which hides tooltips.
  await page.setViewportSize({ width: 1440, height: 900 })
  const description = `Goods ${'that are bonded '.repeat(12)}`.trim()
  const consignment = { name: 'Consignment', typeAttributes: [{ name: 'goods', description }] }
  await openEntity(page, await api.createEntity(consignment))
  await cell(page, 'goods', 'description').hover()
  await expectShown(page.locator('body > [aria-hidden=true]', { hasText: description }))
  await saveScreenshot(page, 'truncated-cell')
})

it('below 900 px a save conflict closes the properties panel so that the conflict can be resolved', async () => {
  await page.setViewportSize({ width: 720, height: 720 })
  const entity = await api.createEntity({ name: 'Contested' })
  await openEntity(page, entity)
  await page.getByRole('button', { name: 'Properties panel' }).click()
  await setText(page, 'Entity', 'Description', 'mine')
  await api.describe(entity.id, 'theirs')
  await keys(page, 'Control+s')
  const keep = page.getByRole('button', { name: /^Keep/ })
  await expectShown(keep)
  await expect.poll(() => page.getByRole('complementary', { name: 'Properties' }).count()).toBe(0)
  await keep.click()
  await expectShown(snackbar(page, 'Entity saved successfully!'))
})

it('below 1100 px the properties lie over the document, get the focus when opened, and close on Escape', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openEntity(page, thing)
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const grid = page.getByRole('grid', { name: 'Type attributes' })
  await panel.waitFor({ state: 'detached' })
  const before = await restingBox(grid)
  const toggle = page.getByRole('button', { name: 'Properties panel' })
  await toggle.focus()
  await keys(page, 'Enter')
  await expect.poll(() => hasFocus(panel)).toBe(true)
  await expect.poll(() => grid.boundingBox()).toEqual(before)
  await keys(page, 'Escape')
  await expect.poll(() => panel.count()).toBe(0)
})

it('below 900 px an overlay panel closes on Escape and when the document regains the focus', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  await openEntity(page, thing)
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const status = row(page, 'Type attributes', 'status')
  await status.getByRole('checkbox').focus()
  await keys(page, 'F2')
  const field = property(page, 'Type Attribute', 'Name').getByRole('textbox')
  await expect.poll(() => hasFocus(field)).toBe(true)
  await keys(page, 'Escape')
  await expect.poll(() => panel.count()).toBe(0)
  await expect.poll(() => hasFocus(status)).toBe(true)

  const navigator = page.getByRole('button', { name: 'Navigator', exact: true })
  const root = page.getByRole('treeitem', { name: 'Custom', exact: true })
  await navigator.click()
  await root.focus()
  await keys(page, 'Escape')
  await expect.poll(() => root.isVisible()).toBe(false)
  await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
  await navigator.click()
  await expectShown(root)
  await keys(page, 'Control+F6', 'Control+F6')
  await expect.poll(() => root.isVisible()).toBe(false)
})

it('rejected input can still be edited after the window narrows below 900 px', async () => {
  await page.setViewportSize({ width: 1200, height: 768 })
  await openEntity(page, thing)
  await row(page, 'Type attributes', 'status').click()
  const name = property(page, 'Type Attribute', 'Name')
  await fillProperty(name.getByRole('textbox'), '9 lives')
  await name.getByRole('textbox').blur()
  const again = name.getByRole('button', { name: 'Edit your input' })
  await expectShown(again)
  await page.setViewportSize({ width: 720, height: 768 })
  await expect.poll(() => page.getByRole('treeitem').first().isVisible()).toBe(false)
  await again.click()
  await expect.poll(() => name.getByRole('textbox').inputValue()).toBe('9 lives')
  await keys(page, 'Escape')
})

/** Whether an element is outlined or highlighted in forced colours, which remove backgrounds and shadows. */
async function isEmphasized(what: Locator): Promise<boolean> {
  await expectShown(what)
  return what.evaluate(element => {
    const probe = document.body.appendChild(document.createElement('div'))
    probe.style.background = 'Highlight'
    const highlight = getComputedStyle(probe).backgroundColor
    probe.remove()
    const { backgroundColor, outlineStyle } = getComputedStyle(element)
    return outlineStyle !== 'none' || backgroundColor === highlight
  })
}

const highlighted = () => page.locator('[role=option][data-highlighted]').first()

describe('Forced colours', () => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await openEntity(page, { id: await api.entityNamed('Customer'), name: 'Customer' })
  })
  afterAll(() => page.emulateMedia({ forcedColors: 'none' }))

  it('forced colours highlight the option of a picker that Enter chooses', async () => {
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await page.getByRole('button', { name: 'Add Relationship' }).click()
    await dialog(page, 'New Relationship').getByRole('combobox', { name: 'Associated Entity' }).click()
    await expectShown(page.getByRole('option').nth(1))
    await keys(page, 'ArrowDown')
    await expect.poll(() => isEmphasized(highlighted())).toBe(true)
    await saveScreenshot(page, 'forced-picker')
  })

  it('forced colours highlight the current row of a table', async () => {
    await keys(page, 'Escape', 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    const rows = entityDocument(page, 'Customer').locator('tbody tr')
    await rows.nth(1).click()
    await expectShown(page.locator('tr[data-current]'))
    await keys(page, 'Escape')
    await expect.poll(() => isEmphasized(page.locator('tr[data-current]'))).toBe(true)
    await saveScreenshot(page, 'forced-row')
  })

  it('forced colours highlight the line of the palette that Enter runs', async () => {
    await keys(page, 'Control+k')
    await page.keyboard.type('theme')
    await expect.poll(() => isEmphasized(highlighted())).toBe(true)
    await saveScreenshot(page, 'forced-palette')
    await keys(page, 'Escape')
  })
})

/** Whether text is neither truncated nor clipped by its container. */
async function isFullyVisible(words: Locator): Promise<boolean> {
  return words.evaluate(element => {
    const { left, right, top, height } = element.getBoundingClientRect()
    const isOnTop = [left + 1, right - 1].every(x => document.elementFromPoint(x, top + height / 2) === element)
    return isOnTop && element.scrollWidth <= element.clientWidth
  })
}

const relationships = () => page.getByRole('grid', { name: 'Relationships' }).getByRole('row')

describe('Entities with the same name', () => {
  const twins = new Map<string, EntityAnswer>()
  let solo: EntityAnswer

  // Two entities with the same name in two manifests, each related in both directions to a third entity.
  beforeAll(async () => {
    solo = await api.createEntity({ name: 'Solo' }, await api.createManifest('Middle'))
    for (const place of ['Left', 'Right']) {
      const twin = await api.createEntity({ name: 'Twin' }, await api.createManifest(place))
      twins.set(place, twin)
      await api.relate(twin.id, solo, 'soloId')
      await api.relate(solo.id, twin, `${place.toLowerCase()}Id`)
    }
    await api.relate(solo.id, await api.createEntity({ name: 'Sole' }), 'soleId')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('relationship rows and properties show folders only for entities with the same name', async () => {
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await expectShown(relationships().filter({ hasText: 'leftId' }).getByText('user-defined/Left'))
    await expectShown(relationships().filter({ hasText: 'rightId' }).getByText('user-defined/Right'))
    await expect.poll(() => relationships().filter({ hasText: 'soleId' }).textContent()).not.toContain('user-defined')
    await relationships().filter({ hasText: 'rightId' }).click()
    await expectShown(property(page, 'Entity Attribute', 'Associated Entity').getByText('user-defined/Right'))
  })

  it('references to an entity show folders in the panel and in the delete confirmation', async () => {
    const panel = page.getByRole('table', { name: /^Referred to by/ })
    await expectShown(panel.getByRole('row').filter({ hasText: 'Twin' }).getByText('user-defined/Left'))
    await expectShown(panel.getByRole('row').filter({ hasText: 'Twin' }).getByText('user-defined/Right'))
    await tool(page, 'Delete Entity').click()
    const confirmation = question(page, 'Delete Entity')
    const links = confirmation.getByRole('list', { name: 'References' })
    await expectShown(links.getByText('user-defined/Left'))
    await expectShown(links.getByText('user-defined/Right'))
    await press(confirmation, 'Cancel')
  })

  it('the delete confirmation and the discard message of an entity show its folder', async () => {
    for (const [place, twin] of twins) {
      await openEntity(page, twin)
      await tool(page, 'Delete Entity').click()
      await expectShown(question(page, 'Delete Entity').getByText(`user-defined/${place}`).first())
      await press(question(page, 'Delete Entity'), 'Cancel')
      await setText(page, 'Entity', 'Description', `Changed in ${place}`)
      await tool(page, 'Discard changes').click()
      // Messages with equal text would share one Undo.
      await expectShown(snackbar(page, `Discarded the changes of Twin in user-defined/${place}.`))
    }
  })

  it('a picker shows the folder of an entity before and after it is chosen', async () => {
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await find(page, open, 'Associated Entity', 'Twin', 'user-defined/Right')
    const picked = open.getByRole('combobox', { name: 'Associated Entity' })
    await expect.poll(() => picked.textContent()).toBe('Twinuser-defined/Right')
    await press(open, 'Cancel')
  })

  it('a truncated folder shows its end in a narrow window', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await relationships().filter({ hasText: 'rightId' }).click()
    const row = relationships().filter({ hasText: 'rightId' })
    for (const text of ['Right', 'Twin'])
      await expect.poll(() => isFullyVisible(row.getByText(text, { exact: true }))).toBe(true)
    await page.getByRole('button', { name: 'Properties panel' }).click()
    const folder = property(page, 'Entity Attribute', 'Associated Entity').getByText('Right', { exact: true })
    await expect.poll(() => isFullyVisible(folder)).toBe(true)
    // A long folder does not truncate a short name in its tab.
    const long = await api.createManifest('A_folder_with_a_name_as_long_as_they_may_be_here_0')
    for (const place of [await api.createEntity({ name: 'Twin' }, long), twins.get('Left')])
      if (place) await openEntity(page, place)
    const strip = page.getByRole('tablist', { name: 'Open documents' })
    for (const words of await strip.getByText('Twin', { exact: true }).all()) {
      await expect.poll(() => words.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
    }
    await saveScreenshot(page, 'namesakes-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('narrow windows cause no errors on the page', () => {
    expect(journey.complaints).toEqual([])
  })
})
