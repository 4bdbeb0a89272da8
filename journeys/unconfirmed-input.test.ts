import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { returnToPage, openEntity, send, tool } from './driver/document.ts'
import { entityDocument, fillProperty, names, property, row, tab } from './driver/entity.ts'
import { expectAccessible } from './driver/accessible.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

let count = 0

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

/** Creates an entity with two attributes and opens it. */
async function openNewEntity(): Promise<{ entity: EntityRef; document: Locator }> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const entity = await api.createEntity({ name: `Typed_${count}`, typeAttributes }, shop)
  return { entity, document: await openEntity(page, entity) }
}

const description = () => property(page, 'Entity', 'Description').getByRole('textbox')
const isDirty = async ({ name }: EntityRef) => /unsaved changes/.test((await tab(page, name).textContent()) ?? '')

describe('Unconfirmed input', () => {
  /** Opens a new entity and types its description without confirming the input. */
  async function openAndType(text: string) {
    const made = await openNewEntity()
    await description().fill(text)
    return made
  }
  const storedDescription = async ({ id }: EntityRef) => {
    const headers = { 'X-Organisation-Code': 'ACME' }
    return (await (await page.request.get(`/1.0/cdm/entity/${id}`, { headers })).json()).entity.description
  }

  it('Ctrl+S saves an unconfirmed name after the server has checked it', async () => {
    const { entity } = await openNewEntity()
    await property(page, 'Entity', 'Name').getByRole('textbox').fill(`${entity.name}_typed`)
    await keys(page, 'Control+s')
    await expectShown(entityDocument(page, `${entity.name}_typed`))
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => tab(page, `${entity.name}_typed`).count()).toBe(1)
  })

  it('invalid unconfirmed input blocks the save and remains in its field with an error', async () => {
    const { entity } = await openAndType('waits')
    await description().press('Enter')
    await row(page, 'Type attributes', 'first').click()
    const name = property(page, 'Type Attribute', 'Name')
    await fillProperty(name.getByRole('textbox'), '1 first')
    await keys(page, 'Control+s')
    await name.getByRole('alert').waitFor()
    await expect.poll(() => name.getByRole('textbox').inputValue()).toBe('1 first')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await expect.poll(() => storedDescription(entity)).toBe('')
    await keys(page, 'Escape')
    await tool(page, 'Discard changes').click()
  })

  it('closing a tab with unconfirmed input by Alt+W requires confirmation; Cancel keeps the input', async () => {
    const { entity } = await openAndType('typed and closed')
    await keys(page, 'Alt+w')
    await press(question(page, 'Save Changes?'), 'Cancel')
    await expect.poll(() => description().inputValue()).toBe('typed and closed')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await keys(page, 'Alt+w')
    await press(question(page, 'Save Changes?'), 'Save')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    await expect.poll(() => storedDescription(entity)).toBe('typed and closed')
  })

  it('unconfirmed input is preserved after switching tabs by key or by Back in the browser', async () => {
    const other = (await openNewEntity()).entity
    const { entity } = await openNewEntity()
    await tab(page, other.name).click()
    await tab(page, entity.name).click()
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${entity.id}`)
    await description().fill('typed and left')
    await keys(page, 'Alt+PageUp')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await tab(page, entity.name).click()
    await expect.poll(() => description().inputValue()).toBe('typed and left')
    await description().fill('typed and gone back from')
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).not.toBe(`?entity=${entity.id}`)
    await tab(page, entity.name).click()
    await expect.poll(() => description().inputValue()).toBe('typed and gone back from')
    await tool(page, 'Discard changes').click()
  })

  it('reloading with unconfirmed input requires confirmation and restores it as a draft', async () => {
    const { document } = await openAndType('typed and reloaded')
    const dialogTypes: string[] = []
    page.once('dialog', one => {
      dialogTypes.push(one.type())
      void one.accept()
    })
    await page.reload()
    expect(dialogTypes).toEqual(['beforeunload'])
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change/))
    await expect.poll(() => description().inputValue()).toBe('typed and reloaded')
    await tool(page, 'Discard changes').click()
  })

  it('unconfirmed input and a discard survive a reload during which the browser database does not answer', async () => {
    const { document } = await openAndType('typed and left at once')
    const stop = () => {
      // Simulates a slow disk: requests to open the database never complete.
      Object.defineProperty(IDBFactory.prototype, 'open', { value: () => new EventTarget() })
    }
    await page.evaluate(stop)
    page.once('dialog', one => void one.accept())
    await page.reload()
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change/))
    await expect.poll(() => description().inputValue()).toBe('typed and left at once')
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter(key => key.includes('unkept'))))
      .toEqual([])
    await page.evaluate(stop)
    await tool(page, 'Discard changes').click()
    await page.reload()
    await expectShown(document)
    await expect.poll(() => description().inputValue()).toBe('')
    await expect.poll(() => document.getByText(/^Restored draft/).count()).toBe(0)
  })

  it('Save in the choices dialog adds the unconfirmed name or rejects it in its field', async () => {
    await openNewEntity()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const choices = dialog(page, 'Choices')
    const name = choices.getByRole('textbox')
    await name.fill('red')
    await name.press('Enter')
    await name.fill('red')
    await press(choices, 'Save')
    await choices.getByRole('alert').waitFor()
    await name.fill('green')
    await press(choices, 'Save')
    await choices.waitFor({ state: 'detached' })
    await expectShown(property(page, 'Type Attribute', 'Choices').getByText('2', { exact: true }))
    await tool(page, 'Discard changes').click()
  })
})

describe('A table of attributes', () => {
  it('searching an attribute table returns to the first page, and its key shows why it cannot be deleted', async () => {
    const typeAttributes = Array.from({ length: 500 }, (_, at) => ({ name: `field_${at + 100}` }))
    const wide = await api.createEntity({ name: 'Searched', typeAttributes }, shop)
    const document = await openEntity(page, wide)
    const next = document.getByRole('button', { name: 'Next page' })
    await document.getByRole('combobox', { name: 'Rows per page' }).click()
    await page.getByRole('option').first().click()
    await next.click()
    await next.click()
    await expect.poll(() => row(page, 'Type attributes', 'field_100').count()).toBe(0)
    await document.getByLabel('Search type attributes').fill('field_1')
    await expectShown(row(page, 'Type attributes', 'field_100'))

    await row(page, 'Type attributes', 'id').click()
    const remove = document.getByRole('button', { name: 'Delete', exact: true })
    await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => remove.getAttribute('data-tip')).toBe('The key cannot be deleted.')
    await keys(page, 'Control+-')
    await expectShown(snackbar(page, 'The key cannot be deleted.'))
    await row(page, 'Type attributes', 'field_100').click()
    await keys(page, 'Control+-')
    await press(question(page, 'Delete Type Attributes?'), 'Cancel')
  })
})

describe('F2 on a row of the tree', () => {
  const nameOf = (name: string) => property(page, 'Entity', name).getByRole('textbox')
  const focused = (what: Locator) => what.evaluate(element => element === element.ownerDocument.activeElement)

  it('F2 on a tree row opens the entity and focuses its name; Escape returns to the row', async () => {
    const { entity } = await openNewEntity()
    const other = await api.createEntity({ name: 'Aside', typeAttributes: [{ name: 'first' }] }, shop)
    await openEntity(page, entity)
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', other.name)
    await node.focus()
    await keys(page, 'F2')
    await expectShown(entityDocument(page, other.name))
    await expect.poll(() => focused(nameOf('Name'))).toBe(true)
    await expect.poll(() => nameOf('Name').inputValue()).toBe(other.name)
    await keys(page, 'Escape')
    await expect.poll(() => focused(node)).toBe(true)
    await keys(page, 'F2')
    await expect.poll(() => focused(nameOf('Name'))).toBe(true)
    await page.keyboard.type('Beside')
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Beside'))
    await tool(page, 'Discard changes').click()
  })

  it('F2 on a tree row leaves the focus alone if the user has moved it before the entity is loaded', async () => {
    const entity = await api.createEntity({ name: 'Abeam', typeAttributes: [{ name: 'first' }] }, shop)
    const late = Promise.withResolvers<void>()
    await page.route(`**/1.0/cdm/entity/${entity.id}*`, async route => {
      await late.promise
      await route.continue()
    })
    await page.goto('/')
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', entity.name)
    await node.focus()
    await keys(page, 'F2', '/')
    const search = page.getByRole('navigation', { name: 'Navigator' }).getByRole('textbox', { name: 'Search' })
    await expect.poll(() => focused(search)).toBe(true)
    late.resolve()
    await expectShown(entityDocument(page, entity.name))
    await expect.poll(() => focused(search)).toBe(true)
    await page.unrouteAll()
  })

  it('F2 on a tree row without a name does not change the active document', async () => {
    const { document } = await openNewEntity()
    const group = await nodeAt(page, 'Custom', 'Manifests')
    await group.focus()
    await keys(page, 'F2')
    await expect.poll(() => focused(group)).toBe(true)
    await expectShown(document)
  })
})

/** Creates an entity and opens it; `deleteAttribute` deletes an attribute as another user and refreshes the page. */
async function openForConcurrentEdit() {
  count += 1
  const entity = await api.createEntity(
    { name: `TypedBeside_${count}`, typeAttributes: [{ name: 'first' }, { name: 'second' }] },
    shop,
  )
  const document = await openEntity(page, entity)
  const deleteAttribute = async (name: string) => {
    const typeAttributes = entity.typeAttributes
      .filter(attribute => attribute.name !== name)
      .map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entity.name, typeAttributes } })
    await returnToPage(page)
  }
  return { entity, document, deleteAttribute }
}

const field = (group: string, label: string) => property(page, group, label).getByRole('textbox')
const messages = page.getByRole('region', { name: 'Messages' })
const keptRowMessage = (name: string) =>
  `Someone else deleted ${name}. It stays here with your input as an unsaved change.`

describe('Input in a row deleted by another user', () => {
  it('input in a deleted row remains unsaved; Save shows the conflict and keeping the input restores the row', async () => {
    const { entity, document, deleteAttribute } = await openForConcurrentEdit()
    await row(page, 'Type attributes', 'first').click()
    await fillProperty(field('Type Attribute', 'Description'), 'half a sentence')
    await deleteAttribute('first')
    await expectShown(snackbar(page, keptRowMessage('first')))
    await saveScreenshot(page, 'typed-below-deleted-row')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await expect.poll(() => field('Type Attribute', 'Description').inputValue()).toBe('half a sentence')
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'Attribute first: deleted or changed' }))
    await expectShown(document.getByText('You, elsewhere'))
    await expectAccessible(page, 'conflict')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { typeAttributes } = await api.entityOf(entity.id)
    expect(typeAttributes.find(({ name }) => name === 'first')?.description).toBe('half a sentence')
  })

  it('input in a deleted relationship remains unsaved and keeping it restores the relationship', async () => {
    const { entity, document } = await openForConcurrentEdit()
    await api.relate(entity.id, await api.entityOf(await api.entityNamed('Country')), 'countryId')
    await returnToPage(page)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'Country').click()
    await fillProperty(field('Entity Attribute', 'Description'), 'half a sentence')
    const country = await api.entityNamed('Country')
    const path = `/1.0/cdm/entity/${entity.id}/associatedEntity/${country}?associatedAttributeName=countryId`
    await send(page, 'DELETE', path)
    await returnToPage(page)
    await expectShown(snackbar(page, keptRowMessage('countryId')))
    await expect.poll(() => field('Entity Attribute', 'Description').inputValue()).toBe('half a sentence')
    await tool(page, 'Save').click()
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { entityAttributes } = await api.entityOf(entity.id)
    expect(entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'countryId', description: 'half a sentence' }])
  })

  it('invalid input in a deleted row is shown in a message and can be copied', async () => {
    const { deleteAttribute } = await openForConcurrentEdit()
    await row(page, 'Type attributes', 'first').click()
    await fillProperty(field('Type Attribute', 'Name'), '9 lives')
    await deleteAttribute('first')
    const message = messages.getByText(/^"9 lives" was not applied to Name: this must contain only alphanumeric/)
    await expectShown(message)
    await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await messages.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('9 lives')
    await expectShown(snackbar(page, 'Copied to the clipboard.'))
    await expectShown(message)
    await messages.getByRole('button', { name: 'Dismiss' }).first().click()
    await message.waitFor({ state: 'detached' })
  })

  it('input in the larger editor of a deleted row is shown in a message', async () => {
    const { deleteAttribute } = await openForConcurrentEdit()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Description')
      .getByRole('button', { name: /larger field/ })
      .click()
    const open = dialog(page, 'Description')
    await open.getByRole('textbox').fill('two lines\nof a description')
    await deleteAttribute('first')
    await open.waitFor({ state: 'detached' })
    await expectShown(
      messages.getByText(/^"two lines\s+of a description" was not applied to Description: the edited object/),
    )
    await messages.getByRole('button', { name: 'Dismiss' }).click()
  })
})

describe('Input in a field changed by another user', () => {
  it('a field with input shows the value of another user and Save replaces it', async () => {
    const { entity } = await openForConcurrentEdit()
    const description = field('Entity', 'Description')
    await description.fill('half a sentence')
    await api.describe(entity.id, 'theirs')
    await returnToPage(page)
    const notice = property(page, 'Entity', 'Description').getByText(
      'Someone else changed it to "theirs". Your input replaces that.',
    )
    await expectShown(notice)
    await expect.poll(() => description.inputValue()).toBe('half a sentence')
    await description.press('Escape')
    await expect.poll(() => description.inputValue()).toBe('theirs')
    await expect.poll(() => notice.count()).toBe(0)
    await description.fill('a whole sentence')
    await api.describe(entity.id, 'theirs, newer')
    await returnToPage(page)
    await expectShown(property(page, 'Entity', 'Description').getByText(/^Someone else changed it to "theirs, newer"/))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect((await api.entityOf(entity.id)).description).toBe('a whole sentence')
    await expect.poll(() => description.inputValue()).toBe('a whole sentence')
  })
})

it('unconfirmed input causes no errors on the page', () => {
  expect(journey.complaints).toEqual([])
})
