import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  configure,
  newQuery,
  openConfiguration,
  stored,
} from './driver/configuration.ts'
import { startJourney } from './driver/journey.ts'
import { returnToPage, pickerOptions, send } from './driver/document.ts'
import { names, row } from './driver/entity.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)

const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]

/** Creates a manifest with one entity; `rename` renames the entity as another user would. */
async function createManifestWithEntity(
  name: string,
): Promise<{ id: number; rename: (entity: string) => Promise<void> }> {
  const id = await api.createManifest(name)
  const typeAttributes = [{ name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
  const entity = await api.createEntity({ name: 'Vehicle', typeAttributes }, id)
  const attributes = entity.typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
  const rename = async (entityName: string) =>
    send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entityName, typeAttributes: attributes } })
  return { id, rename }
}

/** Opens the configuration of a new manifest and changes its user name without saving. */
async function openWithUnsavedUsername(name: string) {
  const id = await api.createManifest(name)
  const article = await openConfiguration(page, id, name, 'SQL Configuration')
  const field = article.getByLabel('Connection Username', { exact: true })
  await field.fill('forTheFirst')
  await field.press('Enter')
  return { id, article, field }
}

async function expectSaved(id: number): Promise<void> {
  await configurationTool(page, 'Save').click()
  await expectShown(snackbar(page, 'Successfully save configuration.'))
  expect((await stored(page, id)).packageProperties.connectionPoolInfo['username']).toBe('forTheFirst')
}

describe('Concurrent changes to a configuration', () => {
  it('saving a concurrently changed secret shows a conflict with its author and without values', async () => {
    const id = await api.createManifest('TypedOver')
    const key = { name: 'key', value: 'Lion-4711', secret: true }
    const secrets = (password: string, value: string) => ({
      packageProperties: { connectionPoolInfo: { password }, customProperties: [{ ...key, value }] },
    })
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, secrets('Lion-1', 'Lion-2'))
    const article = await openConfiguration(page, id, 'TypedOver', 'SQL Configuration')
    await article.getByLabel('Connection Password', { exact: true }).pressSequentially('Tiger-1')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, secrets('Bear-1', 'Lion-3'))
    await returnToPage(page)
    await keys(page, 'Enter')
    await configurationTool(page, 'Save').click()
    const conflictRow = article.getByRole('row').filter({ hasText: 'Connection Password' })
    await expectShown(conflictRow.getByRole('cell', { name: 'secret, changed' }).first())
    await expectShown(conflictRow.getByText(/^You, elsewhere, /))
    await expect.poll(() => article.textContent()).not.toMatch(/Tiger-1|Bear-1/)
    await article.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => configurationTool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })

  it('changes made before a new version was added are rejected once and remain unsaved', async () => {
    const { id, article, field } = await openWithUnsavedUsername('Versioned')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/version?version=1.1.0`)
    await configurationTool(page, 'Save').click()
    await expectShown(article.getByRole('alert').getByText('Only the latest version can be edited.'))
    expect((await stored(page, id)).packageProperties.connectionPoolInfo['username']).toBe('')
    await expectShown(article.getByText('1.1.0'))
    await expect.poll(() => field.inputValue()).toBe('forTheFirst')
    await expectSaved(id)
  })

  it('changes to a deleted version are rejected once, then saved to the new version', async () => {
    const { id, article, field } = await openWithUnsavedUsername('Outlived')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/version?version=1.1.0`)
    await send(page, 'DELETE', `/1.0/cdm/manifest/${id}/version?version=1.0.0`)
    await configurationTool(page, 'Save').click()
    await expectShown(article.getByRole('alert').getByText('The version was not found.'))
    await expectShown(article.getByText('1.1.0'))
    await expect.poll(() => field.inputValue()).toBe('forTheFirst')
    await expectSaved(id)
  })

  it('saving applies a concurrent rename to the exclusions, their picker and the tree', async () => {
    const { id, rename } = await createManifestWithEntity('Fleet')
    await configure(page, id, { apiConfiguration: { excludeOperations: ['Vehicle.get'] } })
    await page.goto('/')
    const article = await openConfiguration(page, id, 'Fleet')
    await nodeAt(page, 'Custom', 'Manifests', 'Fleet', 'Entities', 'Vehicle')
    await find(page, article, 'Operations to exclude', 'PUT - /vehicle')
    await press(article, 'Exclude')
    await rename('Car')
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    await expectShown(row(page, 'Excluded API Operations', 'GET - /car'))
    await expectShown(row(page, 'Excluded API Operations', 'PUT - /car'))
    await expect.poll(() => article.getByText('there is no such operation').count()).toBe(0)
    const offered = await pickerOptions(page, article, 'Operations to exclude')
    expect(offered).toEqual(['POST - /car', 'GET - /car/{id}', 'DELETE - /car/{id}'])
    await keys(page, 'Escape')
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Fleet', 'Entities', 'Car'))
  })

  it('a concurrent rename updates an open query dialog and preserves its input', async () => {
    const { id, rename } = await createManifestWithEntity('Garage')
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns }] })
    await page.goto('/')
    const article = await openConfiguration(page, id, 'Garage', 'Aggregate Queries')
    // Names that are being read when the page is looked at again are not read once more.
    await expectShown(row(page, 'Aggregate Queries', 'howMany').getByRole('link', { name: 'Vehicle' }))
    await row(page, 'Aggregate Queries', 'howMany').focus()
    await keys(page, 'Enter')
    const form = dialog(page, 'Edit Aggregate Query')
    await form.getByLabel('Name').fill('howManyNow')
    await rename('Car')
    await returnToPage(page)
    await expectShown(form.getByRole('combobox', { name: 'Associated Entity' }).filter({ hasText: 'Car' }))
    await press(form, 'Save')
    await form.waitFor({ state: 'detached' })
    await expectShown(row(page, 'Aggregate Queries', 'howManyNow').getByRole('link', { name: 'Car' }))
    await expect.poll(() => names(page, 'Aggregate Queries')).toEqual(['howManyNow'])
    await expectShown(configurationTool(page, 'Undo: Changed Aggregate Queries'))
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { aggregateQueries } = (await stored(page, id)).configurationBuild
    expect(aggregateQueries).toEqual([{ name: 'howManyNow', entity: 'Car', columns }])
    await expectShown(article)
  })

  it('a concurrent rename updates references in unsaved changes', async () => {
    const { id, rename } = await createManifestWithEntity('Harbour')
    await openConfiguration(page, id, 'Harbour', 'Aggregate Queries')
    const form = await newQuery(page)
    await form.getByLabel('Name').fill('unsaved')
    await find(page, form, 'Associated Entity', 'Vehicle')
    await find(page, form, 'Target Entity Attribute', 'id')
    await press(form, 'Add Column')
    await press(form, 'Add')
    await expectShown(row(page, 'Aggregate Queries', 'unsaved').getByRole('link', { name: 'Vehicle' }))
    await rename('Ship')
    await returnToPage(page)
    await expectShown(row(page, 'Aggregate Queries', 'unsaved').getByRole('link', { name: 'Ship' }))
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    expect((await stored(page, id)).configurationBuild.aggregateQueries).toMatchObject([{ entity: 'Ship' }])
  })

  it('a value being typed is saved to its property after a concurrent deletion shifts the rows', async () => {
    const { id } = await createManifestWithEntity('Island')
    const property = (name: string) => ({ name, value: `${name}1`, secret: false })
    const put = async (...all: string[]) =>
      send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, {
        packageProperties: { customProperties: all.map(property) },
      })
    await put('a', 'b', 'c')
    const article = await openConfiguration(page, id, 'Island', 'Property Configuration')
    const value = (position: number) => article.getByLabel(`Value of property ${position}`, { exact: true })
    await value(2).fill('typed')
    await put('b', 'c')
    await returnToPage(page)
    await expect.poll(() => value(3).count()).toBe(0)
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { customProperties } = (await stored(page, id)).packageProperties
    expect(customProperties).toEqual([{ ...property('b'), value: 'typed' }, property('c')])
  })

  it('an open query dialog shows a concurrent change or deletion of its query and preserves its input', async () => {
    const { id } = await createManifestWithEntity('Hangar')
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns }] })
    await openConfiguration(page, id, 'Hangar', 'Aggregate Queries')
    await row(page, 'Aggregate Queries', 'howMany').focus()
    await keys(page, 'Enter')
    const form = dialog(page, 'Edit Aggregate Query')
    await form.getByRole('button', { name: 'Remove column n' }).click()
    await find(page, form, 'Target Entity Attribute', 'id')
    await press(form, 'Add Column')
    const others = [...columns, { field: 'id', type: 'MAX', alias: 'last' }]
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns: others }] })
    await returnToPage(page)
    await expectShown(form.getByRole('note').getByText('last: Max id'))
    await configure(page, id, { aggregateQueries: [] })
    await returnToPage(page)
    await expectShown(form.getByText('Someone else deleted this query. Save adds it again.'))
    await press(form, 'Save')
    await expectShown(row(page, 'Aggregate Queries', 'howMany'))
    await expect.poll(() => configuration(page, 'Hangar').getByRole('alert').count()).toBe(0)
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
