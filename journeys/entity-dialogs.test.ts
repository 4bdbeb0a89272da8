import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import {
  columnHeaders,
  nextChange,
  openEntity,
  pickerOptions,
  record,
  refuse,
  searchesWhile,
  send,
  tool,
  toolDialog,
  typeInOneTask,
} from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText } from './driver/entity.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

const { page } = await startJourney()
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const depot = await api.createManifest('Depot')
const ancestor: EntityRef = await api.createEntity({ name: 'Ancestor', typeAttributes: [{ name: 'inherited' }] }, shop)
// Imports such as those of an entity read from a file.
const referenceImportPaths = ['cdm:/foundations.cdm.json', '/core/Else.cdm.json']
const body = { entity: { name: 'Thing', typeAttributes: [{ name: 'size' }] }, referenceImportPaths }
await send(page, 'POST', '/1.0/cdm/entity', { ...body, targetManifestId: shop })
const thing: EntityRef = { id: await api.entityNamed('Thing'), name: 'Thing' }

describe('Add Entity To Manifest', () => {
  const label = 'Select a manifest to add the entity'

  it(
    'the picker offers manifests of the organisation in pages of 20, and Close adds nothing',
    holds('E2.107', 'E2.108', 'E2.109', 'E2.110', 'E2.112', 'E7.88', 'E9.1'),
    async () => {
      await openEntity(page, thing)
      const open = await toolDialog(page, 'Add To Manifest', 'Add Entity To Manifest')
      const picked = open.getByRole('combobox', { name: label, exact: true })
      await expectShown(picked)
      await expect.poll(() => picked.textContent()).toBe('Select Manifest')
      const finish = open.getByRole('button', { name: 'Finish', exact: true })
      await expect.poll(() => finish.getAttribute('aria-disabled')).toBe('true')
      const calls = record(page)
      expect((await pickerOptions(page, open, label)).join(' ')).toMatch(/Depot.*Shop|Shop.*Depot/)
      const search = page.getByRole('combobox', { name: `Search ${label}` })
      await search.fill('parties')
      await expectShown(page.getByText('Nothing found'))
      await search.fill('depo')
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
      const searches = calls.filter(call => call.url.includes('/1.0/cdm/manifest?')).map(call => new URL(call.url))
      expect(searches.map(url => url.searchParams.get('search') ?? '')).toEqual(['', 'parties', 'depo'])
      expect(searches.map(url => url.searchParams.get('limit'))).toEqual(['20', '20', '20'])
      await page.getByRole('option').filter({ hasText: 'Depot' }).click()
      await expect.poll(() => picked.textContent()).toBe('Depot')
      await expect.poll(() => finish.getAttribute('aria-disabled')).toBeNull()
      await press(open, 'Close')
      await open.waitFor({ state: 'detached' })
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      expect((await api.members(depot)).entity).toEqual([])
    },
  )

  it('typing in a picker sends one search, 300 ms after the last key', holds('E9.5', 'M9.1'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Thing'), 'Add to Manifest')
    const open = dialog(page, 'Add Entity To Manifest')
    await pickerOptions(page, open, label)
    const searches = await searchesWhile(page, '/1.0/cdm/manifest', async () => {
      await typeInOneTask(page.getByRole('combobox', { name: `Search ${label}` }), 'depot')
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
    })
    expect(searches.map(call => call.search)).toEqual(['depot'])
    expect(searches[0]?.after).toBeGreaterThanOrEqual(299)
    await keys(page, 'Escape')
    await press(open, 'Close')
  })

  it(
    'a failure is shown below the picker and the dialog can be submitted again',
    holds('E8.2', 'E8.6', 'E8.7', 'E2.110', 'E7.87', 'E8.15', 'E4.33', 'M7.103'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Thing')).dblclick()
      await expectShown(entityDocument(page, 'Thing'))
      await expectShown(page.getByRole('treeitem', { name: /^Thing/, selected: true }))
      const open = await toolDialog(page, 'Add To Manifest', 'Add Entity To Manifest')
      await find(page, open, label, 'Shop')
      await refuse(page, 'POST', /\/manifest\/\d+\/entities/)
      await press(open, 'Finish')
      await expectShown(open.getByRole('alert').getByText('Failed to add entity to manifest', { exact: true }))
      await expect
        .poll(async () => {
          const field = await open.getByRole('combobox', { name: label }).boundingBox()
          const error = await open.getByRole('alert').boundingBox()
          return field !== null && error !== null && error.y >= field.y + field.height
        })
        .toBe(true)
      await page.unrouteAll()
      await refuse(page, 'POST', /\/manifest\/\d+\/entities/, 'Shop is full.')
      await press(open, 'Finish')
      await expectShown(open.getByRole('alert').getByText('Shop is full.', { exact: true }))
      await page.unrouteAll()
      await find(page, open, label, 'Depot')
      const sent = nextChange(page)
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully added entity to manifest.'))
      expect((await sent).url()).toMatch(/\/manifest\/\d+\/entities(?:\?|$)/)
      expect((await sent).postDataJSON()).toMatchObject({ entityIds: [thing.id], type: 'exclusive' })
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('treeitem', { selected: true }).count()).toBe(0)
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cadmus.selectedNode'))).toBeNull()
      expect((await api.members(depot)).entity.map(item => item.name)).toContain('Thing')
    },
  )
})

describe('Manage Versions', () => {
  it(
    'the dialog suggests the next version and lists existing ones in three columns',
    holds('E2.113', 'E2.114', 'E2.116', 'E2.118'),
    async () => {
      await openEntity(page, thing)
      const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      await expect.poll(() => open.getByLabel('Entity Version').inputValue()).toBe('1.0.1')
      await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('1.0.1')
      await page.keyboard.type('3.0.0')
      await expect.poll(() => open.getByLabel('Entity Version').inputValue()).toBe('3.0.0')
      await open.getByLabel('Entity Version').fill('1.0.1')
      await expect.poll(() => columnHeaders(page, 'Versions')).toEqual(['Version', 'Name', 'Description'])
      await expect.poll(() => open.locator('footer').getByRole('button').allTextContents()).toEqual(['Cancel'])
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )

  it(
    'versions can be added, older ones deleted, and failures are shown below the field',
    holds('E2.114', 'E2.115', 'E2.117', 'E6.6', 'E7.51', 'E8.4', 'E8.8', 'E8.9', 'E8.16'),
    async () => {
      const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      const field = open.getByLabel('Entity Version')
      const add = async (version: string) => {
        await field.fill(version)
        await press(open, 'Add')
      }
      const sent = nextChange(page)
      await press(open, 'Add')
      await expectShown(snackbar(page, 'Successfully created entity version.'))
      expect((await sent).postData()).toBeNull()
      await expect.poll(() => names(page, 'Versions')).toEqual(['1.0.1', '1.0.0'])
      await expect.poll(() => field.inputValue()).toBe('1.0.2')
      await field.focus()
      await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('1.0.2')
      await refuse(page, 'POST', /\/version/)
      await add('1.1.0')
      await expectShown(open.getByRole('alert').getByText('Failed to create entity version', { exact: true }))
      await page.unrouteAll()
      await refuse(page, 'POST', /\/version/, 'Too early.')
      await add('1.1.0')
      await expectShown(open.getByRole('alert').getByText('Too early.', { exact: true }))
      await expect.poll(() => field.inputValue()).toBe('1.1.0')
      await page.unrouteAll()
      await add('1.1.0')
      await expect.poll(() => names(page, 'Versions')).toEqual(['1.1.0', '1.0.1', '1.0.0'])
      await field.fill('1.1.0')
      const message = open.getByRole('alert').getByText('Version 1.1.0 already exists.', { exact: true })
      await expectShown(message)
      await expect.poll(() => field.getAttribute('aria-describedby')).toBe(await message.getAttribute('id'))
      await add('1.2.0')
      await expect.poll(() => names(page, 'Versions')).toEqual(['1.2.0', '1.1.0', '1.0.1', '1.0.0'])
      await row(page, 'Versions', '1.1.0').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await expect.poll(() => names(page, 'Versions')).toEqual(['1.2.0', '1.0.1', '1.0.0'])
      await row(page, 'Versions', '1.2.0').click({ button: 'right' })
      await expectShown(page.getByRole('menuitem', { name: /The latest version cannot be deleted\./ }))
      // Escape before the menu has the focus would close the dialog.
      const isMenuFocused = () => page.getByRole('menu').evaluate(menu => menu.contains(document.activeElement))
      await expect.poll(isMenuFocused).toBe(true)
      await keys(page, 'Escape')
      await press(open, 'Cancel')
      // Versions in another organisation require administrator rights.
      const versions = `/1.0/cdm/entity/custom/${thing.id}/version`
      const otherOrganisation = { headers: { 'X-Organisation-Code': 'ACME', 'X-Admin-Organisation': 'GLOBEX' } }
      const refused = await page.request.get(versions, otherOrganisation)
      expect([refused.status(), (await refused.json()).code]).toEqual([403, 'forbidden'])
    },
  )

  it(
    'an older version shows its own attributes in the same tab and cannot be reordered',
    holds('E3.31', 'E3.36', 'E4.16', 'E4.17', 'E2.76'),
    async () => {
      await addAttribute(page, 'newer')
      await tool(page, 'Save').click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const added = (await api.entityOf(thing.id)).typeAttributes.at(-1)
      expect(added).toMatchObject({ name: 'newer', dataType: 'string', purpose: 'hasA', nullable: false })
      const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
      const open = await tabs.count()
      await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'size'])
      await expect.poll(() => row(page, 'Type attributes', 'size').getAttribute('aria-keyshortcuts')).toBeNull()
      await expect.poll(() => tabs.count()).toBe(open)
      await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.2.0')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'size', 'newer'])
    },
  )
})

describe('Extend Entity', () => {
  it(
    'the picker offers core entities on request and filters by folder and path',
    holds('E2.119', 'E2.120', 'E2.121', 'E2.122'),
    async () => {
      await openEntity(page, thing)
      const open = await toolDialog(page, 'Extend Entity', 'Extend Entity')
      const listOffers = async (search: string) => {
        const result = await pickerOptions(page, open, 'Entity', search)
        await keys(page, 'Escape')
        return result.join(' ')
      }
      expect(await listOffers('Party')).not.toContain('Party')
      await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
      expect(await listOffers('Party')).toContain('Party')
      await open.getByText('Advance Filters', { exact: true }).click()
      await find(page, open, 'By Folder', 'predefined/parties')
      expect(await listOffers('Ances')).not.toContain('Ancestor')
      await press(open, 'Clear filters')
      await open.getByLabel('By Path').fill('user-defined/Shop')
      await expect.poll(() => listOffers('Ances')).toContain('Ancestor')
      expect(await listOffers('Party')).not.toContain('Party')
      await press(open, 'Close')
    },
  )

  it(
    'Close changes nothing, Apply shows the parent and Save stores it',
    holds('E2.69', 'E2.119', 'E2.123', 'E2.124', 'E4.28'),
    async () => {
      const document = await openEntity(page, thing)
      const calls = record(page)
      const first = await toolDialog(page, 'Extend Entity', 'Extend Entity')
      await find(page, first, 'Entity', ancestor.name)
      const picked = first.getByRole('combobox', { name: 'Entity', exact: true })
      await expect.poll(() => picked.textContent()).toMatch(/^Ancestor/)
      await press(first, 'Close')
      await expect.poll(() => document.getByText(`extends ${ancestor.name}`).count()).toBe(0)
      const second = await toolDialog(page, 'Extend Entity', 'Extend Entity')
      await find(page, second, 'Entity', ancestor.name)
      const inherited = page.getByRole('tab', { name: 'Extended Attributes', exact: true })
      await expect.poll(() => inherited.count()).toBe(0)
      await press(second, 'Apply')
      await expectShown(inherited)
      await expectShown(document.getByText(`extends ${ancestor.name}`, { exact: true }))
      await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBeNull()
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      await tool(page, 'Save').click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const saved = JSON.parse(calls.find(call => call.method === 'POST')?.body ?? '')
      // The inherited primary key replaces the entity's own.
      expect(saved.edits).toMatchObject([
        { kind: 'changeEntity', change: { extendsEntity: { id: ancestor.id } } },
        { kind: 'removeAttributes', uids: [expect.any(String)] },
      ])
    },
  )
})

describe('New Type Attribute', () => {
  it(
    'Finish adds an attribute of one of seven types, Cancel adds none',
    holds('E2.125', 'E2.126', 'E2.127', 'E2.128', 'E9.6'),
    async () => {
      await openEntity(page, thing)
      await expect.poll(() => names(page, 'Type attributes')).toContain('size')
      const before = await names(page, 'Type attributes')
      const open = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
      await expect.poll(() => open.getByLabel('Name').inputValue()).toBe('new_type_attribute')
      const type = open.getByRole('combobox', { name: 'Data Type' })
      await expect.poll(() => type.textContent()).toBe('string')
      await type.click()
      await expectShown(page.getByRole('option').first())
      const dataTypes = ['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string']
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(dataTypes)
      await page.getByRole('option', { name: 'integer', exact: true }).click()
      await open.getByLabel('Name').fill('given_up')
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
      await expect.poll(() => names(page, 'Type attributes')).toEqual(before)
      const again = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
      await again.getByLabel('Name').fill('weight')
      await pick(page, again, 'Data Type', 'double')
      await press(again, 'Finish')
      await expectShown(row(page, 'Type attributes', 'weight').getByText('double', { exact: true }))
      await setText(page, 'Entity', 'Description', 'x')
      await tool(page, 'Discard changes').click()
    },
  )
})
