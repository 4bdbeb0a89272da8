import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage, saveScreenshot, signIn } from './driver/journey.ts'
import { holdAll, openEntity, record } from './driver/document.ts'
import { entityDocument, tab } from './driver/entity.ts'
import { focusText, hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, press, question, restingBox, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
await api.createEntity({ name: 'Zebra' }, await api.manifestNamed('Shop'))

const selectedRow = () => page.getByRole('treeitem', { selected: true })
const sidebar = () => page.getByRole('navigation', { name: 'Navigator' })
const palette = () => page.getByRole('combobox', { name: 'Search or run a command' })

async function openFromPalette(name: string, detail: RegExp): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(palette())
  await page.keyboard.type(name)
  await page.getByRole('option', { name: detail }).first().click()
  await expectShown(entityDocument(page, name))
}

describe('The tree and the open documents', () => {
  it('the tree reveals and selects the active document, also after a reload', async () => {
    await openFromPalette('Customer', /^Customer.*user-defined/)
    await expect.poll(() => selectedRow().count()).toBe(1)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Customer/)
    await expect
      .poll(() => selectedRow().first().getAttribute('data-row-id'))
      .toMatch(/^custom>manifests>manifest:\d+>entities>/)
    await openFromPalette('Party', /^Party.*predefined/)
    await expect.poll(() => selectedRow().first().getAttribute('data-row-id')).toMatch(/^standard>entities>folder:/)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
    await tab(page, 'Customer').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Customer/)
    await tab(page, 'Party').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
    await page.reload()
    await expectShown(entityDocument(page, 'Party'))
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
    await expectShown(page.locator('[role=treeitem][data-row-id^="standard>entities>folder:"]').first())
  })

  it('the tree selects a new manifest once its list is read again, which the dialog does not wait for', async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
    const wizard = dialog(page, 'Create Manifest')
    await wizard.getByRole('textbox', { name: 'Name' }).fill('Shelf')
    await press(wizard, 'Next')
    const release = await holdAll(page, /\/1\.0\/cdm\/manifest\?/)
    await press(wizard, 'Finish')
    await expectShown(tab(page, 'Shelf'))
    release()
    const place = `custom>manifests>manifest:${await api.manifestNamed('Shelf')}`
    await expect.poll(() => selectedRow().first().getAttribute('data-row-id')).toBe(place)
  })

  it('the tree selects nothing if the active document is beyond the pages that it loads', async () => {
    const last = await api.createEntity({ name: 'Zz_last' })
    // A list of 500 entities without the active one.
    await page.route(/\/1\.0\/cdm\/entity\?/, async route => {
      const url = new URL(route.request().url())
      const first = Number(url.searchParams.get('page')) * 20
      url.searchParams.set('page', '0')
      const response = await route.fetch({ url: url.href })
      const answer = await response.json()
      const entity = Array.from({ length: 20 }, (_, at) => ({
        ...answer.entity[0],
        id: 900_000 + first + at,
        name: `Far_${first + at}`,
      }))
      await route.fulfill({ response, json: { ...answer, entity, totalElements: 500 } })
    })
    const lastPage = page.waitForRequest(/\/1\.0\/cdm\/entity\?.*page=9/)
    await page.goto(`/?entity=${last.id}`)
    await lastPage
    await expectShown(entityDocument(page, 'Zz_last'))
    await expect.poll(() => selectedRow().count()).toBe(0)
    await page.unrouteAll()
  })

  it('the selected row is scrolled into view after a reload', async () => {
    const before = page.viewportSize()
    await page.setViewportSize({ width: 1440, height: 420 })
    await tab(page, 'Customer').click()
    await page.reload()
    await expectShown(entityDocument(page, 'Customer'))
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Customer/)
    /** How many pixels of the row are outside the visible area of its scroll container. */
    const hidden = () =>
      selectedRow()
        .first()
        .evaluate(element => {
          const scroller = element.closest('[role=tree]')?.parentElement
          const edges = scroller?.getBoundingClientRect() ?? new DOMRect()
          const { top, bottom } = element.getBoundingClientRect()
          return {
            isScrolled: (scroller?.scrollTop ?? 0) > 0,
            pixels: Math.max(bottom - edges.bottom, edges.top - top, 0),
          }
        })
    await expect.poll(hidden).toEqual({ isScrolled: true, pixels: 0 })
    if (before) await page.setViewportSize(before)
  })

  it('arrow keys widen the navigator and the width is stored per user', async () => {
    const edge = page.getByRole('separator', { name: 'Width of the navigator' })
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(280)
    await edge.focus()
    await keys(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    await page.reload()
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    const { context, page: other } = await openPage(journey.browser, journey.console.url)
    await signIn(other, 'newcomer')
    const othersSidebar = other.getByRole('navigation', { name: 'Navigator' })
    await expect.poll(async () => (await othersSidebar.boundingBox())?.width).toBe(280)
    // At the smallest width the buttons of all views are within it.
    await other.getByRole('separator', { name: 'Width of the navigator' }).focus()
    await keys(other, 'Home')
    await expect.poll(async () => (await othersSidebar.boundingBox())?.width).toBe(200)
    const views = othersSidebar.getByRole('group', { name: 'View' }).getByRole('button')
    await expect
      .poll(() => views.evaluateAll(all => all.map(one => one.getBoundingClientRect().right <= 200)))
      .toEqual([true, true, true])
    await context.close()
  })

  it('labels of deeply nested nodes remain readable', async () => {
    const entities = await nodeAt(page, 'Standard', 'Entities')
    await expand(entities)
    const row = selectedRow().first()
    await row.scrollIntoViewIfNeeded()
    const label = row.locator('span').nth(1)
    await expect.poll(async () => (await label.boundingBox())?.width ?? 0).toBeGreaterThan(60)
    await saveScreenshot(page, 'tree-deep')
  })

  it('the menu of a row exports its entity by keyboard, and shows the key of Delete, which opens a confirmation', async () => {
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Zebra')
    await node.focus()
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: /^Delete\s*Del$/ }))
    await tabTo(page, page.getByRole('menuitem', { name: /^Export Entity/ }), 'ArrowDown')
    const { name } = await captureDownload(page, () => keys(page, 'Enter'))
    expect(name).toBe('Zebra.json')
    await expectShown(snackbar(page, 'Exported entity: Zebra'))
    await expect.poll(() => focusText(page)).toMatch(/^Zebra/)
    await keys(page, 'Delete')
    await expectShown(question(page, 'Delete Entity'))
    await keys(page, 'Escape')
    await question(page, 'Delete Entity').waitFor({ state: 'detached' })
  })

  it(
    'entities can be dragged from the navigator only, and the CDM Library menu has two items',
    holds('E2.9', 'E2.23', 'M2.43', 'E2.24', 'M2.44'),
    async () => {
      const own = await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')
      await own.hover()
      await expect.poll(() => own.getAttribute('draggable')).toBe('true')
      await expect.poll(() => startsDrag(own)).toBe(true)
      await expect.poll(async () => startsDrag(await nodeAt(page, 'Standard', 'Entities', 'parties'))).toBe(false)
      await page.getByRole('button', { name: 'CDM Library' }).click()
      const tree = page.getByRole('tree', { name: 'CDM Library' })
      await expand(tree.getByRole('treeitem', { name: /^parties/ }).first())
      const account = tree.getByRole('treeitem', { name: 'Account', exact: true })
      await account.click({ button: 'right' })
      await expect.poll(() => menuLines(page)).toEqual(['Add to Manifest', 'Export Entity', 'Add to Favourites'])
      await keys(page, 'Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await expect.poll(() => startsDrag(account)).toBe(false)
      await page.getByRole('button', { name: 'Project Navigator' }).click()
    },
  )

  it('the tree causes no errors on the page', () => {
    expect(journey.complaints).toEqual([])
  })
})

/** Whether pulling a node starts a drag. */
async function startsDrag(node: Locator): Promise<boolean> {
  await page.evaluate(() => {
    document.body.removeAttribute('data-pulled')
    document.addEventListener('dragstart', () => document.body.setAttribute('data-pulled', ''), { once: true })
  })
  const { x, y } = await restingBox(node)
  await page.mouse.move(x + 60, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + 70, y + 70, { steps: 6 })
  await page.mouse.up()
  return page.evaluate(() => document.body.hasAttribute('data-pulled'))
}

describe('Menus and new content of the tree', () => {
  it('the workspace nodes have menus with New, Import and Refresh or the CDM Library', holds('E2.8'), async () => {
    await (await nodeAt(page, 'Custom')).click({ button: 'right' })
    await expect.poll(() => menuLines(page)).toEqual(['New Manifest', 'New Entity', 'Refresh', 'Import'])
    await page.getByRole('menuitem', { name: 'New Entity' }).click()
    await press(dialog(page, 'Create Entity'), 'Cancel')
    const custom = await nodeAt(page, 'Custom')
    await custom.focus()
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: 'New Manifest' }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(custom)).toBe(true)
    const calls = record(page)
    await menu(page, custom, 'Refresh')
    await expect.poll(() => calls.some(({ url }) => url.includes('/manifest'))).toBe(true)
    await menu(page, await nodeAt(page, 'Standard'), 'Open CDM Library')
    await expectShown(page.getByRole('tree', { name: 'CDM Library' }))
    await page.getByRole('button', { name: 'Project Navigator' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
  })

  it(
    "'Workspace is not loaded yet.' is shown when a new entity is requested before the navigator has answered",
    holds('E8.10'),
    async () => {
      const response = Promise.withResolvers<void>()
      await page.route('**/1.0/cdm/manifest?*', async route => {
        await response.promise
        await route.continue()
      })
      await page.reload()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Entity/ }).click()
      await expectShown(snackbar(page, 'Workspace is not loaded yet.'))
      response.resolve()
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Shop'))
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Entity/ }).click()
      await press(dialog(page, 'Create Entity'), 'Cancel')
    },
  )
})

describe('A tree with several pages', () => {
  it('Load More lists each entity once after another user has added one', async () => {
    for (let at = 10; at < 32; at += 1) await api.createEntity({ name: `Member_${at}` })
    // Tall enough for all rows: after a reload the tree scrolls to the selected row and may not render others.
    await page.setViewportSize({ width: 1440, height: 2400 })
    await page.reload()
    const group = await nodeAt(page, 'Custom', 'Entities')
    await expand(group)
    const more = page.getByRole('treeitem', { name: /^Load More/ })
    await more.waitFor()
    await api.createEntity({ name: 'Added_first' })
    await more.click()
    const shown = async () => (await childrenOf(page, group)).filter(name => !name.startsWith('Load'))
    await expect.poll(shown).toEqual(expect.arrayContaining(['Added_first', 'Member_21']))
    await expect.poll(async () => new Set(await shown()).size - (await shown()).length).toBe(0)
  })

  it('the tree selects an entity on a later page, not the entity with the same name on the first page', async () => {
    const made = []
    for (let at = 10; at < 34; at += 1) {
      const manifest = await api.createManifest(`Pages_${at}`)
      if (at === 10 || at === 33) made.push(await api.createEntity({ name: 'Namesake' }, manifest))
    }
    await page.reload()
    for (const entity of made) {
      await openEntity(page, entity)
      const place = new RegExp(`^custom>manifests>manifest:\\d+>entities>entity:${entity.id}$`)
      await expect.poll(() => selectedRow().first().getAttribute('data-row-id')).toMatch(place)
    }
  })
})
