import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configure,
  newQuery,
  openConfiguration,
  configurationTool,
  save,
  saveAndReload,
  showPart,
  stored,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { columnHeaders, pickerOptions, send, tool } from './driver/document.ts'
import { names, row, setText } from './driver/entity.ts'
import { keys, tabTo } from './driver/keyboard.ts'
import { dialog, expectShown, find, pick, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const depot = await api.createManifest('Depot')
const typeAttributes = [
  { name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const },
  { name: 'country', dataType: 'string' as const },
  { name: 'price', dataType: 'double' as const },
]
await api.createEntity({ name: 'Sale', typeAttributes }, depot)
await api.createEntity({ name: 'Crate' }, depot)

const open = () => openConfiguration(page, depot, 'Depot', 'Aggregate Queries')

/** Adds a column in the dialog. */
async function addColumn(field: string, type: string, alias?: string): Promise<void> {
  const form = dialog(page, 'New Aggregate Query')
  await find(page, form, 'Target Entity Attribute', field)
  await pick(page, form, 'Aggregate Type', type)
  if (alias !== undefined) await form.getByLabel('Alias').fill(alias)
  await press(form, 'Add Column')
}

/** Adds a query over all rows of Sale. */
async function addQuery(name: string): Promise<void> {
  const form = await newQuery(page)
  await form.getByLabel('Name').fill(name)
  await find(page, form, 'Associated Entity', 'Sale')
  await addColumn('id', 'Count')
  await press(form, 'Add')
  await expectShown(row(page, 'Aggregate Queries', name))
}

describe('Aggregate Queries', () => {
  it('the Add icon is shown only on the Aggregate Queries tab', holds('M2.131', 'M2.162'), async () => {
    await open()
    await expectShown(configurationTool(page, 'Add Aggregate Query'))
    await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    await showPart(page, 'API Configuration')
    await expect.poll(() => configurationTool(page, 'Add Aggregate Query').count()).toBe(0)
  })

  it(
    'the dialog adds a query with a name, an entity and columns',
    holds(
      'M2.163',
      'M2.164',
      'M2.165',
      'M2.166',
      'M2.167',
      'M2.168',
      'M2.169',
      'M2.160',
      'M3.33',
      'M3.34',
      'M3.35',
      'M3.36',
    ),
    async () => {
      await open()
      const form = await newQuery(page)
      await form.getByLabel('Name').fill('revenue')
      expect(await pickerOptions(page, form, 'Associated Entity')).toEqual([
        'Saleuser-defined/Depot/Sale',
        'Crateuser-defined/Depot/Crate',
      ])
      await page.getByRole('option', { name: /^Sale/ }).click()
      expect(await pickerOptions(page, form, 'Target Entity Attribute')).toEqual([
        'idinteger',
        'countrystring',
        'pricedouble',
      ])
      await page.getByRole('option', { name: /^price/ }).click()
      await form.getByRole('combobox', { name: 'Aggregate Type' }).click()
      await expect
        .poll(() => page.getByRole('option').allTextContents())
        .toEqual(['Count', 'Sum', 'Min', 'Max', 'Avg', 'Group By'])
      await page.getByRole('option', { name: 'Sum', exact: true }).click()
      const alias = form.getByLabel('Alias')
      await expect.poll(() => alias.inputValue()).toBe('priceSum')
      await pick(page, form, 'Aggregate Type', 'Avg')
      await expect.poll(() => alias.inputValue()).toBe('priceAvg')
      await alias.fill('mean')
      await pick(page, form, 'Aggregate Type', 'Sum')
      await expect.poll(() => alias.inputValue()).toBe('mean')
      await press(form, 'Add Column')
      await addColumn('country', 'Group By')
      await expect
        .poll(() => form.getByRole('table', { name: 'Columns' }).locator('tbody tr').allTextContents())
        .toEqual(['priceSummean', 'countryGroup BycountryGroupBy'])
      await saveScreenshot(page, 'aggregate-query')
      await press(form, 'Add')
      await expectShown(row(page, 'Aggregate Queries', 'revenue'))
      await expect.poll(() => columnHeaders(page, 'Aggregate Queries')).toEqual(['Name', 'Associated Entity'])
      await expectShown(row(page, 'Aggregate Queries', 'revenue').getByRole('link', { name: 'Sale' }))
      await save(page)
      expect((await stored(page, depot)).configurationBuild.aggregateQueries).toEqual([
        {
          name: 'revenue',
          entity: 'Sale',
          columns: [
            { field: 'price', type: 'SUM', alias: 'mean' },
            { field: 'country', type: 'GROUPBY', alias: 'countryGroupBy' },
          ],
        },
      ])
    },
  )

  it(
    'Add requires a name, an entity and a column, and aliases must be unique',
    holds('M5.11', 'M5.12', 'M5.13', 'M5.14'),
    async () => {
      await open()
      const form = await newQuery(page)
      const cannotAdd = () => form.getByRole('button', { name: 'Add', exact: true }).isDisabled()
      await expect.poll(() => cannotAdd()).toBe(true)
      await form.getByLabel('Name').fill('counted')
      await expect.poll(() => cannotAdd()).toBe(true)
      await find(page, form, 'Associated Entity', 'Sale')
      await expect.poll(() => cannotAdd()).toBe(true)
      await addColumn('id', 'Count', 'n')
      await expect.poll(cannotAdd).toBe(false)
      await form.getByLabel('Name').fill('')
      await expect.poll(cannotAdd).toBe(true)
      await form.getByLabel('Name').fill('counted')
      await find(page, form, 'Target Entity Attribute', 'price')
      await form.getByLabel('Alias').fill('N')
      await expectShown(form.getByText('A column with the alias "N" already exists.'))
      await expect.poll(() => form.getByRole('button', { name: 'Add Column' }).isDisabled()).toBe(true)
      await form.getByLabel('Alias').fill('m')
      await press(form, 'Add Column')
      await form.getByRole('button', { name: 'Remove column n' }).click()
      await form.getByRole('button', { name: 'Remove column m' }).click()
      await expect.poll(cannotAdd).toBe(true)
      await press(form, 'Cancel')
      await form.waitFor({ state: 'detached' })
    },
  )

  it('several selected queries are deleted, and Enter edits a query', holds('M2.161'), async () => {
    const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]
    const { aggregateQueries } = (await stored(page, depot)).configurationBuild
    const added = ['first', 'second'].map(name => ({ name, entity: 'Sale', columns }))
    await configure(page, depot, { aggregateQueries: [Object(aggregateQueries)[0], ...added] })
    await page.goto(`/?configuration=${depot}`)
    await showPart(page, 'Aggregate Queries')
    await row(page, 'Aggregate Queries', 'second').focus()
    await keys(page, 'Enter')
    const changing = dialog(page, 'Edit Aggregate Query')
    await tabTo(page, changing.getByLabel('Name'))
    await keys(page, 'Control+a')
    await page.keyboard.type('third')
    await tabTo(page, changing.getByRole('button', { name: 'Save' }))
    await keys(page, 'Enter')
    await expect.poll(() => names(page, 'Aggregate Queries')).toEqual(['revenue', 'first', 'third'])
    await page.getByRole('checkbox', { name: 'Choose first' }).click()
    await page.getByRole('checkbox', { name: 'Choose third' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => names(page, 'Aggregate Queries')).toEqual(['revenue'])
    await saveAndReload(page, 'Depot')
    await expect.poll(() => names(page, 'Aggregate Queries')).toEqual(['revenue'])
  })

  it('renaming an entity updates saved and unsaved queries', async () => {
    await open()
    await addQuery('unsaved')
    await row(page, 'Aggregate Queries', 'revenue').getByRole('link', { name: 'Sale' }).dblclick()
    await expectShown(page.getByRole('article', { name: 'Entity Sale' }))
    await setText(page, 'Entity', 'Name', 'Purchase')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await page.getByRole('tab', { name: /^Depot Configuration/ }).click()
    await expectShown(row(page, 'Aggregate Queries', 'revenue').getByRole('link', { name: 'Purchase' }))
    await expectShown(row(page, 'Aggregate Queries', 'unsaved').getByRole('link', { name: 'Purchase' }))
    await configurationTool(page, 'Undo: Added unsaved to Aggregate Queries').click()
    await expect.poll(() => names(page, 'Aggregate Queries')).toEqual(['revenue'])
    await configurationTool(page, 'Redo: Added unsaved to Aggregate Queries').click()
    await save(page)
    expect((await stored(page, depot)).configurationBuild.aggregateQueries).toMatchObject([
      { name: 'revenue', entity: 'Purchase' },
      { name: 'unsaved', entity: 'Purchase' },
    ])
  })

  it('deleting an entity lists the queries that use it, with links', async () => {
    const ticket = await api.createEntity({ name: 'Ticket' }, depot)
    const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]
    const configurationBuild = {
      aggregateQueries: [{ name: 'tickets', entity: 'Ticket', columns }],
      apiConfiguration: { excludeOperations: ['Ticket.get'] },
    }
    await send(page, 'POST', `/1.0/cdm/manifest/${depot}/configuration`, { configurationBuild })
    await page.goto(`/?entity=${ticket.id}`)
    await tool(page, 'Delete Entity').click()
    const confirmation = question(page, 'Delete Entity')
    await expectShown(confirmation.getByText('Configurations no longer name it.'))
    await expectShown(confirmation.getByText('excluded operation Ticket.get'))
    await confirmation.getByRole('listitem').filter({ hasText: 'aggregate query tickets' }).getByRole('link').click()
    await expectShown(row(page, 'Aggregate Queries', 'tickets'))
    await page.getByRole('tab', { name: /^Ticket/ }).click()
    await tool(page, 'Delete Entity').click()
    await press(question(page, 'Delete Entity'), 'Delete')
    await expectShown(snackbar(page, 'Successfully deleted entity!'))
    await page.getByRole('tab', { name: /^Depot Configuration/ }).click()
    await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    const { excludeOperations } = (await stored(page, depot)).configurationBuild['apiConfiguration'] ?? {}
    expect(excludeOperations).toEqual([])
  })

  it('a complete pending column is added with the query, and an incomplete one shows an error', async () => {
    const lots = await api.createManifest('Lots')
    await api.createEntity({ name: 'Lot', typeAttributes }, lots)
    await openConfiguration(page, lots, 'Lots', 'Aggregate Queries')
    const form = await newQuery(page)
    await form.getByLabel('Name').fill('half')
    await find(page, form, 'Associated Entity', 'Lot')
    await addColumn('id', 'Count')
    const add = form.getByRole('button', { name: 'Add', exact: true })
    await form.getByLabel('Alias').fill('total')
    await expectShown(form.getByText('Choose the attribute of the column, or clear the column.'))
    await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
    await find(page, form, 'Target Entity Attribute', 'country')
    await expect.poll(() => add.getAttribute('aria-disabled')).not.toBe('true')
    await press(form, 'Add')
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    expect((await stored(page, lots)).configurationBuild.aggregateQueries).toMatchObject([
      { name: 'half', columns: [{ field: 'id' }, { field: 'country', type: 'COUNT', alias: 'total' }] },
    ])
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
