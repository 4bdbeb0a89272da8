import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { violations } from './driver/axe.ts'
import { startJourney, openPage, signIn } from './driver/journey.ts'
import { toolDialog } from './driver/document.ts'
import { entityDocument, manifestDocument } from './driver/entity.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { copyLibrary } from './driver/library.ts'
import { expectAccessible } from './driver/accessible.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { dialog, expectShown, press, snackbar } from './driver/widgets.ts'

const library = copyLibrary()
const journey = await startJourney({ user: 'nobody', env: library.env })
const { page } = journey
const { tree, panel, title } = administrationOn(page)
await enterAdministration(page)
const at = (...path: string[]) => nodeAt(page, ...path)
const acme = 'Acme Trading'
const api = apiOf(page)
await api.createEntity({ name: 'Alone' })
await api.addSubManifest(await api.manifestNamed('Shop'), await api.createManifest('Parts'))
const many = await api.createManifest('Many')
for (let count = 1; count <= 23; count++) await api.createEntity({ name: `Thing${count}` }, many)

describe('The organisation tree', () => {
  it('lists all organisations and filters them by a part of the name', holds('M2.3', 'M2.259', 'M2.261'), async () => {
    const roots = tree.locator('[aria-level="1"]')
    await expect
      .poll(() => roots.allTextContents())
      .toEqual(['Standard', 'Acme Trading ACME', 'Cadmus CADMUS', 'Globex GLOBEX'])
    const search = page.getByRole('textbox', { name: 'Search organisations' })
    await search.fill('ACM')
    await expect.poll(() => roots.allTextContents()).toEqual(['Acme Trading ACME'])
    await search.fill('')
    await expect.poll(() => roots.count()).toBe(4)
  })

  it(
    'expands from an organisation to a sub-manifest and shows the selected node',
    holds('M2.262', 'M2.263', 'M2.264', 'M1.21', 'M6.2'),
    async () => {
      await (await at(acme)).click()
      await expectShown(title('[ACME] Acme Trading'))
      await expect.poll(async () => childrenOf(page, await at(acme))).toEqual(['Entities', 'Manifests'])
      // An entity outside of all manifests belongs to the organisation.
      await (await at(acme, 'Entities', 'Alone')).click()
      await expectShown(entityDocument(page, 'Alone'))
      await (await at(acme, 'Manifests', 'Shop')).click()
      await expectShown(manifestDocument(page, 'Shop'))
      // The document is editable.
      await press(await toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest'), 'Close')
      await (await at(acme, 'Manifests', 'Shop', 'Sub-Manifests', 'Parts')).click()
      await expectShown(manifestDocument(page, 'Parts'))
      await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
      const customer = entityDocument(page, 'Customer')
      await expectShown(customer)
      // The administration shows one document at a time, without tabs.
      await expect.poll(() => page.getByRole('article').count()).toBe(1)
      await expect.poll(() => page.getByRole('tablist', { name: 'Open documents' }).count()).toBe(0)
      await expectShown(customer.getByRole('button', { name: 'Add Attribute' }))
    },
  )

  it('selects the node named in the address after a reload, Back and Forward', async () => {
    await expect.poll(() => new URL(page.url()).searchParams.get('org')).toBe('ACME')
    await page.reload()
    await expectShown(entityDocument(page, 'Customer'))
    const chosen = tree.locator('[aria-selected=true]')
    await expect.poll(() => chosen.textContent()).toMatch(/^Customer/)
    await page.goBack()
    await expectShown(manifestDocument(page, 'Parts'))
    await page.goBack()
    await expectShown(manifestDocument(page, 'Shop'))
    await expect.poll(() => chosen.textContent()).toMatch(/^Shop/)
    await page.goForward()
    await expectShown(manifestDocument(page, 'Parts'))
  })

  it('shows twenty nodes of a group and loads more on request', async () => {
    const group = await at(acme, 'Manifests', 'Many', 'Entities')
    await group.click()
    const things = tree.getByRole('treeitem', { name: /^Thing/ })
    await expect.poll(() => things.count()).toBe(20)
    await tree.getByRole('treeitem', { name: /^Load More \(20 of 23\)/ }).click()
    await expect.poll(() => things.count()).toBe(23)
  })

  it('is operable by keyboard, including its menus', async () => {
    await page.goto('/admin?org=CADMUS')
    await tabTo(page, await at('Cadmus'))
    await keys(page, 'ArrowUp', 'Enter')
    await expectShown(title('[ACME] Acme Trading'))
    await expect.poll(async () => hasFocus(await at(acme))).toBe(true)
    await keys(page, 'ArrowRight')
    await expect.poll(async () => hasFocus(await at(acme, 'Entities'))).toBe(true)
    await keys(page, 'ArrowUp')
    await expect.poll(async () => hasFocus(await at(acme))).toBe(true)
    await keys(page, 'Shift+F10')
    await expect
      .poll(() => menuLines(page))
      .toEqual(['Create Global Entity', 'Create Manifest', 'Import', 'Create Organisation'])
    await keys(page, 'Escape')
    await expect.poll(async () => hasFocus(await at(acme))).toBe(true)
  })

  it('requests a document only in the organisation that owns it', async () => {
    const organisations: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().includes('/1.0/cdm/manifest/')) organisations.push(request.headers()['x-admin-organisation'])
    })
    await page.goto('/admin?org=CADMUS')
    await expectShown(title('[CADMUS] Cadmus'))
    await (await at(acme, 'Manifests', 'Shop')).click()
    await expectShown(manifestDocument(page, 'Shop'))
    expect(new Set(organisations)).toEqual(new Set(['ACME']))
    const shop = await api.manifestNamed('Shop')
    await page.goto(`/admin?org=GLOBEX&manifest=${shop}`)
    await expectShown(
      panel
        .getByRole('alert')
        .or(panel.getByText('not found', { exact: false }))
        .first(),
    )
    await expect.poll(() => manifestDocument(page, 'Shop').count()).toBe(0)
  })
})

describe('The overview of an organisation', () => {
  it(
    'shows the current counts and their daily history as a chart and as a table',
    holds('M2.266', 'M3.51', 'E2.43'),
    async () => {
      await page.goto('/admin?org=ACME')
      const answer = await page.request.get('/1.0/cdm/admin/org/ACME/summary', { headers: { 'X-Cadmus': '1' } })
      const { organisation, history } = await answer.json()
      for (const [label, total] of [
        ['Entities', organisation.totalEntities],
        ['Manifests', organisation.totalManifests],
        ['Generated Packages', organisation.totalPackages],
      ]) {
        const count = panel.getByRole('region', { name: label, exact: true })
        await expectShown(count.getByText(String(total), { exact: true }))
        await expectShown(count.getByRole('figure', { name: new RegExp(`^${label} from .* ${total} now\\.$`) }))
      }
      const properties = page.getByRole('complementary', { name: 'Properties' })
      const rows = properties.getByRole('region', { name: 'Organisation', exact: true }).getByRole('row')
      const parts = [`Id${organisation.id}`, 'CodeACME', 'NameAcme Trading', `Entities${organisation.totalEntities}`]
      await expect.poll(() => rows.allTextContents()).toEqual(expect.arrayContaining(parts))
      await panel.getByRole('button', { name: 'Table' }).click()
      const today = panel.getByRole('grid', { name: 'History' }).locator('tbody tr').first()
      const last = history.at(-1)
      await expect
        .poll(() => today.getByRole('gridcell').allTextContents())
        .toEqual([last.date, String(last.entities), String(last.manifests), String(last.packages)])
    },
  )
})

describe('An organisation in a small window', () => {
  it('shows its tabs in one line and member names uncut', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.goto('/admin?org=ACME&tab=members')
    const tabs = page.getByRole('tablist', { name: 'Organisation' }).getByRole('tab')
    await expectShown(panel.getByRole('grid', { name: 'Members' }).getByRole('gridcell').first())
    const tops = () => tabs.evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
    await expect.poll(async () => [(await tops()).length, new Set(await tops()).size]).toEqual([5, 1])
    const name = panel.getByRole('grid', { name: 'Members' }).getByRole('gridcell', { name: 'Ada Admin', exact: true })
    await expect.poll(() => name.evaluate(cell => cell.scrollWidth - cell.clientWidth)).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('The predefined structure', () => {
  it(
    'Refresh Structure requires confirmation, reloads the library and reports success',
    holds('M2.275', 'M1.23', 'M4.11', 'M8.54'),
    async () => {
      await page.goto('/admin?org=ACME')
      const events = await at('Standard', 'Entities', 'events')
      await expand(events)
      await expect.poll(() => childrenOf(page, events)).toContain('EventVenue')
      await expect.poll(() => childrenOf(page, events)).not.toContain('Festival')
      library.add('events', 'EventVenue', 'Festival')
      // By keyboard; the next test uses the mouse.
      const standard = await at('Standard')
      await tabTo(page, standard, 'ArrowUp')
      await keys(page, 'Shift+F10')
      await expectShown(page.getByRole('menu'))
      await tabTo(page, page.getByRole('menuitem', { name: 'Refresh Structure' }), 'ArrowDown')
      await keys(page, 'Enter')
      const open = dialog(page, 'Refresh Structure')
      await expectShown(open)
      expect(await violations(page)).toEqual([])
      const generated = page.waitForRequest(/\/1\.0\/cdm\/admin\/navigator\/generate$/)
      await tabTo(page, open.getByRole('button', { name: 'Refresh' }))
      await keys(page, 'Enter')
      expect((await generated).method()).toBe('POST')
      await snackbar(page, 'Successfully refreshed core structure').waitFor({ timeout: 120_000 })
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => childrenOf(page, events)).toContain('Festival')
    },
  )

  it('a failed refresh shows the reason and leaves the dialog open', holds('M8.20'), async () => {
    await page.route('**/admin/navigator/generate', route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await menu(page, await at('Standard'), 'Refresh Structure')
    const open = dialog(page, 'Refresh Structure')
    await press(open, 'Refresh')
    await expectShown(snackbar(page, 'Failed to refresh core structure: It broke.'))
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('A failed request for the organisations', () => {
  it('shows Retry in the tree, which loads them again', holds('M2.304'), async () => {
    await page.route('**/admin/org?*', route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await page.goto('/admin')
    const failed = tree.getByRole('treeitem', { name: /It broke\./ })
    await expectShown(failed)
    await expectShown(failed.getByText('Retry'))
    await page.unrouteAll({ behavior: 'wait' })
    await failed.click()
    await expectShown(await at(acme))
  })
})

describe('The administration', () => {
  it('is refused to users who are not administrators', holds('M2.3', 'M2.4', 'M6.2', 'E6.4'), async () => {
    const other = await openPage(journey.browser, journey.console.url)
    await signIn(other.page, 'designer')
    await other.page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(other.page.getByRole('menuitem', { name: 'Logout' }))
    await expect.poll(() => other.page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
    const adminRequests: string[] = []
    other.page.on('request', request => void (request.url().includes('/admin/') && adminRequests.push(request.url())))
    await other.page.goto('/admin?org=ACME')
    await expectShown(other.page.getByText('Only administrators can open this page.', { exact: true }))
    expect(adminRequests).toEqual([])
    await expect.poll(() => other.page.getByRole('treeitem').count()).toBe(0)
    const headers = { 'X-Cadmus': '1' }
    for (const path of ['org', 'org/ACME/summary']) {
      const refused = await other.page.request.get(`/1.0/cdm/admin/${path}`, { headers })
      expect([refused.status(), await refused.json()]).toMatchObject([403, { code: 'forbidden' }])
      expect((await page.request.get(`/1.0/cdm/admin/${path}`, { headers })).status()).toBe(200)
    }
    await other.context.close()
  })

  it('has no accessibility violations', async () => {
    await page.goto('/admin')
    await (await at(acme)).click()
    await expectShown(title('[ACME] Acme Trading'))
    await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
    await expectShown(entityDocument(page, 'Customer'))
    await expectAccessible(page, 'admin-entity')
  })
})
