import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage, saveScreenshot, signIn } from './driver/journey.ts'
import { pickerOptions, openEntity, record } from './driver/document.ts'
import { entityDocument, property, tab } from './driver/entity.ts'
import { focusText, hasFocus, keys } from './driver/keyboard.ts'
import { copyLibrary } from './driver/library.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, press, question, snackbar } from './driver/widgets.ts'

const library = copyLibrary()
library.add('parties', 'CustomerGroup', 'FanClub', 'people/')
const journey = await startJourney({ env: library.env })
const { page } = journey

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
  it('an entity opened from the palette is revealed and selected below its manifest', async () => {
    await openFromPalette('Customer', /^Customer.*user-defined/)
    await expect.poll(() => selectedRow().count()).toBe(1)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Customer/)
    await expect
      .poll(() => selectedRow().first().getAttribute('data-row-id'))
      .toMatch(/^custom>manifests>manifest:\d+>entities>/)
  })

  it('a predefined entity opened from the palette is revealed and selected below its folders', async () => {
    await openFromPalette('Party', /^Party.*predefined/)
    await expect.poll(() => selectedRow().first().getAttribute('data-row-id')).toMatch(/^standard>entities>folder:/)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
  })

  it('the selection in the tree follows the active tab', async () => {
    await tab(page, 'Customer').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Customer/)
    await tab(page, 'Party').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
  })

  it('a new entity is selected in the tree when it is opened', async () => {
    const shop = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    await shop.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add Entity' }).click()
    const add = dialog(page, 'Add Entity')
    await add.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await add.getByRole('textbox', { name: 'Name' }).fill('Zebra')
    await keys(page, 'Enter')
    await press(add, 'Finish')
    await add.waitFor({ state: 'detached' })
    await openFromPalette('Zebra', /^Zebra/)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Zebra/)
  })

  it('a reload restores the expanded nodes and selects the node of the active document', async () => {
    await tab(page, 'Party').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
    await page.reload()
    await expectShown(entityDocument(page, 'Party'))
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Party/)
    await expectShown(page.locator('[role=treeitem][data-row-id^="standard>entities>folder:"]').first())
  })

  it('the selected row is scrolled into view after a reload', async () => {
    const before = page.viewportSize()
    await page.setViewportSize({ width: 1440, height: 420 })
    await openFromPalette('Customer', /^Customer.*user-defined/)
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
    expect((await sidebar().boundingBox())?.width).toBe(280)
    await edge.focus()
    await keys(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    await page.reload()
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    const { context, page: other } = await openPage(journey.browser, journey.console.url)
    await signIn(other, 'newcomer')
    expect((await other.getByRole('navigation', { name: 'Navigator' }).boundingBox())?.width).toBe(280)
    await context.close()
  })

  it('labels of deeply nested nodes remain readable', async () => {
    const entities = await nodeAt(page, 'Standard', 'Entities')
    await expand(entities)
    const row = selectedRow().first()
    await row.scrollIntoViewIfNeeded()
    const label = row.locator('span').nth(1)
    expect((await label.boundingBox())?.width ?? 0).toBeGreaterThan(60)
    await saveScreenshot(page, 'tree-deep')
  })

  it('a folder lists its subfolders before its entities', holds('E2.4'), async () => {
    const parties = await nodeAt(page, 'Standard', 'Entities', 'parties')
    await expand(parties)
    await expect
      .poll(async () => (await childrenOf(page, parties)).slice(0, 3))
      .toEqual(['people', 'Account', 'Contact'])
    const people = await nodeAt(page, 'Standard', 'Entities', 'parties', 'people')
    await expand(people)
    await expect.poll(() => childrenOf(page, people)).toEqual(['FanClub'])
  })

  it('the Delete key on a tree row opens a confirmation and the menu shows the key', async () => {
    await tab(page, 'Zebra').click()
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Zebra/)
    await selectedRow().first().focus()
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: /^Delete\s*Del$/ }))
    await keys(page, 'Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => focusText(page)).toMatch(/^Zebra/)
    await keys(page, 'Delete')
    await expectShown(page.getByRole('alertdialog').or(page.getByRole('dialog')).first())
    await keys(page, 'Escape')
  })

  it(
    'entities can be dragged from the navigator only, and the CDM Library menu has two items',
    holds('E2.9', 'E2.23', 'M2.43', 'E2.24', 'M2.44'),
    async () => {
      const own = await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')
      await own.hover()
      await expect.poll(() => own.getAttribute('draggable')).toBe('true')
      expect(await startsDrag(own)).toBe(true)
      expect(await startsDrag(await nodeAt(page, 'Standard', 'Entities', 'parties'))).toBe(false)
      await page.getByRole('button', { name: 'CDM Library' }).click()
      const tree = page.getByRole('tree', { name: 'CDM Library' })
      await expand(tree.getByRole('treeitem', { name: /^parties/ }).first())
      const account = tree.getByRole('treeitem', { name: 'Account', exact: true })
      await account.click({ button: 'right' })
      await expect.poll(() => menuLines(page)).toEqual(['Add to Manifest', 'Export Entity'])
      await keys(page, 'Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      expect(await startsDrag(account)).toBe(false)
      await page.getByRole('button', { name: 'Project Navigator' }).click()
    },
  )

  it('Export Entity is run from the context menu by keyboard', async () => {
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Customer')
    await node.focus()
    await keys(page, 'Shift+F10')
    await page.getByRole('menuitem').first().waitFor()
    for (let line = 0; line < 10 && !(await focusText(page)).startsWith('Export Entity'); line++)
      await keys(page, 'ArrowDown')
    const { name } = await captureDownload(page, () => keys(page, 'Enter'))
    expect(name).toBe('Customer.json')
    await expectShown(snackbar(page, 'Exported entity: Customer'))
  })

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
  const { x, y } = (await node.boundingBox()) ?? { x: 0, y: 0 }
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

  it('deleting a manifest closes its tab and the tabs of its entities only', holds('M4.16'), async () => {
    const api = apiOf(page)
    const deletedManifest = await api.createManifest('Doomed')
    const first = await api.createEntity({ name: 'FirstGone' }, deletedManifest)
    const second = await api.createEntity({ name: 'SecondGone' }, deletedManifest)
    const free = await api.createEntity({ name: 'Staying' })
    await page.goto(`/?manifest=${deletedManifest}`)
    await expectShown(tab(page, 'Doomed'))
    for (const entity of [first, second, free]) await openEntity(page, entity)
    for (const name of ['Doomed', 'FirstGone', 'SecondGone', 'Staying']) await expectShown(tab(page, name))
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Doomed'), 'Delete')
    await press(question(page, 'Delete Manifest'), 'Delete')
    for (const name of ['FirstGone', 'SecondGone', 'Doomed']) await tab(page, name).waitFor({ state: 'detached' })
    await expectShown(tab(page, 'Staying'))
    await expectShown(entityDocument(page, 'Staying'))
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

it('each path begins with its workspace: predefined or user-defined', holds('E3.65'), async () => {
  const api = apiOf(page)
  const yard = await api.createManifest('Yard')
  await api.addSubManifest(yard, await api.createManifest('Annex'))
  await api.createEntity({ name: 'Shed' }, yard)
  const answers: Promise<string>[] = []
  page.on('response', answer => {
    if (/\/1\.0\/cdm\/(entity|manifest)[^?]*(\?|$)/.test(answer.url())) answers.push(answer.text().catch(() => ''))
  })
  const unassigned = await api.createEntity({ name: 'Loose' })
  await page.reload()
  // The tree scrolls to the selected row.
  await page.getByRole('treeitem', { selected: true }).waitFor()
  for (const [path, group, fullPath] of [
    [['Standard', 'Entities', 'parties', 'Contact'], 'Entity', 'predefined/parties/Contact'],
    [['Standard', 'Manifests', 'parties', 'parties'], 'Manifest', 'predefined/parties/parties'],
    [['Custom', 'Manifests', 'Yard'], 'Manifest', 'user-defined/Yard'],
    [['Custom', 'Manifests', 'Yard', 'Sub-Manifests', 'Annex'], 'Manifest', 'user-defined/Annex'],
    [['Custom', 'Manifests', 'Yard', 'Entities', 'Shed'], 'Entity', 'user-defined/Yard/Shed'],
  ] as const) {
    await (await nodeAt(page, ...path)).dblclick()
    await expectShown(property(page, group, 'Path').getByText(fullPath, { exact: true }))
  }
  await openEntity(page, unassigned)
  await expectShown(property(page, 'Entity', 'Path').getByText('user-defined/Loose', { exact: true }))
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard'), 'Add Entity')
  const open = dialog(page, 'Add Entity')
  await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
  await open.getByText('Advance Filters', { exact: true }).click()
  const places = (await pickerOptions(page, open, 'Entity', 'Contact')).join(' ')
  expect(places).toContain('predefined/parties')
  await keys(page, 'Escape')
  const workspaces = (texts: readonly string[]) => [...new Set(texts.map(text => text.split('/')[0]))].toSorted()
  expect(workspaces(await pickerOptions(page, open, 'By Folder'))).toEqual(['predefined', 'user-defined'])
  await keys(page, 'Escape')
  await press(open, 'Close')
  const workspaceNames = (await Promise.all(answers)).flatMap(text =>
    [...text.matchAll(/"location":"([^"/]*)/g)].map(([, name]) => name),
  )
  expect([...new Set(workspaceNames)].toSorted()).toEqual(['predefined', 'user-defined'])
})

describe('A tree group changed by another user', () => {
  it('Load More lists each entity once after another user has added one', async () => {
    const api = apiOf(page)
    for (let at = 10; at < 32; at += 1) await api.createEntity({ name: `Member_${at}` })
    await page.reload()
    const group = await nodeAt(page, 'Custom', 'Entities')
    await expand(group)
    const more = page.getByRole('treeitem', { name: /^Load More/ })
    await more.waitFor()
    await api.createEntity({ name: 'Added_first' })
    await more.click()
    const shown = async () => (await childrenOf(page, group)).filter(name => !name.startsWith('Load'))
    await expect.poll(shown).toEqual(expect.arrayContaining(['Added_first', 'Member_21']))
    const labels = await shown()
    expect(labels.length).toBe(new Set(labels).size)
  })
})

describe('A tree with several pages', () => {
  const selectedRow = () => page.getByRole('treeitem', { selected: true })

  it('the tree selects an entity on a later page, not the entity with the same name on the first page', async () => {
    const api = apiOf(page)
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

  it('the tree selects nothing if the active document is beyond the pages that it loads', async () => {
    const api = apiOf(page)
    const names = Array.from({ length: 210 }, (_, at) => `Far_${at + 100}`)
    for (const name of names) await api.createEntity({ name })
    const last = await api.createEntity({ name: 'Zz_last' })
    const first = await api.createEntity({ name: 'Aa_first' })
    await openEntity(page, first)
    await expect.poll(() => selectedRow().first().textContent()).toMatch(/^Aa_first/)
    await openEntity(page, last)
    await expect.poll(() => selectedRow().count()).toBe(0)
  })
})
