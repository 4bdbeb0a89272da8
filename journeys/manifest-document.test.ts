import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import {
  columnHeaders,
  pickerOptions,
  openManifest,
  record,
  refuse,
  returnToPage,
  send,
  openEntity,
  tool,
  toolDialog,
} from './driver/document.ts'
import { entityDocument, manifestDocument, names, property, row, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { leaveDialog } from './driver/leave-dialog.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import {
  dialog,
  dismissMessages,
  expectShown,
  find,
  holdMessages,
  pick,
  press,
  question,
  restingBox,
  snackbar,
} from './driver/widgets.ts'

// Tall enough for the source and the target of a drag to be visible.
const { page } = await startJourney({ height: 1800 })
const api = apiOf(page)
const yard = await api.createManifest('Yard')
await api.createEntity({ name: 'Shed' }, yard)
await api.createManifest('Annex')
const depot = await api.createManifest('Depot')
const crate = await api.createEntity({ name: 'Crate' }, depot)
const harbour = await api.createManifest('Harbour')

/** Reads a number from the information table. */
const count = (label: string) =>
  page
    .getByRole('table', { name: 'Information' })
    .getByRole('row')
    .filter({ hasText: label })
    .getByRole('cell')
    .textContent()

describe('Manifest document', () => {
  it(
    'a sub-manifest can be selected and is counted, and core manifests are offered on request',
    holds('M2.75', 'M2.78', 'M2.80', 'M2.87', 'M2.88', 'M2.89', 'M8.57'),
    async () => {
      const document = await openManifest(page, yard, 'Yard')
      await expectShown(document.getByRole('heading', { name: 'Yard', exact: true }))
      await expect.poll(() => count('Sub-Manifests')).toBe('0')
      const open = await toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest')
      const listOffers = async () => {
        const result = await pickerOptions(page, open, 'Manifest')
        await keys(page, 'Escape')
        return result.join(' ')
      }
      await expect.poll(listOffers).toMatch(/^(?!.*parties).*Annex.*Shop/)
      await open.getByRole('checkbox', { name: 'Show Core Manifests' }).click()
      await expect.poll(listOffers).toContain('parties')
      await find(page, open, 'Manifest', 'Annex')
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully added sub-manifest to manifest.'))
      await expect.poll(() => count('Sub-Manifests')).toBe('1')
      const group = await nodeAt(page, 'Custom', 'Manifests', 'Yard', 'Sub-Manifests')
      await expand(group)
      await expect.poll(() => childrenOf(page, group)).toEqual(['Annex'])
    },
  )

  it(
    'versions can be added, shown and deleted, and the name is not editable in the property sheet',
    holds('M2.76', 'M2.84', 'M2.85', 'M2.86', 'M2.101', 'M2.103'),
    async () => {
      await openManifest(page, yard, 'Yard')
      const name = property(page, 'Manifest', 'Name')
      await expectShown(name.getByText('Yard', { exact: true }))
      await expect.poll(() => name.getByRole('textbox').or(name.getByRole('combobox')).count()).toBe(0)
      const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      const expectUndeletable = async (version: string) => {
        await row(page, 'Versions', version).click({ button: 'right' })
        const line = page.getByRole('menuitem', { name: /The latest version cannot be deleted\./ })
        await expectShown(line)
        await expect.poll(() => line.getAttribute('aria-disabled')).toBe('true')
        await keys(page, 'Escape')
      }
      await expectUndeletable('1.0.0')
      for (const version of ['1.5.0', '2.0.0']) {
        await open.getByLabel('Manifest Version').fill(version)
        await press(open, 'Add')
        await expectShown(row(page, 'Versions', version))
      }
      await expect.poll(() => columnHeaders(page, 'Versions')).toEqual(['Version', 'Entities', 'Sub-Manifests'])
      await row(page, 'Versions', '1.5.0').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await expect.poll(() => names(page, 'Versions')).toEqual(['2.0.0', '1.0.0'])
      await expectUndeletable('2.0.0')
      await press(open, 'Cancel')
      await api.createEntity({ name: 'Barn' }, yard)
      await returnToPage(page)
      await expect.poll(() => count('Entities')).toBe('2')
      await pick(page, property(page, 'Manifest', 'Version'), 'Version', '1.0.0')
      await expect.poll(() => count('Entities')).toBe('1')
      await (await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties')).dblclick()
      await expectShown(manifestDocument(page, 'parties'))
      const version = property(page, 'Manifest', 'Version')
      await expectShown(version)
      await expect.poll(() => version.getByRole('textbox').or(version.getByRole('combobox')).count()).toBe(0)
    },
  )
})

describe('Add Entity', () => {
  it(
    'existing entities can be searched, filtered and added once each, new names too; Close changes nothing, Finish adds all',
    holds(
      'E2.137',
      'E2.138',
      'E2.139',
      'E4.48',
      'M2.74',
      'M2.79',
      'M2.90',
      'M2.91',
      'M2.92',
      'M2.93',
      'M2.94',
      'M2.95',
      'M2.96',
      'M2.98',
      'M2.99',
      'M2.100',
      'M4.12',
      'M8.55',
      'M8.56',
    ),
    async () => {
      await openManifest(page, yard, 'Yard')
      await expect.poll(() => count('Entities')).toBe('2')
      const open = await toolDialog(page, 'Manage Entity', 'Add Entity')
      const tabs = open.getByRole('tab')
      await expect.poll(() => tabs.allTextContents()).toEqual(['Choose Existing Entity', 'Create Custom Entity'])
      await expect.poll(() => tabs.first().getAttribute('aria-selected')).toBe('true')
      await expectShown(open.getByText('No Entities to display', { exact: true }))
      const listOffers = async (search: string) => {
        const result = await pickerOptions(page, open, 'Entity', search)
        await keys(page, 'Escape')
        return result.join(' ')
      }
      expect(await listOffers('Party')).not.toContain('Party')
      await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
      expect(await listOffers('Party')).toContain('Party')
      await open.getByText('Advance Filters', { exact: true }).click()
      await open.getByLabel('By Path').fill('people')
      await expect.poll(() => listOffers('')).toMatch(/^(?!.*Party).*Skill/)
      await open.getByLabel('By Path').fill('')
      await find(page, open, 'By Folder', 'predefined/parties')
      expect(await listOffers('Skill')).not.toContain('Skill')
      await find(page, open, 'Entity', 'Party')
      await press(open, 'Add')
      await expect.poll(() => columnHeaders(page, 'Entities')).toEqual(['Name', 'Path'])
      const cells = open.getByRole('row').last().getByRole('gridcell')
      await expect
        .poll(async () => (await cells.allTextContents()).slice(-2))
        .toEqual(['Party', 'predefined/parties/Party'])
      await find(page, open, 'Entity', 'Party')
      const add = open.getByRole('button', { name: 'Add' })
      await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
      await add.click({ force: true })
      await expect.poll(() => names(page, 'Entities')).toEqual(['Party'])
      await tabs.last().click()
      const field = open.getByRole('textbox', { name: 'Name' })
      await field.fill('Fence')
      await field.press('Enter')
      await expect.poll(() => names(page, 'Entities')).toEqual(['Party', 'Fence'])
      await field.fill('fence')
      await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
      await press(open, 'Close')
      expect((await api.members(yard)).entity.map(item => item.name)).toEqual(['Shed', 'Barn'])

      await toolDialog(page, 'Manage Entity', 'Add Entity')
      await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
      // The selected entity and the typed name count without Add, whichever tab is open.
      await find(page, open, 'Entity', 'Party')
      await tabs.last().click()
      await field.fill('Fence')
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully added entity to manifest.'))
      await expectShown(snackbar(page, 'Successfully created custom entity to manifest.'))
      await expect.poll(() => count('Entities')).toBe('4')
      const members = (await api.members(yard)).entity.map(item => item.name)
      expect(members.toSorted()).toEqual(['Barn', 'Fence', 'Party', 'Shed'])
    },
  )
})

describe('Delete Manifest', () => {
  it(
    "the confirmation names up to five referring manifests, then 'and more...'",
    holds('M2.77', 'M2.104', 'M2.105', 'M2.106'),
    async () => {
      const shared = await api.createManifest('Shared')
      const parents = await Promise.all([1, 2, 3, 4, 5, 6].map(at => api.createManifest(`Holder${at}`)))
      for (const parent of parents.slice(0, 3)) {
        await api.addSubManifest(parent, shared)
      }
      await openManifest(page, shared, 'Shared')
      const confirmation = question(page, 'Delete Manifest')
      await tool(page, 'Delete Manifest').click()
      await expectShown(confirmation.getByText('Do you really want to delete the manifest?', { exact: true }))
      const holders = async () => ((await confirmation.textContent()) ?? '').match(/Holder\d/g)?.toSorted() ?? []
      await expect.poll(holders).toEqual(['Holder1', 'Holder2', 'Holder3'])
      await expect.poll(() => confirmation.getByText('and more...').count()).toBe(0)
      await press(confirmation, 'Cancel')
      for (const parent of parents.slice(3)) {
        await api.addSubManifest(parent, shared)
      }
      await tool(page, 'Delete Manifest').click()
      await expectShown(confirmation.getByText('and more...', { exact: true }))
      await expect.poll(() => holders()).toHaveLength(5)
      await press(confirmation, 'Cancel')
      await expectShown(manifestDocument(page, 'Shared'))
    },
  )
})

describe('Dropping on a manifest in the tree', () => {
  const target = () => nodeAt(page, 'Custom', 'Manifests', 'Yard')

  it(
    'a dropped entity is added as exclusive and appears in the tree',
    holds('E2.9', 'E2.25', 'E4.50', 'E4.51'),
    async () => {
      const group = ['Custom', 'Manifests', 'Yard', 'Entities']
      await expand(await nodeAt(page, ...group))
      const calls = record(page)
      await (await nodeAt(page, 'Standard', 'Entities', 'parties', 'Organisation')).dragTo(await target())
      await expectShown(snackbar(page, 'Entity added to manifest successfully'))
      const posted = calls.find(call => call.method === 'POST' && call.url.includes('/entities'))
      expect(JSON.parse(posted?.body ?? '{}')).toMatchObject({ type: 'exclusive' })
      const copy = (await api.members(yard)).entity.find(item => item.name === 'Organisation')
      expect(copy?.location).toContain('user-defined/Yard')
      await expectShown(await nodeAt(page, ...group, 'Organisation'))
    },
  )

  it('an entity dragged from the list of a manifest is added to another and refused on its own', async () => {
    const jetty = await api.createManifest('Jetty')
    await openManifest(page, yard, 'Yard')
    const calls = record(page)
    const entity = row(page, 'Entities', 'Organisation')
    await entity.dragTo(await target())
    await expectShown(snackbar(page, 'The entity is already in Yard.'))
    expect(calls.filter(call => call.method !== 'GET')).toEqual([])
    await entity.dragTo(await nodeAt(page, 'Custom', 'Manifests', 'Jetty'))
    await expectShown(snackbar(page, 'Entity added to manifest successfully'))
    await holdMessages(page)
    const members = async () => (await api.members(jetty)).entity.map(item => item.name)
    expect(await members()).toEqual(['Organisation'])
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(members).toEqual([])
    await dismissMessages(page)
  })

  it("a failure without a reason shows 'Failed to add entity to manifest'", holds('E4.52'), async () => {
    await refuse(page, 'POST', /\/manifest\/\d+\/entities/)
    await (await nodeAt(page, 'Standard', 'Entities', 'parties', 'Person')).dragTo(await target())
    await expectShown(snackbar(page, 'Failed to add entity to manifest'))
  })

  it("a dropped text or file shows 'Failed to process dropped entity.'", holds('E4.53'), async () => {
    await openManifest(page, yard, 'Yard')
    const calls = record(page)
    const heading = manifestDocument(page, 'Yard').getByRole('heading', { name: 'Yard', exact: true })
    await heading.dblclick({ position: { x: 12, y: 10 } })
    const [from, to] = [await restingBox(heading), await restingBox(await target())]
    await page.mouse.move(from.x + 12, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 90, to.y + 10, { steps: 12 })
    await page.mouse.move(to.x + 92, to.y + 12, { steps: 4 })
    await page.mouse.up()
    await expectShown(snackbar(page, 'Failed to process dropped entity.'))
    await dismissMessages(page)
    await expect.poll(() => snackbar(page, 'Failed to process dropped entity.').count()).toBe(0)

    const file = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['{}'], 'entity.json', { type: 'application/json' }))
      return data
    })
    for (const type of ['dragenter', 'dragover', 'drop'] as const)
      await manifestDocument(page, 'Yard').dispatchEvent(type, { dataTransfer: file })
    await expectShown(snackbar(page, 'Failed to process dropped entity.'))
    await dismissMessages(page)
    expect(calls.filter(call => call.method !== 'GET')).toEqual([])
    await expect.poll(() => dialog(page, 'Import').count()).toBe(0)
  })
})

const field = (within: Locator) => within.getByRole('textbox', { name: 'Name' })
const renaming = () => dialog(page, 'Rename Manifest')
const node = (name: string) => nodeAt(page, 'Custom', 'Manifests', name)

describe('Renaming a manifest', () => {
  it('the dialog rejects an existing name, a new one is shown everywhere at once, and Undo reverts it', async () => {
    await openEntity(page, crate)
    await openManifest(page, depot, 'Depot')
    await menu(page, await node('Depot'), 'Rename')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Depot')
    await field(renaming()).fill('harbour')
    await press(renaming(), 'Rename')
    await expectShown(renaming().getByText('A manifest with the name "harbour" already exists.'))
    await field(renaming()).fill('a__b')
    await expectShown(renaming().getByText(/^this must contain only alphanumeric characters/))
    await expect.poll(() => renaming().getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
    await field(renaming()).fill('Warehouse')
    await press(renaming(), 'Rename')

    await expectShown(manifestDocument(page, 'Warehouse'))
    await expectShown(tab(page, 'Warehouse'))
    await expectShown(await node('Warehouse'))
    await expect.poll(() => page.title()).toContain('Warehouse')
    await expect.poll(() => property(page, 'Manifest', 'Name').textContent()).toContain('Warehouse')
    await expect.poll(() => property(page, 'Manifest', 'Path').textContent()).toContain('user-defined/Warehouse')
    await expectShown(manifestDocument(page, 'Warehouse').getByText('user-defined/Warehouse/Crate'))
    await tab(page, 'Crate').click()
    await expectShown(entityDocument(page, 'Crate').getByText('Warehouse').first())

    await menu(page, await node('Warehouse'), 'Rename')
    await field(renaming()).fill('Depot')
    await press(renaming(), 'Rename')
    const message = page.locator('[data-snackbar]').filter({ hasText: 'Renamed Warehouse to Depot.' })
    await message.getByRole('button', { name: 'Undo' }).click()
    await expectShown(tab(page, 'Warehouse'))
  })

  it('F2 renames by keyboard and preserves the focus; Escape requires confirmation and changes nothing', async () => {
    const row = await node('Warehouse')
    await row.focus()
    await keys(page, 'F2')
    await expect.poll(() => hasFocus(field(renaming()))).toBe(true)
    await page.keyboard.type('Cellar')
    await keys(page, 'Escape')
    await press(leaveDialog(page), 'Leave')
    await expect.poll(() => renaming().count()).toBe(0)
    await expect.poll(() => hasFocus(row)).toBe(true)
    await keys(page, 'F2')
    // Keys typed before the dialog opens replace the name.
    await page.keyboard.type('Zeughaus')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Zeughaus')
    await keys(page, 'Enter')
    const renamed = await node('Zeughaus')
    await expect.poll(() => hasFocus(renamed)).toBe(true)
    await expect.poll(() => renamed.getAttribute('data-row-id')).toBe(`custom>manifests>manifest:${depot}`)
    await keys(page, 'F2')
    await page.keyboard.type('Depot')
    await keys(page, 'Enter')
    await expectShown(await node('Depot'))
  })

  it('toolbar, F2 in the document and palette open the dialog, and the property sheet is not editable', async () => {
    await openManifest(page, depot, 'Depot')
    await expect.poll(() => property(page, 'Manifest', 'Name').getByRole('textbox').count()).toBe(0)
    await tool(page, 'Rename').click()
    await press(renaming(), 'Cancel')
    await manifestDocument(page, 'Depot').getByRole('heading', { name: 'Depot' }).click()
    await keys(page, 'F2')
    await press(renaming(), 'Cancel')
    await keys(page, 'Control+k')
    await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
    await page.keyboard.type('rename manifest')
    await expectShown(page.locator('[role=option][data-highlighted]').filter({ hasText: 'Rename' }))
    await keys(page, 'Enter')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Depot')
    await keys(page, 'Escape')
    await renaming().waitFor({ state: 'detached' })
    // F2 on a row of the lists applies to the object of that row, not to this manifest.
    const crateRow = manifestDocument(page, 'Depot').getByRole('row').filter({ hasText: 'Crate' }).first()
    await crateRow.focus()
    await keys(page, 'F2')
    await expect.poll(() => hasFocus(crateRow)).toBe(true)
    await expect.poll(() => renaming().count()).toBe(0)
  })

  it('chosen rows are removed after one question, and one Undo brings back all', async () => {
    const shelf = await api.createManifest('Shelf')
    for (const name of ['Left', 'Right', 'Board']) await api.createEntity({ name }, shelf)
    const entities = (await openManifest(page, shelf, 'Shelf')).getByRole('grid', { name: 'Entities' })
    await entities.getByRole('row', { name: /Left/ }).focus()
    await keys(page, 'Control+a', 'Delete')
    await press(question(page, 'Delete 3 Entities'), 'Delete')
    await expectShown(page.getByText('No Entities to display'))
    await expectShown(snackbar(page, 'Removed 3 entities from Shelf.'))
    await press(page.getByRole('region', { name: 'Messages' }), 'Undo')
    await expect.poll(() => entities.getByRole('row').count()).toBe(4)
    await expect.poll(async () => (await api.members(shelf)).entity.length).toBe(3)
  })

  it('a concurrent rename by another user is shown and can then be replaced', async () => {
    await openManifest(page, depot, 'Depot')
    await (await node('Depot')).focus()
    await keys(page, 'F2')
    await expect.poll(() => hasFocus(field(renaming()))).toBe(true)
    await send(page, 'PUT', `/1.0/cdm/manifest/${depot}`, { manifestName: 'Elsewhere' })
    await field(renaming()).fill('Here')
    await keys(page, 'Enter')
    await expectShown(renaming().getByText('Dan Designer has renamed it to "Elsewhere".'))
    await keys(page, 'Enter')
    await expectShown(manifestDocument(page, 'Here'))
  })

  it('a rename by another user before the dialog opened remains if the name is not changed', async () => {
    const row = await node('Harbour')
    await row.focus()
    await send(page, 'PUT', `/1.0/cdm/manifest/${harbour}`, { manifestName: 'Quay' })
    await keys(page, 'F2')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Quay')
    await keys(page, 'Enter')
    await expect.poll(() => renaming().count()).toBe(0)
    const answer = await page.request.get(`/1.0/cdm/manifest/${harbour}`, {
      headers: { 'X-Organisation-Code': 'ACME' },
    })
    expect(await answer.text()).toContain('"name":"Quay"')
  })

  it('a predefined manifest has no Rename, and F2 shows the reason', async () => {
    const core = await nodeAt(page, 'Standard', 'Manifests', 'library')
    await core.click({ button: 'right' })
    await expect.poll(() => menuLines(page)).not.toContain('Rename')
    await keys(page, 'Escape')
    await core.focus()
    await keys(page, 'F2')
    await expectShown(snackbar(page, 'The name cannot be changed here.'))
  })
})
