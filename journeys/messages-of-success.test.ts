import { holds } from '@cadmus/testing/holds'
import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { pick, dialog, dismissMessages, expectShown, find, press, question, snackbar } from './driver/widgets.ts'
import { hold } from './driver/document.ts'
import { entityDocument, manifestDocument, tab } from './driver/entity.ts'
import { expectAccessible } from './driver/accessible.ts'
import { startExport } from './driver/transfer.ts'
import { childrenOf, menu, nodeAt, expand } from './driver/tree.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const harbour = await api.createManifest('Harbour')
await api.createEntity({ name: 'Ship' }, harbour)
await api.addSubManifest(harbour, await api.createManifest('Annex'))
await page.reload()

const node = (...path: string[]) => nodeAt(page, 'Custom', 'Manifests', 'Harbour', ...path)
const properties = page.getByRole('complementary', { name: 'Properties' })

describe('Deletion in the tree, which requires confirmation and clears the selection', () => {
  /** Expects Cancel to change nothing, and Delete to remove the node, report it and clear the selection. */
  async function expectDeletion(path: string[], title: string, explanation: string, message: string): Promise<void> {
    const parent = await node(...path.slice(0, -1))
    const name = path.at(-1) ?? 'Harbour'
    const chosen = await node(...path)
    await menu(page, chosen, 'Delete')
    const confirmation = question(page, title)
    await expectShown(confirmation.getByText(explanation, { exact: true }))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    await expectShown(chosen)
    await chosen.click()
    await expectShown(tab(page, name))
    await expectShown(properties.getByRole('region').first())
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cadmus.selectedNode'))).not.toBeNull()
    await menu(page, chosen, 'Delete')
    await press(confirmation, 'Delete')
    await expectShown(snackbar(page, message))
    await chosen.waitFor({ state: 'detached' })
    await expect.poll(async () => (path.length > 0 ? childrenOf(page, parent) : [])).not.toContain(name)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cadmus.selectedNode'))).toBeNull()
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).count()).toBe(0)
  }

  const entityWords = 'Do you really want to delete the entity?'
  const manifestWords = 'Do you really want to delete the manifest?'

  it(
    'deleting a sub-manifest removes it from its parent only',
    holds('M8.51', 'E2.17', 'M2.64', 'M4.13', 'M4.15'),
    async () => {
      await expand(await node('Sub-Manifests'))
      const explanation = 'Do you really want to remove Annex from Harbour? The manifest itself stays.'
      await expectDeletion(
        ['Sub-Manifests', 'Annex'],
        'Delete Sub-Manifest',
        explanation,
        'Successfully deleted a sub-manifest',
      )
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Annex'))
      const headers = { 'X-Organisation-Code': 'ACME' }
      const { manifest } = await (await page.request.get(`/1.0/cdm/manifest/${harbour}`, { headers })).json()
      expect(manifest).toMatchObject({ name: 'Harbour', subManifestPaths: [] })
    },
  )

  it('deleting an entity closes it', holds('M8.50', 'E2.19', 'E8.19', 'M2.66', 'M4.13', 'M4.14', 'M4.15'), async () => {
    await keys(page, 'Escape')
    await expectDeletion(['Entities', 'Ship'], 'Delete Entity', entityWords, 'Successfully deleted a entity')
    await entityDocument(page, 'Ship').waitFor({ state: 'detached' })
  })

  it('deleting a manifest closes its tab', holds('M8.49', 'E2.18', 'M2.65', 'M4.13', 'M4.14', 'M4.15'), async () => {
    await expectDeletion([], 'Delete Manifest', manifestWords, 'Successfully deleted a manifest')
    await manifestDocument(page, 'Harbour').waitFor({ state: 'detached' })
    await properties.waitFor({ state: 'detached' })
  })
})

describe('Opened lists', () => {
  const required = 'this is a required field'

  it('closing a required list without a selection shows an error and disables the button', holds('E5.38'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Add Entity')
    const open = dialog(page, 'Add Entity')
    const expectRequired = async (label: string, button: string) => {
      await open.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option').first().waitFor()
      await expect.poll(() => open.getByText(required).count()).toBe(0)
      await keys(page, 'Escape')
      await expectShown(open.getByRole('alert').getByText(required, { exact: true }))
      await expect.poll(() => open.getByRole('button', { name: button }).getAttribute('aria-disabled')).toBe('true')
      await find(page, open, label, 'Skill')
      await expect.poll(() => open.getByText(required).count()).toBe(0)
      await expect.poll(() => open.getByRole('button', { name: button }).getAttribute('aria-disabled')).not.toBe('true')
    }
    await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
    await expectRequired('Entity', 'Finish')
    await press(open, 'Close')
  })

  it('typing during a search cancels the earlier request', holds('E7.2'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Customer'), 'Add to Manifest')
    const label = 'Select a manifest to add the entity'
    const open = dialog(page, 'Add Entity To Manifest')
    await open.getByRole('combobox', { name: label }).click()
    const searchUrl = (text: string) => new RegExp(`/1\\.0/cdm/manifest\\?.*search=${text}(&|$)`)
    await page.route(searchUrl('sh'), () => undefined)
    const search = page.getByRole('combobox', { name: `Search ${label}` })
    const searchRequest = page.waitForRequest(searchUrl('sh'))
    await search.pressSequentially('sh')
    const cancelled = page.waitForEvent('requestfailed', request => searchUrl('sh').test(request.url()))
    await searchRequest
    await search.pressSequentially('op')
    expect((await cancelled).failure()?.errorText).toBe('net::ERR_ABORTED')
    await expectShown(page.getByRole('option', { name: /^Shop/ }))
    await keys(page, 'Escape')
    await press(open, 'Close')
  })
})

describe('Export of a database schema', () => {
  it('the dialog recommends connection URL properties for HSQL and MySQL', holds('M5.31', 'M5.32'), async () => {
    const open = await startExport(page, 'Shop', 'Database Schema')
    await open.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
    for (const [database, property] of [
      ['HSQL', 'sql.syntax_mys=true'],
      ['MySQL', "sessionVariables=sql_mode='ANSI'"],
    ] as const) {
      await pick(page, open, 'Database Type', database)
      const words = `Recommended for ${database}: add ${property} to the connection URL.`
      await expect.poll(() => open.getByText('Recommended for').textContent()).toBe(words)
    }
    await pick(page, open, 'Database Type', 'PostgreSQL')
    await expect.poll(() => open.getByText('Recommended for').count()).toBe(0)
    await press(open, 'Close')
  })
})

describe('Number and duration of messages', () => {
  it(
    'only the newest three of five messages are shown, and one displaced after two seconds does not return',
    holds('M8.1'),
    async () => {
      // Messages with a button return after newer ones.
      await dismissMessages(page)
      await refuseInTurn(['Old.'])
      await page.evaluate(() => {
        const { now } = performance
        performance.now = () => now.call(performance) + 2_000
      })
      await page.evaluate(() => {
        const seen = { most: 0 }
        Reflect.set(window, 'seen', seen)
        const count = () => {
          seen.most = Math.max(seen.most, document.querySelectorAll('[data-snackbar]').length)
        }
        new MutationObserver(count).observe(document.body, { childList: true, subtree: true })
      })
      await refuseInTurn([1, 2, 3, 4, 5].map(at => `Number ${at}.`))
      await expect
        .poll(() => page.locator('[data-snackbar] p').allTextContents())
        .toEqual([3, 4, 5].map(at => `Unable to export entity - Number ${at}.`))
      // While they have the focus they stay, however long the checks take.
      await keys(page, 'F6')
      await expectAccessible(page, 'messages-three')
      await expect.poll(() => page.evaluate(() => Reflect.get(Object(Reflect.get(window, 'seen')), 'most'))).toBe(3)
      const shown = page.locator('[data-snackbar]')
      for (const at of [5, 4, 3, 2, 1]) {
        const message = shown.filter({ hasText: `Number ${at}.` })
        await message.getByRole('button', { name: 'Dismiss' }).click()
        await message.waitFor({ state: 'detached' })
      }
      await expect.poll(() => shown.count()).toBe(0)
    },
  )

  it('messages cover neither the page nor the buttons of a dialog in a small window', async () => {
    const height = 600
    await page.setViewportSize({ width: 1024, height })
    await refuseInTurn([1, 2, 3].map(at => `Over ${at}.`))
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
    const open = dialog(page, 'Create Manifest')
    // Found by tag because elements behind a dialog have no role.
    const strip = page.locator('section[aria-label=Messages]')
    const parts = await page.locator('main, aside').all()
    await expectShown(open)
    await expect
      .poll(async () => {
        const [top, ...bottoms] = await Promise.all([
          strip.boundingBox().then(box => box?.y ?? 0),
          ...[open, ...parts].map(one => one.boundingBox().then(box => (box ? box.y + box.height : 0))),
        ])
        return [top < height, bottoms.every(bottom => bottom <= top + 0.5)]
      })
      .toEqual([true, true])
    await saveScreenshot(page, 'messages-and-dialog')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
    await dismissMessages(page)
    // Closed messages take no space.
    await expect.poll(async () => (await strip.boundingBox())?.height ?? 0).toBe(0)
    await expect
      .poll(async () => {
        const box = await page.getByRole('contentinfo', { name: 'Status bar' }).boundingBox()
        return box && Math.round(box.y + box.height)
      })
      .toBe(height)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the loading bar disappears 400 ms after the response', holds('M9.2'), async () => {
    const { page: other, context } = await openPage(journey.browser, journey.console.url, {
      signedInAs: journey.context,
    })
    await other.clock.install()
    await other.goto('/')
    await other.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Audit Logs' }).click()
    const bar = other.getByRole('status', { name: 'Fetching' })
    const refresh = other.getByRole('article', { name: 'Audit Logs' }).getByRole('button', { name: 'Refresh' })
    await expectShown(other.getByRole('grid', { name: 'Audit Logs' }).locator('tbody tr').first())
    await bar.waitFor({ state: 'detached' })
    const { requested, release } = await hold(other, /\/manifest\/logs\?/, 'GET')
    await refresh.click()
    await requested
    await bar.waitFor()
    await other.clock.pauseAt((await other.evaluate(() => Date.now())) + 10_000)
    await expect.poll(() => bar.count()).toBe(1)
    release()
    // Advances the clock until the page has processed the response.
    const readBusy = async () => {
      await other.clock.runFor(1)
      return refresh.getAttribute('aria-busy')
    }
    await expect.poll(readBusy).toBe(null)
    await other.clock.runFor(350)
    await expect.poll(() => bar.count()).toBe(1)
    await other.clock.runFor(100)
    await bar.waitFor({ state: 'detached' })
    await context.close()
  })
})

/** Holds one export per text and rejects them in turn, so that the messages appear quickly on a slow page as well. */
async function refuseInTurn(texts: readonly string[]): Promise<void> {
  const pendingRoutes: Route[] = []
  await page.route(/\/export/, async route => {
    if (route.request().method() === 'POST') pendingRoutes.push(route)
    else await route.fallback()
  })
  for (const [before] of texts.entries()) {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Customer'), 'Export Entity')
    await expect.poll(() => pendingRoutes.length).toBe(before + 1)
  }
  for (const [at, message] of texts.entries()) {
    await pendingRoutes[at]?.fulfill({ status: 400, json: { message, code: 'invalid' } })
    await expectShown(snackbar(page, `Unable to export entity - ${message}`))
  }
  await page.unrouteAll()
}
