import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, shoot, signIn, openDesk } from './driver/desk.ts'
import { entityDocument, tab } from './driver/entity.ts'
import { focusText, keys } from './driver/keyboard.ts'
import { ownLibrary } from './driver/library.ts'
import { childrenOf, menuLines, nodeAt, unfold } from './driver/tree.ts'
import { dialog, downloaded, expectShown, press, snackbar } from './driver/widgets.ts'

const library = ownLibrary()
library.add('parties', 'CustomerGroup', 'FanClub', 'people/')
const desk = await openDesk({ env: library.env })
const { page } = desk

const chosen = () => page.getByRole('treeitem', { selected: true })
const sidebar = () => page.getByRole('navigation', { name: 'Navigator' })
const palette = () => page.getByRole('combobox', { name: 'Search or run a command' })

async function openFromPalette(name: string, detail: RegExp): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(palette())
  await page.keyboard.type(name)
  await page.getByRole('option', { name: detail }).first().click()
  await expectShown(entityDocument(page, name))
}

describe('The tree and the documents agree', () => {
  it('what the palette opened is unfolded and chosen, an own entity below its manifest', async () => {
    await openFromPalette('Customer', /^Customer.*user-defined/)
    await expect.poll(() => chosen().count()).toBe(1)
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Customer/)
    await expect
      .poll(() => chosen().first().getAttribute('data-row-id'))
      .toMatch(/^custom>manifests>manifest:\d+>entities>/)
  })

  it('a predefined entity below its folders', async () => {
    await openFromPalette('Party', /^Party.*predefined/)
    await expect.poll(() => chosen().first().getAttribute('data-row-id')).toMatch(/^standard>entities>folder:/)
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Party/)
  })

  it('the choice follows the shown tab', async () => {
    await tab(page, 'Customer').click()
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Customer/)
    await tab(page, 'Party').click()
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Party/)
  })

  it('what was made is shown in its place', async () => {
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
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Zebra/)
  })

  it('what is unfolded stays so after a reload, and the document is chosen again', async () => {
    await tab(page, 'Party').click()
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Party/)
    await page.reload()
    await expectShown(entityDocument(page, 'Party'))
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Party/)
    await expectShown(page.locator('[role=treeitem][data-row-id^="standard>entities>folder:"]').first())
  })

  it('the chosen row is in view after a reload, whatever comes above it', async () => {
    const before = page.viewportSize()
    await page.setViewportSize({ width: 1440, height: 420 })
    await openFromPalette('Customer', /^Customer.*user-defined/)
    await page.reload()
    await expectShown(entityDocument(page, 'Customer'))
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Customer/)
    await expect
      .poll(async () => {
        const [rowBox, treeBox] = [await chosen().first().boundingBox(), await sidebar().boundingBox()]
        return rowBox !== null && treeBox !== null && rowBox.y >= treeBox.y && rowBox.y + rowBox.height / 2 < 420
      })
      .toBe(true)
    if (before) await page.setViewportSize(before)
  })

  it('the navigator is made wider by the pointer or the arrow keys, and keeps its width for this person', async () => {
    const edge = page.getByRole('separator', { name: 'Width of the navigator' })
    expect((await sidebar().boundingBox())?.width).toBe(280)
    await edge.focus()
    await keys(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    await page.reload()
    await expect.poll(async () => (await sidebar().boundingBox())?.width).toBe(312)
    const { context, page: other } = await openPage(desk.browser, desk.console.url)
    await signIn(other, 'newcomer')
    expect((await other.getByRole('navigation', { name: 'Navigator' }).boundingBox())?.width).toBe(280)
    await context.close()
  })

  it('names stay readable far down: the tree scrolls sideways and the folders above stay in sight', async () => {
    const entities = await nodeAt(page, 'Standard', 'Entities')
    await unfold(entities)
    const row = chosen().first()
    await row.scrollIntoViewIfNeeded()
    const label = row.locator('span').nth(1)
    expect((await label.boundingBox())?.width ?? 0).toBeGreaterThan(60)
    await shoot(page, 'tree-deep')
  })

  it('a folder leads to its folders, and then its entities', holds('E2.4'), async () => {
    const parties = await nodeAt(page, 'Standard', 'Entities', 'parties')
    await unfold(parties)
    await expect
      .poll(async () => (await childrenOf(page, parties)).slice(0, 3))
      .toEqual(['people', 'Account', 'Contact'])
    const people = await nodeAt(page, 'Standard', 'Entities', 'parties', 'people')
    await unfold(people)
    await expect.poll(() => childrenOf(page, people)).toEqual(['FanClub'])
  })

  it('Delete at a row asks as its menu does, which shows the key', async () => {
    await tab(page, 'Zebra').click()
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Zebra/)
    await chosen().first().focus()
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
    'the CDM Library offers two entries and drags nothing, where the navigator drags entities alone',
    holds('E2.9', 'E2.23', 'M2.43', 'E2.24', 'M2.44'),
    async () => {
      const own = await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')
      await own.hover()
      await expect.poll(() => own.getAttribute('draggable')).toBe('true')
      expect(await isPulled(own)).toBe(true)
      expect(await isPulled(await nodeAt(page, 'Standard', 'Entities', 'parties'))).toBe(false)
      await page.getByRole('button', { name: 'CDM Library' }).click()
      const tree = page.getByRole('tree', { name: 'CDM Library' })
      await unfold(tree.getByRole('treeitem', { name: /^parties/ }).first())
      const account = tree.getByRole('treeitem', { name: 'Account', exact: true })
      await account.click({ button: 'right' })
      expect(await menuLines(page)).toEqual(['Add to Manifest', 'Export Entity'])
      await keys(page, 'Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      expect(await isPulled(account)).toBe(false)
      await page.getByRole('button', { name: 'Project Navigator' }).click()
    },
  )

  it('Export Entity is reached by keyboard: menu key, its line, Enter', async () => {
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Customer')
    await node.focus()
    await keys(page, 'Shift+F10')
    await page.getByRole('menuitem').first().waitFor()
    for (let line = 0; line < 10 && !(await focusText(page)).startsWith('Export Entity'); line++)
      await keys(page, 'ArrowDown')
    const { name } = await downloaded(page, () => keys(page, 'Enter'))
    expect(name).toBe('Customer.json')
    await expectShown(snackbar(page, 'Exported entity: Customer'))
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

/** Whether a drag begins where a node is pulled. */
async function isPulled(node: Locator): Promise<boolean> {
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
