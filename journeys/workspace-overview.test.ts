import { holds } from '@cadmus/testing/holds'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { enter } from './driver/sign-in.ts'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { pickerOptions, openEntity, openManifest, send, toolDialog } from './driver/document.ts'
import { entityDocument, manifestDocument, property, row, tab } from './driver/entity.ts'
import { openProfileMenu } from './driver/session.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const treeOf = (of: Page) => of.getByRole('tree', { name: 'Project Navigator' })
// Tall enough to show the whole tree.
const journey = await startJourney({ height: 1800 })
const { page } = journey
const api = apiOf(page)
const yard = await api.createManifest('Yard')
await api.addSubManifest(yard, await api.createManifest('Annex'))
const shed = await api.createEntity({ name: 'Shed', typeAttributes: [{ name: 'colour' }] }, yard)
await api.relate(shed.id, await api.createEntity({ name: 'Owner' }, yard), 'ownerId')
await api.createEntity({ name: 'Fence' }, yard)
const admin = await openPage(journey.browser, journey.console.url)
await enter(admin.page, 'admin')
await press(admin.page.getByRole('list', { name: 'Organisations' }), 'Select Acme Trading')
await expectShown(treeOf(admin.page))
const globex = apiOf(admin.page, 'GLOBEX', 'X-Admin-Organisation')
await globex.createEntity({ name: 'ForeignEntity' }, await globex.createManifest('Foreign'))
await globex.createEntity({ name: 'ForeignThing' })
await page.reload()

const panel = page.getByRole('complementary', { name: 'Properties' })
const groups = (of: Page) => of.getByRole('complementary', { name: 'Properties' }).getByRole('region')
/** Waits until the children of a node have these names. */
async function expectBelow(path: readonly string[], names: unknown): Promise<void> {
  const childNames = async () => {
    const node = await nodeAt(page, ...path)
    await expand(node)
    return childrenOf(page, node)
  }
  await expect.poll(childNames).toEqual(names)
}

describe('The workspace', () => {
  it(
    'is shown at / after sign-in, with toolbar, navigator, tabs and properties',
    holds('E1.1', 'E2.1', 'M2.1', 'M2.45', 'M2.46'),
    async () => {
      const visitor = await openPage(journey.browser, journey.console.url)
      await visitor.page.goto('/')
      await expectShown(visitor.page.getByRole('heading', { name: 'Sign in to Cadmus' }))
      await visitor.context.close()
      await page.goto('/')
      await expectShown(page.getByRole('toolbar', { name: 'Main' }))
      await expectShown(page.getByRole('navigation', { name: 'Navigator' }))
      await expectShown(treeOf(page))
      const visited = new Set<string>()
      page.on('framenavigated', frame => visited.add(new URL(frame.url()).pathname))
      await (await nodeAt(page, 'Custom', 'Manifests', 'Yard')).dblclick()
      await expectShown(manifestDocument(page, 'Yard'))
      await expectShown(panel)
      await (await nodeAt(page, 'Custom', 'Manifests', 'Yard', 'Entities', 'Shed')).dblclick()
      await expectShown(entityDocument(page, 'Shed'))
      const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
      await expect
        .poll(() => tabs.evaluateAll(all => all.map(one => one.querySelector('span')?.textContent)))
        .toEqual(['Yard', 'Shed'])
      await expect.poll(() => tab(page, 'Shed').getAttribute('aria-selected')).toBe('true')
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      await expectShown(row(page, 'Relationships', 'ownerId'))
      await expectShown(property(page, 'Entity', 'Path').getByText('user-defined/Yard/Shed'))
      await tab(page, 'Yard').click()
      await expectShown(property(page, 'Manifest', 'Path').getByText('user-defined/Yard'))
      await expect.poll(() => new URL(page.url()).pathname).toBe('/')
      expect([...visited]).toEqual(['/'])
      await saveScreenshot(page, 'workspace-overview')
    },
  )

  it(
    'lets designers and administrators create manifests, and only administrators open the administration',
    holds('E1.2', 'M1.1', 'M2.4'),
    async () => {
      for (const [of, name, isAdmin] of [
        [page, 'MadeByDesigner', false],
        [admin.page, 'MadeByAdmin', true],
      ] as const) {
        await apiOf(of).createManifest(name)
        await openProfileMenu(of)
        await expect.poll(async () => (await menuLines(of)).includes('Administration')).toBe(isAdmin)
        if (isAdmin) await of.getByRole('menuitem', { name: 'Administration', exact: true }).click()
        else await keys(of, 'Escape')
        await expect.poll(() => new URL(of.url()).pathname).toBe(isAdmin ? '/admin' : '/')
      }
      await expectShown(admin.page.getByRole('tree', { name: 'Organisations' }))
    },
  )

  it('offers versions, exports and package builds', holds('E1.5'), async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export', exact: true }).hover()
    for (const name of ['Martini-style package', 'Database Schema', 'CDM Schema', 'Data Model'])
      await expectShown(page.getByRole('menuitem', { name, exact: true }))
    for (const _ of ['submenu', 'menu']) await keys(page, 'Escape')
    await expectShown(page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Build Package' }))
  })

  it('opens the manifest wizard at /?manifestWizard=open', holds('M2.18'), async () => {
    await page.goto('/?manifestWizard=open')
    const wizard = dialog(page, 'Create Manifest')
    await expectShown(wizard.getByText('Step 1 of 2: Name'))
    await expectShown(wizard.getByLabel('Name'))
    await press(wizard, 'Cancel')
    await wizard.waitFor({ state: 'detached' })
  })
})

describe('The navigator', () => {
  it('groups entities and sub-manifests below their manifest', holds('E1.4', 'M1.4'), async () => {
    await page.goto('/')
    await expectBelow(['Custom', 'Manifests', 'Shop'], ['Entities', 'Sub-Manifests'])
    await expectBelow(['Custom', 'Manifests', 'Shop', 'Entities'], expect.arrayContaining(['Customer', 'SalesOrder']))
    await expectBelow(['Custom', 'Manifests', 'Shop', 'Sub-Manifests'], ['Catalogue'])
    await expectBelow(['Custom', 'Manifests', 'Shop', 'Sub-Manifests', 'Catalogue'], ['Entities', 'Sub-Manifests'])
  })

  it(
    "shows predefined content under Standard and only the organisation's own content under Custom",
    holds('E1.6', 'E1.8', 'E1.9'),
    async () => {
      const roots = treeOf(page).locator('[aria-level="1"]')
      await expect.poll(() => roots.allTextContents()).toEqual(['Standard', 'Custom'])
      await expectBelow(['Standard', 'Entities'], expect.arrayContaining(['parties', 'products', 'sales']))
      await expectBelow(['Standard', 'Entities', 'parties'], expect.arrayContaining(['Account', 'Contact']))
      await expectBelow(['Standard', 'Manifests'], expect.not.arrayContaining(['Yard']))
      await expectBelow(['Standard', 'Entities'], expect.not.arrayContaining(['Shed']))
      const manifests = ['Annex', 'Catalogue', 'MadeByAdmin', 'MadeByDesigner', 'Shop', 'Yard']
      await expectBelow(['Custom', 'Manifests'], manifests)
      await expectBelow(['Custom', 'Manifests', 'Yard', 'Entities'], ['Shed', 'Owner', 'Fence'])
      await page.getByRole('textbox', { name: 'Search', exact: true }).fill('Foreign')
      for (const group of ['entities', 'manifests'])
        await expectShown(
          page.locator(`[data-row-id="custom>${group}>note"]`).getByText('Nothing found', { exact: true }),
        )
      await expect
        .poll(() =>
          treeOf(page)
            .getByRole('treeitem', { name: /^Foreign/ })
            .count(),
        )
        .toBe(0)
      await page.getByRole('textbox', { name: 'Search', exact: true }).fill('')
    },
  )

  it(
    'shows only predefined content in the CDM Library and all content in the Project Navigator',
    holds('M2.38', 'M2.39'),
    async () => {
      await page.getByRole('button', { name: 'CDM Library' }).click()
      const tree = page.getByRole('tree', { name: 'CDM Library' })
      await expand(tree.getByRole('treeitem', { name: /^parties/ }).first())
      for (const name of ['Account', 'Contact']) await expectShown(tree.getByRole('treeitem', { name, exact: true }))
      await expect.poll(() => tree.getByRole('treeitem', { name: /^(Custom|Yard|Shop)$/ }).count()).toBe(0)
      await expect.poll(() => treeOf(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Project Navigator' }).click()
      await expectShown(treeOf(page))
      await expect.poll(() => tree.count()).toBe(0)
      for (const name of ['Yard', 'Shop']) await expectShown(await nodeAt(page, 'Custom', 'Manifests', name))
    },
  )

  it.each([
    ['Add Entity', 'Add Entity', ['Yard', 'Create Custom Entity'], 'Entities'],
    ['Add Sub-Manifest', 'Add Sub-Manifest', ['Yard', 'Show Core Manifests'], 'Sub-Manifests'],
    ['Export > Database Schema', 'Export Database Schema', ['Yard'], null],
    ['Import Entity', 'Import', ['One entity from a .json file.'], 'Entities'],
  ] as const)(
    'opens the dialog of the menu entry %s for the manifest',
    holds('E2.10', 'E2.11', 'E2.16', 'M2.57', 'M2.58', 'M2.60', 'M2.63'),
    async (entry, title, parts, group) => {
      for (const below of entry === 'Add Entity' && group ? [[], [group]] : [[]]) {
        const open = await openFromMenu(entry, title, ...below)
        for (const part of parts) await expectShown(open.getByText(part, { exact: true }).first())
        await keys(page, 'Escape')
        await open.waitFor({ state: 'detached' })
      }
    },
  )

  it('opens the manifest picker for Add to Manifest of an entity', holds('E2.21', 'M2.68'), async () => {
    await menu(page, await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account'), 'Add to Manifest')
    const open = dialog(page, 'Add Entity To Manifest')
    await expectShown(open.getByRole('combobox', { name: 'Select a manifest to add the entity', exact: true }))
    const offered = await pickerOptions(page, open, 'Select a manifest to add the entity')
    expect(offered.join(' ')).toMatch(/Annex.*Shop/)
    await keys(page, 'Escape')
    await press(open, 'Close')
    await open.waitFor({ state: 'detached' })
  })
})

describe('A custom entity', () => {
  it('has attributes, relationships, versions, and scopes for five operations', holds('E1.3', 'E1.15'), async () => {
    const document = await openEntity(page, shed)
    await document.getByRole('tab', { name: /^Type Attributes/ }).click()
    await expectShown(row(page, 'Type attributes', 'colour'))
    await document.getByRole('tab', { name: /^Relationships/ }).click()
    await expectShown(row(page, 'Relationships', 'ownerId'))
    await press(await toolDialog(page, 'Manage Versions', 'Manage Versions'), 'Cancel')
    for (const label of ['Select Scopes', 'Select All Scopes', 'Delete Scopes', 'Insert Scopes', 'Update Scopes'])
      await expect.poll(() => property(page, 'Entity', label).getByRole('combobox').isEnabled()).toBe(true)
    expect((await api.entityOf(shed.id)).operationScopes).toEqual({
      selectOperationScopes: [],
      selectAllOperationScopes: [],
      deleteOperationScopes: [],
      insertOperationScopes: [],
      updateOperationScopes: [],
    })
  })
})

describe('The properties panel', () => {
  it('shows a group for each kind of selected object', holds('E2.46', 'E2.47', 'M2.56'), async () => {
    const titles = (of: Page) => groups(of).getByRole('heading').allTextContents()
    await openManifest(page, yard, 'Yard')
    await expect.poll(() => titles(page)).toEqual(['Manifest'])
    await openEntity(page, shed)
    await expect.poll(() => titles(page)).toEqual(['Entity'])
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await row(page, 'Type attributes', 'colour').click()
    await expect.poll(() => titles(page)).toContain('Type Attribute')
    await expect.poll(() => property(page, 'Type Attribute', 'Name').getByRole('textbox').inputValue()).toBe('colour')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'ownerId').click()
    await expect.poll(() => titles(page)).toContain('Entity Attribute')
    const key = property(page, 'Entity Attribute', 'Foreign Key Type Attribute')
    await expect.poll(() => key.getByRole('textbox').inputValue()).toBe('ownerId')
    await admin.page.goto('/admin?org=ACME')
    await expect.poll(() => titles(admin.page)).toEqual(['Organisation'])
  })
})

describe('Manage Versions of a manifest', () => {
  it('lists each version with its numbers of entities and sub-manifests', holds('M2.102'), async () => {
    await send(page, 'POST', `/1.0/cdm/manifest/${yard}/version?version=1.1.0`)
    await api.createEntity({ name: 'Gate' }, yard)
    await openManifest(page, yard, 'Yard')
    const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    const columnHeaders = open.getByRole('columnheader')
    await expect.poll(() => columnHeaders.allTextContents()).toEqual(['Version', 'Entities', 'Sub-Manifests'])
    const rows = open.locator('tbody tr[data-row-id]')
    await expect
      .poll(async () => Promise.all((await rows.all()).map(one => one.getByRole('gridcell').allTextContents())))
      .toEqual([
        ['1.1.0', '4', '1'],
        ['1.0.0', '3', '1'],
      ])
    await press(open, 'Cancel')
  })
})

it('a prefetched manifest list is discarded if the session request has to be retried', async () => {
  const lists: string[] = []
  page.on('request', request => {
    if (/\/1\.0\/cdm\/manifest\?/.test(request.url())) lists.push(request.url())
  })
  await page.route(/\/sso\/session/, route => route.abort())
  await page.reload()
  const retry = page.getByRole('button', { name: 'Retry' })
  await expectShown(retry)
  // The prefetch is sent before the session request fails.
  await expect.poll(() => lists.length).toBe(1)
  await api.createManifest('CameMeanwhile')
  await page.unrouteAll()
  await retry.click()
  await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'CameMeanwhile'))
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})

/** Chooses an entry in the menu of Yard and returns the opened dialog. */
async function openFromMenu(entry: string, title: string, ...below: readonly string[]) {
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard', ...below), entry)
  const open = dialog(page, title)
  await expectShown(open)
  return open
}
