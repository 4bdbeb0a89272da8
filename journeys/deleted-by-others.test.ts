import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { configuration, openConfiguration } from './driver/configuration.ts'
import { startJourney } from './driver/journey.ts'
import { navigate, returnToPage, send, tool } from './driver/document.ts'
import { addAttribute, entityDocument, property, row, setText, tab } from './driver/entity.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, captureDownload, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

let count = 0

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

type OpenDocument = { id: number; name: string; document: Locator }

/** Creates an entity and opens it in its own tab. */
async function openNewEntity(manifest = shop): Promise<OpenDocument> {
  count += 1
  const name = `Deleted_${count}`
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const { id } = await api.createEntity({ name, typeAttributes }, manifest)
  await navigate(page, `/?entity=${id}`)
  await expectShown(entityDocument(page, name))
  return { id, name, document: entityDocument(page, name) }
}

/** Opens an entity with an unsaved change, then deletes it through the API and makes the page notice. */
async function openDeletedEntity(manifest = shop): Promise<OpenDocument> {
  const entity = await openNewEntity(manifest)
  await setText(page, 'Entity', 'Description', 'kept work')
  await api.deleteEntity(entity.id)
  await returnToPage(page)
  await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
  return entity
}

const deletionNotice = ({ name, document }: OpenDocument, detail: string) =>
  document.getByText(new RegExp(`^${name} was deleted by Dan Designer on .*\\. ${detail}$`))

async function idOf(name: string): Promise<number> {
  return api.entityNamed(name)
}

describe('Unsaved changes of an entity that another user deleted', () => {
  it('unsaved changes survive a reload, name the user who deleted the entity and can be saved as new', async () => {
    const entity = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'kept work')
    await addAttribute(page, 'extra')
    await api.deleteEntity(entity.id)
    await returnToPage(page)
    await expectShown(deletionNotice(entity, 'Your 2 unsaved changes are still here.'))
    await expectAccessible(page, 'deleted-entity')
    await page.reload()
    await expectShown(deletionNotice(entity, 'Your 2 unsaved changes are still here.'))
    await expectShown(row(page, 'Type attributes', 'extra'))
    await expect.poll(() => entity.document.getByText(/^Restored draft:/).count()).toBe(0)
    await entity.document.getByRole('button', { name: 'Save as new' }).click()
    await expectShown(snackbar(page, `Saved ${entity.name} as a new entity.`))
    const created = await api.entityOf(await idOf(entity.name))
    expect(created).toMatchObject({ description: 'kept work', targetManifest: { id: shop } })
    expect(created.typeAttributes.map(({ name }) => name)).toEqual(['id', 'first', 'second', 'extra'])
    await expect.poll(() => tab(page, entity.name).count()).toBe(1)
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${created.id}`)
    await page.reload()
    await expectShown(entity.document)
    await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
  })

  it('saving by keyboard detects the deletion and requests another name if the old one is taken', async () => {
    const entity = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'kept work')
    await api.deleteEntity(entity.id)
    await api.createEntity({ name: entity.name }, shop)
    await keys(page, 'Control+s')
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await tabTo(page, entity.document.getByRole('button', { name: 'Save as new' }))
    await keys(page, 'Enter')
    const prompt = dialog(page, 'Save as New Entity')
    await expectShown(prompt.getByText(`An entity with the name "${entity.name}" already exists.`))
    const name = prompt.getByLabel('Name')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await name.fill(`${entity.name}_again`)
    await keys(page, 'Enter')
    await expectShown(snackbar(page, `Saved ${entity.name}_again as a new entity.`))
    await expectShown(entityDocument(page, `${entity.name}_again`))
    expect(await api.entityOf(await idOf(`${entity.name}_again`))).toMatchObject({ description: 'kept work' })
  })

  it('saving as new requests another manifest if the old one was deleted, and keeps broken references', async () => {
    const yard = await api.createManifest('Yard_1')
    const entity = await openNewEntity(yard)
    const other = await api.createEntity({ name: 'Neighbour' }, yard)
    await api.relate(entity.id, other, 'neighbourId')
    await returnToPage(page)
    await expectShown(row(page, 'Type attributes', 'neighbourId'))
    await setText(page, 'Entity', 'Description', 'kept work')
    await send(page, 'DELETE', `/1.0/cdm/manifest/${yard}`)
    await page.reload()
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await keys(page, 'Control+s')
    const prompt = dialog(page, 'Save as New Entity')
    await expectShown(prompt.getByText('The manifest Yard_1 was deleted too. Choose another one.'))
    await find(page, prompt, 'Manifest', 'Shop')
    await press(prompt, 'Save')
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/^Saved Deleted_\d+ as a new entity\./))
    const created = await api.entityOf(await idOf(entity.name))
    expect(created).toMatchObject({
      targetManifest: { id: shop },
      entityAttributes: [{ foreignKeyTypeAttribute: 'neighbourId', associatedEntity: { id: -1, name: 'Neighbour' } }],
    })
  })

  it('unsaved changes of a deleted entity can be exported as JSON; discarding them requires confirmation and can be undone', async () => {
    const entity = await openDeletedEntity()
    const { name, bytes } = await captureDownload(page, () => press(entity.document, 'Export as JSON'))
    expect(name).toBe(`${entity.name}.json`)
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      document: 'cadmus-entity',
      entity: { name: entity.name, description: 'kept work' },
    })
    const prompt = question(page, 'Discard Changes?')
    for (const button of [
      entity.document.getByRole('button', { name: 'Discard', exact: true }),
      tool(page, 'Discard changes'),
    ]) {
      await button.click()
      await expectShown(prompt.getByText(`${entity.name} was deleted: your changes exist only here.`))
      await press(prompt, 'Cancel')
      await prompt.waitFor({ state: 'detached' })
    }
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await expectShown(prompt)
    await press(prompt, 'Discard')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await press(prompt, 'Discard')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    await page.reload()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
  })

  it('unsaved changes remain when the user deletes the manifest of the entity', async () => {
    const yard = await api.createManifest('Yard_2')
    await page.goto('/')
    const entity = await openNewEntity(yard)
    await setText(page, 'Entity', 'Description', 'kept work')
    await page
      .getByRole('tree', { name: 'Project Navigator' })
      .getByText('Yard_2', { exact: true })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(page.getByRole('alertdialog'), 'Delete')
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
  })

  it('uncommitted input is preserved even if there are no other unsaved changes', async () => {
    const entity = await openNewEntity()
    await property(page, 'Entity', 'Description').getByRole('textbox').fill('half a sentence')
    await api.deleteEntity(entity.id)
    await returnToPage(page)
    await expectShown(deletionNotice(entity, 'Your unsaved change is still here.'))
    await expectShown(entity.document.getByText('half a sentence'))
    await press(entity.document, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
  })

  it('a deleted entity without unsaved changes is reported as not found', async () => {
    const entity = await openNewEntity()
    await api.deleteEntity(entity.id)
    await returnToPage(page)
    await expectShown(page.getByRole('main').getByRole('alert').getByText('The entity was not found.'))
    await press(page.getByRole('main').getByRole('alert'), 'Close')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
  })
})

describe('Unsaved changes of the configuration of a deleted manifest', () => {
  it('unsaved configuration changes survive a reload and can be exported or copied as JSON', async () => {
    const id = await api.createManifest('Gone_1')
    const article = await openConfiguration(page, id, 'Gone_1', 'SQL Configuration')
    const field = article.getByLabel('Connection Username', { exact: true })
    await field.fill('keeper')
    await field.press('Enter')
    await send(page, 'DELETE', `/1.0/cdm/manifest/${id}`)
    await returnToPage(page)
    const notice = configuration(page, 'Gone_1').getByText(
      /^Gone_1 was deleted by Dan Designer on .*\. Your unsaved change is still here\.$/,
    )
    await expectShown(notice)
    await page.reload()
    await expectShown(notice)
    const { name, bytes } = await captureDownload(page, () => press(article, 'Export as JSON'))
    expect(name).toBe('Gone_1 Configuration.json')
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      packageProperties: { connectionPoolInfo: { username: 'keeper' } },
    })
    await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(article, 'Copy as JSON')
    await expectShown(snackbar(page, 'Copied to the clipboard.'))
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"username": "keeper"')
    await press(article, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
    await expect.poll(() => tab(page, 'Gone_1').count()).toBe(0)
  })
})

it('the page reports no errors', () => {
  expect(journey.complaints).toEqual([])
})
