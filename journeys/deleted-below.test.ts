import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { configuration, openConfiguration } from './driver/configuration.ts'
import { openDesk } from './driver/desk.ts'
import { goOn, lookAgain, send, tool } from './driver/document.ts'
import { addAttribute, entityDocument, property, row, setText, tab } from './driver/entity.ts'
import { hasFocus, tabTo } from './driver/keyboard.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, downloaded, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

type Opened = { id: number; name: string; document: Locator }

/** A fresh entity, open in its tab. */
async function opened(manifest = shop): Promise<Opened> {
  count += 1
  const name = `Deleted_${count}`
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const { id } = await api.createEntity({ name, typeAttributes }, manifest)
  await goOn(page, `/?entity=${id}`)
  await expectShown(entityDocument(page, name))
  return { id, name, document: entityDocument(page, name) }
}

/** One with an unsaved change that somebody deletes, seen as soon as the page looks again. */
async function deleted(manifest = shop): Promise<Opened> {
  const entity = await opened(manifest)
  await setText(page, 'Entity', 'Description', 'kept work')
  await api.deleteEntity(entity.id)
  await lookAgain(page)
  await expectShown(told(entity, 'Your unsaved change is still here.'))
  return entity
}

const told = ({ name, document }: Opened, kept: string) =>
  document.getByText(new RegExp(`^${name} was deleted by Dan Designer on .*\\. ${kept}$`))

async function idOf(name: string): Promise<number> {
  return api.entityNamed(name)
}

/** In a small window, where words and buttons have the least room. */
async function look(name: string): Promise<void> {
  await page.setViewportSize({ width: 1024, height: 900 })
  await expectClean(page, name)
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('Unsaved changes of an entity that somebody deleted', () => {
  it('stay, over a reload too, say who deleted it, and are saved as new where it was', async () => {
    const entity = await opened()
    await setText(page, 'Entity', 'Description', 'kept work')
    await addAttribute(page, 'extra')
    await api.deleteEntity(entity.id)
    await lookAgain(page)
    await expectShown(told(entity, 'Your 2 unsaved changes are still here.'))
    await look('deleted-entity')
    await page.reload()
    await expectShown(told(entity, 'Your 2 unsaved changes are still here.'))
    await expectShown(row(page, 'Type attributes', 'extra'))
    expect(await entity.document.getByText(/^Restored draft:/).count()).toBe(0)
    await entity.document.getByRole('button', { name: 'Save as new' }).click()
    await expectShown(snackbar(page, `Saved ${entity.name} as a new entity.`))
    const anew = await api.entityOf(await idOf(entity.name))
    expect(anew).toMatchObject({ description: 'kept work', targetManifest: { id: shop } })
    expect(anew.typeAttributes.map(({ name }) => name)).toEqual(['id', 'first', 'second', 'extra'])
    await expect.poll(() => tab(page, entity.name).count()).toBe(1)
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${anew.id}`)
    await page.reload()
    await expectShown(entity.document)
    expect(await page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
  })

  it('are found by a save, and saved as new by the keyboard: under another name where theirs is taken', async () => {
    const entity = await opened()
    await setText(page, 'Entity', 'Description', 'kept work')
    await api.deleteEntity(entity.id)
    await api.createEntity({ name: entity.name }, shop)
    await page.keyboard.press('Control+s')
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await tabTo(page, entity.document.getByRole('button', { name: 'Save as new' }))
    await page.keyboard.press('Enter')
    const asked = dialog(page, 'Save as New Entity')
    await expectShown(asked.getByText(`An entity with the name "${entity.name}" already exists.`))
    const name = asked.getByLabel('Name')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await look('deleted-entity-asked')
    await name.fill(`${entity.name}_again`)
    await page.keyboard.press('Enter')
    await expectShown(snackbar(page, `Saved ${entity.name}_again as a new entity.`))
    await expectShown(entityDocument(page, `${entity.name}_again`))
    expect(await api.entityOf(await idOf(`${entity.name}_again`))).toMatchObject({ description: 'kept work' })
  })

  it('go into another manifest where theirs was deleted too, with what refers to what is there no longer', async () => {
    const yard = await api.createManifest('Yard_1')
    const entity = await opened(yard)
    const other = await api.createEntity({ name: 'Neighbour' }, yard)
    await api.relate(entity.id, other, 'neighbourId')
    await lookAgain(page)
    await setText(page, 'Entity', 'Description', 'kept work')
    await send(page, 'DELETE', `/1.0/cdm/manifest/${yard}`)
    await page.reload()
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await page.keyboard.press('Control+s')
    const asked = dialog(page, 'Save as New Entity')
    await expectShown(asked.getByText('The manifest Yard_1 was deleted too. Choose another one.'))
    await find(page, asked, 'Manifest', 'Shop')
    await press(asked, 'Save')
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/^Saved Deleted_\d+ as a new entity\./))
    const anew = await api.entityOf(await idOf(entity.name))
    expect(anew).toMatchObject({
      targetManifest: { id: shop },
      entityAttributes: [{ foreignKeyTypeAttribute: 'neighbourId', associatedEntity: { id: -1, name: 'Neighbour' } }],
    })
  })

  it('can be taken along as a file that can be imported', async () => {
    const entity = await deleted()
    const { name, bytes } = await downloaded(page, () => press(entity.document, 'Export as JSON'))
    expect(name).toBe(`${entity.name}.json`)
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      document: 'cadmus-entity',
      entity: { name: entity.name, description: 'kept work' },
    })
  })

  it('are given up after a question only', async () => {
    const entity = await deleted()
    const asked = question(page, 'Discard Changes?')
    for (const button of [
      entity.document.getByRole('button', { name: 'Discard', exact: true }),
      tool(page, 'Discard changes'),
    ]) {
      await button.click()
      await expectShown(asked.getByText(`${entity.name} was deleted: your changes exist only here.`))
      await press(asked, 'Cancel')
      await asked.waitFor({ state: 'detached' })
    }
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await expectShown(asked)
    await expectClean(page, 'deleted-entity-discard')
    await press(asked, 'Discard')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await press(asked, 'Discard')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    await page.reload()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
  })

  it('outlive the manifest that the person deletes themselves', async () => {
    const yard = await api.createManifest('Yard_2')
    await page.goto('/')
    const entity = await opened(yard)
    await setText(page, 'Entity', 'Description', 'kept work')
    await page
      .getByRole('tree', { name: 'Project Navigator' })
      .getByText('Yard_2', { exact: true })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(page.getByRole('alertdialog'), 'Delete')
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await press(entity.document, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
  })

  it('hold no more than what was typed, too: nothing was unsaved before', async () => {
    const entity = await opened()
    await property(page, 'Entity', 'Description').getByRole('textbox').fill('half a sentence')
    await api.deleteEntity(entity.id)
    await lookAgain(page)
    await expectShown(told(entity, 'Your unsaved change is still here.'))
    await expectShown(entity.document.getByText('half a sentence'))
    await press(entity.document, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
  })

  it('and where nothing is unsaved the document says that it is not there', async () => {
    const entity = await opened()
    await api.deleteEntity(entity.id)
    await lookAgain(page)
    await expectShown(page.getByRole('main').getByRole('alert').getByText('The entity was not found.'))
    await press(page.getByRole('main').getByRole('alert'), 'Close')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
  })
})

describe('Unsaved changes of the configuration of a manifest that somebody deleted', () => {
  it('stay, over a reload too, and can be taken along as JSON', async () => {
    const id = await api.createManifest('Gone_1')
    const article = await openConfiguration(page, id, 'Gone_1', 'SQL Configuration')
    const field = article.getByLabel('Connection Username', { exact: true })
    await field.fill('keeper')
    await field.press('Enter')
    await send(page, 'DELETE', `/1.0/cdm/manifest/${id}`)
    await lookAgain(page)
    const words = configuration(page, 'Gone_1').getByText(
      /^Gone_1 was deleted by Dan Designer on .*\. Your unsaved change is still here\.$/,
    )
    await expectShown(words)
    await look('deleted-configuration')
    await page.reload()
    await expectShown(words)
    const { name, bytes } = await downloaded(page, () => press(article, 'Export as JSON'))
    expect(name).toBe('Gone_1 Configuration.json')
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      packageProperties: { connectionPoolInfo: { username: 'keeper' } },
    })
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(article, 'Copy as JSON')
    await expectShown(snackbar(page, 'Copied to the clipboard.'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"username": "keeper"')
    await press(article, 'Discard')
    await press(question(page, 'Discard Changes?'), 'Discard')
    await expect.poll(() => tab(page, 'Gone_1').count()).toBe(0)
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
