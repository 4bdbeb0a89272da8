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
import { openDesk } from './driver/desk.ts'
import { lookAgain, offers, send } from './driver/document.ts'
import { names, row } from './driver/entity.ts'
import { expectClean } from './driver/sight.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)

const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]

/** A manifest with one entity, and somebody who gives that another name. */
async function yard(name: string): Promise<{ id: number; rename: (entity: string) => Promise<void> }> {
  const id = await api.createManifest(name)
  const typeAttributes = [{ name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
  const entity = await api.createEntity({ name: 'Vehicle', typeAttributes }, id)
  const attributes = entity.typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
  const rename = async (entityName: string) =>
    send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entityName, typeAttributes: attributes } })
  return { id, rename }
}

/** A manifest of one version, and for that a user name that is not saved. */
async function madeForTheFirst(name: string) {
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

describe('What others did to a configuration meanwhile', () => {
  it('a secret that is being typed over: the save tells, shows no value, and says who', async () => {
    const id = await api.createManifest('TypedOver')
    const key = { name: 'key', value: 'Lion-4711', secret: true }
    const secrets = (password: string, value: string) => ({
      packageProperties: { connectionPoolInfo: { password }, customProperties: [{ ...key, value }] },
    })
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, secrets('Lion-1', 'Lion-2'))
    const article = await openConfiguration(page, id, 'TypedOver', 'SQL Configuration')
    await article.getByLabel('Connection Password', { exact: true }).pressSequentially('Tiger-1')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, secrets('Bear-1', 'Lion-3'))
    await lookAgain(page)
    await page.keyboard.press('Enter')
    await configurationTool(page, 'Save').click()
    const told = article.getByRole('row').filter({ hasText: 'Connection Password' })
    await expectShown(told.getByRole('cell', { name: 'secret, changed' }).first())
    await expectShown(told.getByText(/^You, elsewhere, /))
    expect(await article.textContent()).not.toMatch(/Tiger-1|Bear-1/)
    await expectClean(page, 'configuration-typed-secret')
    await article.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => configurationTool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })

  it('a new version: what was made for the one before is refused, as with an entity, and stays unsaved', async () => {
    const { id, article, field } = await madeForTheFirst('Versioned')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/version?version=1.1.0`)
    await configurationTool(page, 'Save').click()
    await expectShown(article.getByRole('alert').getByText('Only the latest version can be edited.'))
    expect((await stored(page, id)).packageProperties.connectionPoolInfo['username']).toBe('')
    await expectShown(article.getByText('1.1.0'))
    expect(await field.inputValue()).toBe('forTheFirst')
    await expectSaved(id)
  })

  it('a new version, and the one before deleted: what was made for that is refused once, and goes into the new one', async () => {
    const { id, article, field } = await madeForTheFirst('Outlived')
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/version?version=1.1.0`)
    await send(page, 'DELETE', `/1.0/cdm/manifest/${id}/version?version=1.0.0`)
    await configurationTool(page, 'Save').click()
    await expectShown(article.getByRole('alert').getByText('The version was not found.'))
    await expectShown(article.getByText('1.1.0'))
    expect(await field.inputValue()).toBe('forTheFirst')
    await expectSaved(id)
  })

  it('a renaming that a save brought along is everywhere: exclusions, their picker, the tree', async () => {
    const { id, rename } = await yard('Fleet')
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
    const offered = await offers(page, article, 'Operations to exclude')
    expect(offered).toEqual(['POST - /car', 'GET - /car/{id}', 'DELETE - /car/{id}'])
    await page.keyboard.press('Escape')
    await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Fleet', 'Entities', 'Car'))
  })

  it('a renaming below the open dialog of a query: what was entered goes into the renamed one', async () => {
    const { id, rename } = await yard('Garage')
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns }] })
    await page.goto('/')
    const article = await openConfiguration(page, id, 'Garage', 'Aggregate Queries')
    await row(page, 'Aggregate Queries', 'howMany').focus()
    await page.keyboard.press('Enter')
    const asked = dialog(page, 'Edit Aggregate Query')
    await asked.getByLabel('Name').fill('howManyNow')
    await rename('Car')
    await lookAgain(page)
    await expectShown(asked.getByRole('combobox', { name: 'Associated Entity' }).filter({ hasText: 'Car' }))
    await press(asked, 'Save')
    await asked.waitFor({ state: 'detached' })
    await expectShown(row(page, 'Aggregate Queries', 'howManyNow').getByRole('link', { name: 'Car' }))
    expect(await names(page, 'Aggregate Queries')).toEqual(['howManyNow'])
    await expectShown(configurationTool(page, 'Undo: Changed Aggregate Queries'))
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { aggregateQueries } = (await stored(page, id)).configurationBuild
    expect(aggregateQueries).toEqual([{ name: 'howManyNow', entity: 'Car', columns }])
    await expectShown(article)
  })

  it('a renaming of what only unsaved changes name: they follow it', async () => {
    const { id, rename } = await yard('Harbour')
    await openConfiguration(page, id, 'Harbour', 'Aggregate Queries')
    const asked = await newQuery(page)
    await asked.getByLabel('Name').fill('unsaved')
    await find(page, asked, 'Associated Entity', 'Vehicle')
    await find(page, asked, 'Target Entity Attribute', 'id')
    await press(asked, 'Add Column')
    await press(asked, 'Add')
    await expectShown(row(page, 'Aggregate Queries', 'unsaved').getByRole('link', { name: 'Vehicle' }))
    await rename('Ship')
    await lookAgain(page)
    await expectShown(row(page, 'Aggregate Queries', 'unsaved').getByRole('link', { name: 'Ship' }))
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    expect((await stored(page, id)).configurationBuild.aggregateQueries).toMatchObject([{ entity: 'Ship' }])
  })

  it('rows of properties that moved below what is being typed: it goes into the property that it was typed for', async () => {
    const { id } = await yard('Island')
    const property = (name: string) => ({ name, value: `${name}1`, secret: false })
    const put = async (...all: string[]) =>
      send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, {
        packageProperties: { customProperties: all.map(property) },
      })
    await put('a', 'b', 'c')
    const article = await openConfiguration(page, id, 'Island', 'Property Configuration')
    const value = (place: number) => article.getByLabel(`Value of property ${place}`, { exact: true })
    await value(2).fill('typed')
    await put('b', 'c')
    await lookAgain(page)
    await expect.poll(() => value(3).count()).toBe(0)
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { customProperties } = (await stored(page, id)).packageProperties
    expect(customProperties).toEqual([{ ...property('b'), value: 'typed' }, property('c')])
  })

  it('another change of the query, or its end, below its open dialog: told there, and nothing is lost', async () => {
    const { id } = await yard('Hangar')
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns }] })
    await openConfiguration(page, id, 'Hangar', 'Aggregate Queries')
    await row(page, 'Aggregate Queries', 'howMany').focus()
    await page.keyboard.press('Enter')
    const asked = dialog(page, 'Edit Aggregate Query')
    await asked.getByRole('button', { name: 'Remove column n' }).click()
    await find(page, asked, 'Target Entity Attribute', 'id')
    await press(asked, 'Add Column')
    const others = [...columns, { field: 'id', type: 'MAX', alias: 'last' }]
    await configure(page, id, { aggregateQueries: [{ name: 'howMany', entity: 'Vehicle', columns: others }] })
    await lookAgain(page)
    await expectShown(asked.getByRole('note').getByText('last: Max id'))
    await configure(page, id, { aggregateQueries: [] })
    await lookAgain(page)
    await expectShown(asked.getByText('Someone else deleted this query. Save adds it again.'))
    await press(asked, 'Save')
    await expectShown(row(page, 'Aggregate Queries', 'howMany'))
    expect(await configuration(page, 'Hangar').getByRole('alert').count()).toBe(0)
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
