import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { hold, openEntity, refuse, send, toolDialog } from './driver/document.ts'
import { addAttribute, names, property, row, setText, tab } from './driver/entity.ts'
import { focusText, keys } from './driver/keyboard.ts'
import { expectClean } from './driver/sight.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk

/** Somebody comes back to the page after a while: what it shows is read again. */
async function comeBack(): Promise<void> {
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now.call(Date) + 60_000
    window.dispatchEvent(new Event('visibilitychange'))
    setTimeout(() => (Date.now = now), 200)
  })
}

const one = (id: number) => new RegExp(`/1.0/cdm/entity/${id}(\\?.*)?$`)
const description = (group = 'Entity') => property(page, group, 'Description').getByRole('textbox')

async function related(name: string): Promise<void> {
  const api = apiOf(page)
  const target = await api.createEntity({ name: `${name}Target` })
  const entity = await api.createEntity({ name })
  await api.relate(entity.id, target, 'targetId')
  await openEntity(page, entity)
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  await row(page, 'Relationships', 'targetId').click()
}

describe('While a save is under way', () => {
  it('a new relationship waits for it, and is not given up', async () => {
    const target = await apiOf(page).createEntity({ name: 'Awaited' })
    const entity = await apiOf(page).createEntity({ name: 'Awaiting' })
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'Saved before')
    const save = await hold(page, one(entity.id), 'PUT')
    await keys(page, 'Control+s')
    await save.asked
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('awaitedId')
    await find(page, open, 'Associated Entity', target.name)
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
    await press(open, 'Finish')
    await page.waitForTimeout(300)
    await expectShown(open)
    save.letGo()
    await open.waitFor({ state: 'detached' })
    await expectShown(snackbar(page, "Successfully added 'awaitedId' entity attribute!"))
    await openEntity(page, entity)
    await expect.poll(() => names(page, 'Relationships')).toEqual(['Awaited'])
    expect(await description().inputValue()).toBe('Saved before')
  })

  it('what was read before it and comes after it does not take its place', async () => {
    const entity = await apiOf(page).createEntity({ name: 'Overtaken' })
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'Newest')
    const read = await hold(page, one(entity.id), 'GET', true)
    await comeBack()
    await read.asked
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    read.letGo()
    await page.waitForTimeout(500)
    expect(await description().inputValue()).toBe('Newest')
  })
})

describe('What was typed', () => {
  it('keeps a preview open, where the server is still asked about it', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    await apiOf(page).createEntity({ name: 'Previewed' }, shop)
    await apiOf(page).createEntity({ name: 'Clicked' }, shop)
    await page.goto('/')
    const node = (name: string) => nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', name)
    await (await node('Previewed')).click()
    const name = property(page, 'Entity', 'Name').getByRole('textbox')
    await expect.poll(() => name.inputValue()).toBe('Previewed')
    const look = await hold(page, /search=Renamed/, 'GET')
    await name.fill('Renamed')
    await (await node('Clicked')).click()
    await look.asked
    await expect.poll(() => name.inputValue()).toBe('Clicked')
    look.letGo()
    await tab(page, 'Previewed').click()
    await expect.poll(() => name.inputValue()).toBe('Renamed')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('into the larger editor stays where somebody else changes the value, and is told of it', async () => {
    const entity = await apiOf(page).createEntity({ name: 'Enlarged' })
    await openEntity(page, entity)
    await page.getByRole('button', { name: 'Edit Description in a larger field' }).click()
    const open = dialog(page, 'Description')
    await open.getByRole('textbox').fill('A long text of mine')
    await apiOf(page).describe(entity.id, 'Theirs meanwhile')
    await comeBack()
    await expectShown(open.getByRole('note').getByText('Theirs meanwhile', { exact: true }))
    await expectClean(page, 'changed-meanwhile')
    expect(await open.getByRole('textbox').inputValue()).toBe('A long text of mine')
    await press(open, 'Save')
    await expect.poll(() => description().inputValue()).toBe('A long text of mine')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('of choices is told of what somebody else changed, before it takes the place of that', async () => {
    const typeAttributes = [{ name: 'kind', choices: ['one', 'two'] }]
    const entity = await apiOf(page).createEntity({ name: 'Chosen', typeAttributes })
    await openEntity(page, entity)
    await row(page, 'Type attributes', 'kind').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const open = dialog(page, 'Choices')
    await open.getByRole('textbox').fill('mine')
    const theirs = entity.typeAttributes.map(({ nullable: isNullable, ...rest }) => ({
      ...rest,
      isNullable,
      choices: rest.name === 'kind' ? ['one', 'two', 'theirs'] : rest.choices,
    }))
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: 'Chosen', typeAttributes: theirs } })
    await comeBack()
    await expectShown(open.getByRole('note').getByText('one, two, theirs', { exact: true }))
    await press(open, 'Cancel')
  })

  it('and is refused by the server can be had again', async () => {
    await related('Refused')
    await refuse(page, 'PUT', /associatedEntity/, 'Not now.')
    await description('Entity Attribute').fill('A long text about it')
    await keys(page, 'Enter')
    const field = property(page, 'Entity Attribute', 'Description')
    await expectShown(field.getByRole('alert').getByText('Not now.', { exact: true }))
    expect(await description('Entity Attribute').inputValue()).toBe('')
    await page.unrouteAll()
    await keys(page, 'Tab', 'Tab')
    expect(await focusText(page)).toBe('Edit your input')
    await keys(page, 'Enter')
    await expect.poll(() => description('Entity Attribute').inputValue()).toBe('A long text about it')
    await keys(page, 'Enter')
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await expect.poll(() => field.getByRole('alert').count()).toBe(0)
    expect(await description('Entity Attribute').inputValue()).toBe('A long text about it')
  })
})

it(
  'What was refused at Enter can be had again by mouse, although the field has the focus',
  holds('E4.38'),
  async () => {
    await openEntity(page, await apiOf(page).createEntity({ name: 'AtEnter' }))
    const name = property(page, 'Entity', 'Name')
    const field = name.getByRole('textbox')
    await field.fill('9 lives')
    await keys(page, 'Enter')
    await expect.poll(() => field.inputValue()).toBe('AtEnter')
    await name.getByRole('button', { name: 'Edit your input' }).click()
    await expect.poll(() => field.inputValue()).toBe('9 lives')
    await keys(page, 'Escape')
  },
)

describe('What was discarded with its tab', () => {
  async function givenUp(name: string): Promise<void> {
    await openEntity(page, await apiOf(page).createEntity({ name, typeAttributes: [{ name: 'first' }] }))
    await setText(page, 'Entity', 'Description', 'given up')
    await addAttribute(page, 'second')
    await keys(page, 'Alt+w')
    await press(question(page, 'Save Changes?'), 'Discard')
    await expect.poll(() => tab(page, name).count()).toBe(0)
  }
  async function broughtBack(): Promise<void> {
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await expect.poll(() => description().inputValue()).toBe('given up')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  }

  it('comes back by Undo, and its tab with it', async () => {
    await givenUp('GivenUp')
    await broughtBack()
    expect(await tab(page, 'GivenUp').count()).toBe(1)
  })

  it('comes back where the entity is open again', async () => {
    await givenUp('Reopened')
    await (await nodeAt(page, 'Custom', 'Entities', 'Reopened')).dblclick()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first'])
    await broughtBack()
  })
})

describe('Manage Versions', () => {
  let open: Locator

  it('says why the versions of a manifest cannot be read, and tries again', async () => {
    const id = await apiOf(page).createManifest('Unread')
    await refuse(page, 'GET', /\/manifest\/\d+\/version/, 'Not now.')
    await page.goto(`/?manifest=${id}`)
    open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await expectShown(open.getByRole('alert').getByText('No versions to display. Not now.', { exact: true }))
    await page.unrouteAll()
    await press(open, 'Retry')
    await expect.poll(() => names(page, 'Versions')).toEqual(['1.0.0'])
  })

  it('says below its field why one was not added, until another is typed', holds('E8.8'), async () => {
    await refuse(page, 'POST', /\/version/, 'Too early.')
    const field = open.getByLabel('Manifest Version')
    const said = () =>
      field.evaluate(element => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)
    await field.fill('1.5.0')
    await press(open, 'Add')
    await expect.poll(said).toBe('Too early.')
    await field.fill('none')
    await expect.poll(said).toBe('Invalid version pattern.')
    await field.fill('1.6.0')
    await expect.poll(() => open.getByRole('alert').count()).toBe(0)
    await press(open, 'Cancel')
  })
})

it('Messages go by themselves, also after one was dismissed by keyboard', { timeout: 60_000 }, async () => {
  const entity = await apiOf(page).createEntity({ name: 'Dismissed' })
  await openEntity(page, entity)
  const saved = snackbar(page, 'Entity saved successfully!')
  const save = async (text: string) => {
    await setText(page, 'Entity', 'Description', text)
    await keys(page, 'Control+s')
    await expectShown(saved)
  }
  await save('first')
  await keys(page, 'F6', 'Tab', 'Enter')
  await saved.waitFor({ state: 'detached' })
  await save('second')
  await saved.waitFor({ state: 'detached' })
})

it('the page complained about nothing on the way', () => {
  expect(desk.complaints).toEqual([])
})
