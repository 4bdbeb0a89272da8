import { writeArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { longFolder } from './driver/cdm.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { navigate, hold, holdAll } from './driver/document.ts'
import { entityDocument, manifestDocument, names, property, row } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { importManifest } from './driver/transfer.ts'
import { nodeAt, expand } from './driver/tree.ts'
import { dialog, expectShown, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')
const bare = (await apiOf(page).createEntity({ name: 'Bare' }, shop)).id

const refusal = { status: 500, json: { message: 'The store cannot be reached.', code: 'unavailable' } }
const entityCall = (id: number) => new RegExp(`/1\\.0/cdm/entity/${id}(\\?|$)`)
const manifestCall = new RegExp(`/1\\.0/cdm/manifest/${shop}(\\?|$)`)

describe('Empty lists', () => {
  it(
    "an organisation without manifests shows 'No manifest to display.' and offers New Manifest",
    holds('M2.28', 'M2.70', 'M2.71'),
    async () => {
      const other = await openPage(journey.browser, journey.console.url)
      await enter(other.page, 'admin')
      await expectShown(other.page.getByRole('heading', { name: 'Organisations' }))
      await other.page
        .getByRole('listitem')
        .filter({ hasText: 'Cadmus' })
        .getByRole('button', { name: /Select/ })
        .click()
      await expectShown(other.page.getByText('No manifest to display.', { exact: true }))
      const toolbar = other.page.getByRole('toolbar', { name: 'Main' })
      const disabled = (...all: string[]) =>
        Promise.all(
          all.map(async name => {
            const button = toolbar.getByRole('button', { name: new RegExp(`^${name}`) })
            return (await button.getAttribute('aria-disabled')) === 'true'
          }),
        )
      const generate = ['Generate Database Schema', 'Generate CDM Schema', 'Build Package', 'Generate Data Model']
      await expect.poll(() => disabled(...generate)).toEqual([true, true, true, true])
      await expect.poll(() => disabled('New', 'Import', 'Audit Logs')).toEqual([false, false, false])
      const navigator = other.page.getByRole('navigation', { name: 'Navigator' })
      await navigator.getByRole('button', { name: 'New Manifest' }).click()
      await press(dialog(other.page, 'Create Manifest'), 'Next')
      await press(dialog(other.page, 'Create Manifest'), 'Finish')
      await expectShown(manifestDocument(other.page, 'new_manifest'))
      await expect.poll(() => disabled(...generate)).toEqual([false, false, false, false])
      await other.context.close()
    },
  )

  it(
    "tables without rows show 'No type attributes to display' and 'No relationships to display'",
    holds('E2.80', 'E2.93'),
    async () => {
      await navigate(page, `/?entity=${bare}`)
      await expectShown(entityDocument(page, 'Bare'))
      await page.getByRole('textbox', { name: 'Search type attributes' }).fill('zzzz')
      await expectShown(page.getByText('No type attributes to display', { exact: true }))
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      await expectShown(page.getByText('No relationships to display', { exact: true }))
    },
  )
})

describe('Loading and failures', () => {
  it('a group of the tree shows Loading until its items arrive', holds('E2.7'), async () => {
    // A reload restores the expanded nodes and loads their items again.
    await expand(await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities'))
    const release = await holdAll(page, '**/1.0/cdm/manifest/*/entities?*')
    await page.reload()
    await expectShown(page.getByRole('treeitem', { name: 'Loading' }))
    release()
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Bare'))
    await expect.poll(() => page.getByRole('treeitem', { name: 'Loading' }).count()).toBe(0)
  })

  it('a placeholder is shown while an entity or a manifest is loading', holds('E2.154', 'M2.72'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'SlowOne' }, shop)
    const loading = page.getByRole('main').getByLabel('Loading')
    const shapes = loading.locator('> span > span')
    for (const [url, address, document, table] of [
      [entityCall(id), `/?entity=${id}`, entityDocument(page, 'SlowOne'), 'Type attributes'],
      [manifestCall, `/?manifest=${shop}`, manifestDocument(page, 'Shop'), 'Information'],
    ] as const) {
      const { release } = await hold(page, url, 'GET')
      await page.goto(address)
      await expectShown(loading)
      await expect.poll(() => loading.textContent()).toBe('')
      await expect.poll(() => shapes.count()).toBeGreaterThan(1)
      await expect.poll(async () => (await shapes.first().boundingBox())?.width).toBeGreaterThan(50)
      const colour = () => shapes.first().evaluate(one => getComputedStyle(one).backgroundColor)
      await expect.poll(colour).not.toBe('rgba(0, 0, 0, 0)')
      const content = page.getByRole('main').getByRole('grid').or(page.getByRole('main').getByRole('table'))
      await expect.poll(() => content.count()).toBe(0)
      release()
      await expectShown(document)
      await expectShown(content.and(page.getByLabel(table, { exact: true })))
      await loading.waitFor({ state: 'detached' })
    }
  })

  it("a document that fails to load shows the server's message and Retry loads it again", holds('M2.73'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'FailingOne' }, shop)
    await page.route(entityCall(id), route => route.fulfill(refusal))
    await navigate(page, `/?entity=${id}`)
    const alert = page.getByRole('main').getByRole('alert')
    await expectShown(alert.getByText('The store cannot be reached.'))
    await page.unroute(entityCall(id))
    await press(alert, 'Retry')
    await expectShown(entityDocument(page, 'FailingOne'))

    await page.route(manifestCall, route => route.fulfill(refusal))
    await page.goto(`/?manifest=${shop}`)
    await expectShown(alert.getByText('The store cannot be reached.'))
    await page.unroute(manifestCall)
    await press(alert, 'Retry')
    await expectShown(manifestDocument(page, 'Shop'))
    await expect.poll(() => alert.count()).toBe(0)
  })

  it(
    "a navigator that fails to load shows the server's message in the tree and Retry loads it again",
    holds('M2.73'),
    async () => {
      await page.route(/\/1\.0\/cdm\/manifest\?/, route => route.fulfill(refusal))
      await page.goto('/')
      const failed = page.getByRole('treeitem', { name: /The store cannot be reached\./ })
      await expectShown(failed.getByText('Retry', { exact: true }))
      await expect.poll(() => page.getByRole('treeitem', { name: /^Shop/ }).count()).toBe(0)
      await page.unroute(/\/1\.0\/cdm\/manifest\?/)
      await failed.getByText('Retry', { exact: true }).click()
      await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
      await failed.waitFor({ state: 'detached' })
    },
  )
})

describe('Long content', () => {
  it(
    '600 attributes are paged by 15, 30, 50, 100 or 200 rows and each page shows the key',
    holds('E2.81', 'E2.82'),
    async () => {
      const typeAttributes = Array.from({ length: 600 }, (_, at) => ({ name: `attribute_${at + 1}` }))
      const { id } = await apiOf(page).createEntity({ name: 'Wide', typeAttributes }, shop)
      await navigate(page, `/?entity=${id}`)
      await expect.poll(async () => (await names(page, 'Type attributes')).length).toBe(15)
      await page.getByRole('combobox', { name: 'Rows per page' }).click()
      const sizes = page.getByRole('option')
      await expect
        .poll(() => sizes.allTextContents())
        .toEqual(['15 rows', '30 rows', '50 rows', '100 rows', '200 rows'])
      await page.getByRole('option', { name: '200 rows' }).click()
      // Long tables render only the visible rows.
      const grid = page.getByRole('grid', { name: 'Type attributes' })
      await expect
        .poll(async () => (await names(page, 'Type attributes')).length)
        .toSatisfy((rows: number) => rows > 20 && rows < 100)
      await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('603')
      const [key] = await names(page, 'Type attributes')
      await row(page, 'Type attributes', 'id').focus()
      await keys(page, 'Control+End', 'ArrowUp')
      const last = row(page, 'Type attributes', 'attribute_199')
      await expect.poll(() => hasFocus(last)).toBe(true)
      await expect.poll(() => last.getAttribute('aria-rowindex')).toBe('201')
      await page.getByRole('button', { name: 'Next page' }).click()
      await expectShown(row(page, 'Type attributes', 'attribute_398'))
      await row(page, 'Type attributes', 'attribute_398').focus()
      await keys(page, 'Control+Home')
      await expect.poll(async () => (await names(page, 'Type attributes')).slice(0, 2)).toEqual([key, 'attribute_200'])
    },
  )

  it('the page size of a table is not truncated', async () => {
    const size = page.getByRole('combobox', { name: 'Rows per page' })
    for (const rows of ['200 rows', '15 rows']) {
      await size.click()
      await page.getByRole('option', { name: rows, exact: true }).click()
      await expect.poll(() => size.textContent()).toBe(rows)
      const isCut = (element: Element) =>
        [...element.querySelectorAll('*')].some(one => one.scrollWidth > one.clientWidth + 1)
      await expect.poll(() => size.evaluate(isCut)).toBe(false)
    }
  })

  it('a table has no paging if its rows fit one page', holds('E2.83'), async () => {
    const size = page.getByRole('combobox', { name: 'Rows per page' })
    const pageButtons = page.getByRole('button', { name: /^(Previous|Next) page$/ })
    for (const [own, controls] of [
      [499, [1, 2]],
      [498, [0, 0]],
    ] as const) {
      const typeAttributes = Array.from({ length: own }, (_, at) => ({ name: `attribute_${at + 1}` }))
      const { id } = await apiOf(page).createEntity({ name: `Own${own}`, typeAttributes }, shop)
      await navigate(page, `/?entity=${id}`)
      // The table of the previous entity has the same rows.
      await expectShown(entityDocument(page, `Own${own}`))
      await expectShown(row(page, 'Type attributes', 'attribute_1'))
      await expect.poll(() => Promise.all([size.count(), pageButtons.count()])).toEqual(controls)
    }
  })

  it('imported names of 120 characters do not break the layout', async () => {
    const { files, manifest, entity, attribute } = longFolder()
    await press(await importManifest(page, 'long.zip', writeArchive(files)), 'Close')
    await (await nodeAt(page, 'Custom', 'Manifests', manifest, 'Entities', entity)).dblclick()
    await expectShown(entityDocument(page, entity))
    await row(page, 'Type attributes', attribute).click()
    await expectShown(property(page, 'Type Attribute', 'Name'))
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    const buttons = page.getByRole('toolbar', { name: 'Entity' }).getByRole('button')
    const ends = () => buttons.evaluateAll(all => Math.max(...all.map(one => one.getBoundingClientRect().right)))
    const panel = async () => (await page.getByRole('complementary', { name: 'Properties' }).boundingBox())?.x ?? 0
    await expect.poll(async () => (await ends()) <= (await panel())).toBe(true)
  })
})

/** Opens a page with an empty cache that cannot load one code chunk. */
async function openWithoutChunk(code: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { context, page } = await openPage(journey.browser, journey.console.url, { signedInAs: journey.context })
  await page.route(`**/assets/${code}-*.js`, route => route.abort())
  return { page, close: () => context.close() }
}

describe('Code of the page that cannot be loaded', () => {
  it('Retry in a document loads the missing code again', async () => {
    const id = await apiOf(journey.page).entityNamed('Customer')
    const { page, close } = await openWithoutChunk('documents')
    await page.goto(`/?entity=${id}`)
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
    await retry.click()
    await expectShown(retry)
    await page.unrouteAll()
    await retry.click()
    await expectShown(entityDocument(page, 'Customer'))
    await close()
  })

  it('a dialog whose code cannot be loaded reports an error and opens on the next attempt', async () => {
    const { page, close } = await openWithoutChunk('dialogs')
    await page.goto('/')
    const tree = page.getByRole('tree', { name: 'Project Navigator' })
    await tree.waitFor()
    await keys(page, 'Control+k')
    await expectShown(snackbar(page, 'Unexpected error'))
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await expectShown(snackbar(page, 'Unexpected error'))
    await expect.poll(() => tree.count()).toBe(1)
    await page.unrouteAll()
    await keys(page, 'Control+k')
    await expectShown(dialog(page, 'Search or run a command'))
    await close()
  })
})
