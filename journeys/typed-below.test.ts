import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { lookAgain, openEntity, send, tool } from './driver/document.ts'
import { names, property, row } from './driver/entity.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, expectShown, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

/** A fresh entity, open in its tab; `without` is somebody else who takes an attribute away, and the page looks again. */
async function opened() {
  count += 1
  const entity = await api.createEntity(
    { name: `Typed_${count}`, typeAttributes: [{ name: 'first' }, { name: 'second' }] },
    shop,
  )
  const document = await openEntity(page, entity)
  const without = async (name: string) => {
    const typeAttributes = entity.typeAttributes
      .filter(attribute => attribute.name !== name)
      .map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entity.name, typeAttributes } })
    await lookAgain(page)
  }
  return { entity, document, without }
}

const field = (group: string, label: string) => property(page, group, label).getByRole('textbox')
const messages = page.getByRole('region', { name: 'Messages' })
const stays = (name: string) => `Someone else deleted ${name}. It stays here with your input as an unsaved change.`

describe('What is being typed into a row that somebody deletes meanwhile', () => {
  it('stays with the row, unsaved; the save shows both, and mine brings it back', async () => {
    const { entity, document, without } = await opened()
    await row(page, 'Type attributes', 'first').click()
    await field('Type Attribute', 'Description').fill('half a sentence')
    await without('first')
    await expectShown(snackbar(page, stays('first')))
    await shoot(page, 'typed-below-deleted-row')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await expect.poll(() => field('Type Attribute', 'Description').inputValue()).toBe('half a sentence')
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'Attribute first: deleted or changed' }))
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { typeAttributes } = await api.entityOf(entity.id)
    expect(typeAttributes.find(({ name }) => name === 'first')?.description).toBe('half a sentence')
  })

  it('that is a relationship, which is stored at once, too', async () => {
    const { entity, document } = await opened()
    await api.relate(entity.id, await api.entityOf(await api.entityNamed('Country')), 'countryId')
    await lookAgain(page)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'Country').click()
    await field('Entity Attribute', 'Description').fill('half a sentence')
    const country = await api.entityNamed('Country')
    const path = `/1.0/cdm/entity/${entity.id}/associatedEntity/${country}?associatedAttributeName=countryId`
    await send(page, 'DELETE', path)
    await lookAgain(page)
    await expectShown(snackbar(page, stays('countryId')))
    await expect.poll(() => field('Entity Attribute', 'Description').inputValue()).toBe('half a sentence')
    await tool(page, 'Save').click()
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { entityAttributes } = await api.entityOf(entity.id)
    expect(entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'countryId', description: 'half a sentence' }])
  })

  it('and that no rule allows is given back in a message that stays, to be copied', async () => {
    const { without } = await opened()
    await row(page, 'Type attributes', 'first').click()
    await field('Type Attribute', 'Name').fill('9 lives')
    await without('first')
    const told = messages.getByText(/^"9 lives" was not applied to Name: this must contain only alphanumeric/)
    await expectShown(told)
    await expectClean(page, 'typed-given-back')
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await messages.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('9 lives')
    await expectShown(snackbar(page, 'Copied to the clipboard.'))
    // While the pointer is on them, messages stay.
    await page.mouse.move(0, 0)
    await snackbar(page, 'Copied to the clipboard.').waitFor({ state: 'detached' })
    await expectShown(told)
    await messages.getByRole('button', { name: 'Dismiss' }).click()
    await told.waitFor({ state: 'detached' })
  })

  it('in a larger field is given back too', async () => {
    const { without } = await opened()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Description')
      .getByRole('button', { name: /larger field/ })
      .click()
    const open = dialog(page, 'Description')
    await open.getByRole('textbox').fill('two lines\nof a description')
    await without('first')
    await open.waitFor({ state: 'detached' })
    await expectShown(
      messages.getByText(/^"two lines\s+of a description" was not applied to Description: the edited object/),
    )
    await messages.getByRole('button', { name: 'Dismiss' }).click()
  })

  it('and the choices that were entered for it', async () => {
    const { without } = await opened()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const open = dialog(page, 'Choices')
    await open.getByRole('textbox').fill('red')
    await page.keyboard.press('Enter')
    await open.getByRole('textbox').fill('green')
    await without('first')
    await open.waitFor({ state: 'detached' })
    await expectShown(
      messages.getByText(/^"red\s+green" was not applied to Choices: the edited object no longer exists\.$/),
    )
    await messages.getByRole('button', { name: 'Dismiss' }).click()
  })
})

describe('What is being typed where somebody changes the same meanwhile', () => {
  it('stays in its field, which says what theirs is; saved, it replaces that', async () => {
    const { entity } = await opened()
    const description = field('Entity', 'Description')
    await description.fill('half a sentence')
    await api.describe(entity.id, 'theirs')
    await lookAgain(page)
    const told = property(page, 'Entity', 'Description').getByText(
      'Someone else changed it to "theirs". Your input replaces that.',
    )
    await expectShown(told)
    await expectClean(page, 'typed-meanwhile')
    expect(await description.inputValue()).toBe('half a sentence')
    await description.press('Escape')
    await expect.poll(() => description.inputValue()).toBe('theirs')
    expect(await told.count()).toBe(0)
    await description.fill('a whole sentence')
    await api.describe(entity.id, 'theirs, newer')
    await lookAgain(page)
    await expectShown(property(page, 'Entity', 'Description').getByText(/^Someone else changed it to "theirs, newer"/))
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect((await api.entityOf(entity.id)).description).toBe('a whole sentence')
    await expect.poll(() => description.inputValue()).toBe('a whole sentence')
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
