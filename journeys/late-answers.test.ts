import { holds } from '@cadmus/testing/holds'
import type { Locator, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { hold, navigate, nextChange, openEntity, record, refuse, send, tool, toolDialog } from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText, tab } from './driver/entity.ts'
import { focusText, hasFocus, keys } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, holdMessages, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])

/** Simulates a return to the page after a minute, which makes it read its data again. */
async function simulateReturn(): Promise<void> {
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now.call(Date) + 60_000
    window.dispatchEvent(new Event('visibilitychange'))
  })
}

const entityUrl = (id: number) => new RegExp(`/1.0/cdm/entity/${id}(\\?.*)?$`)
const description = (group = 'Entity') => property(page, group, 'Description').getByRole('textbox')

async function openRelationship(name: string): Promise<void> {
  const api = apiOf(page)
  const target = await api.createEntity({ name: `${name}Target` })
  const entity = await api.createEntity({ name })
  await api.relate(entity.id, target, 'targetId')
  await openEntity(page, entity)
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  await row(page, 'Relationships', 'targetId').click()
}

describe('Concurrent requests during a save', () => {
  it('a relationship added during a save stays unsaved until the next one', async () => {
    const target = await apiOf(page).createEntity({ name: 'Awaited' })
    const entity = await apiOf(page).createEntity({ name: 'Awaiting' })
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'Saved before')
    const save = await hold(page, new RegExp(`/entity/${entity.id}/edits`), 'POST')
    await keys(page, 'Control+s')
    await save.requested
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('awaitedId')
    await find(page, open, 'Associated Entity', target.name)
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
    await press(open, 'Finish')
    await open.waitFor({ state: 'detached' })
    await expectShown(snackbar(page, "Successfully added 'awaitedId' entity attribute!"))
    save.release()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => names(page, 'Relationships')).toEqual(['Awaited'])
    expect((await apiOf(page).entityOf(entity.id)).entityAttributes).toEqual([])
    await keys(page, 'Control+s')
    await expect.poll(async () => (await apiOf(page).entityOf(entity.id)).entityAttributes).toHaveLength(1)
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('Saved before')
  })

  it('a response requested before the save does not replace the saved values', async () => {
    const entity = await apiOf(page).createEntity({ name: 'Overtaken' })
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'Newest')
    const read = await hold(page, entityUrl(entity.id), 'GET', true)
    await simulateReturn()
    await read.requested
    // The page may abort the request.
    const isRead = (request: Request) => entityUrl(entity.id).test(request.url()) && request.method() === 'GET'
    const over = Promise.any([page.waitForEvent('requestfinished', isRead), page.waitForEvent('requestfailed', isRead)])
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    read.release()
    await over
    await expect.poll(() => description().inputValue()).toBe('Newest')
  })
})

describe('Pending input', () => {
  it('input converts a preview into a tab while the server checks the name', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    await apiOf(page).createEntity({ name: 'Previewed' }, shop)
    await apiOf(page).createEntity({ name: 'Clicked' }, shop)
    const node = (name: string) => nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', name)
    await (await node('Previewed')).click()
    const name = property(page, 'Entity', 'Name').getByRole('textbox')
    await expect.poll(() => name.inputValue()).toBe('Previewed')
    const nameCheck = await hold(page, /search=Renamed/, 'GET')
    await name.fill('Renamed')
    await (await node('Clicked')).click()
    await nameCheck.requested
    await expect.poll(() => name.inputValue()).toBe('Clicked')
    nameCheck.release()
    await tab(page, 'Previewed').click()
    await expect.poll(() => name.inputValue()).toBe('Renamed')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('the larger editor preserves its input and shows a concurrent change by another user', async () => {
    const entity = await apiOf(page).createEntity({ name: 'Enlarged' })
    await openEntity(page, entity)
    await page.getByRole('button', { name: 'Edit Description in a larger field' }).click()
    const open = dialog(page, 'Description')
    await open.getByRole('textbox').fill('A long text of mine')
    await apiOf(page).describe(entity.id, 'Theirs meanwhile')
    await simulateReturn()
    await expectShown(open.getByRole('note').getByText('Theirs meanwhile', { exact: true }))
    await expectAccessible(page, 'concurrent-changes')
    await expect.poll(() => open.getByRole('textbox').inputValue()).toBe('A long text of mine')
    await press(open, 'Save')
    await expect.poll(() => description().inputValue()).toBe('A long text of mine')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('the choices dialog shows concurrent changes by another user', async () => {
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
    await simulateReturn()
    await expectShown(open.getByRole('note').getByText('one, two, theirs', { exact: true }))
    await press(open, 'Cancel')
  })

  it('rejected input can be restored by keyboard', async () => {
    await openRelationship('Refused')
    const field = property(page, 'Entity Attribute', 'Foreign Key Type Attribute')
    const name = field.getByRole('textbox')
    await name.fill('a__b')
    await keys(page, 'Enter')
    await expectShown(field.getByRole('alert'))
    await expect.poll(() => name.inputValue()).toBe('targetId')
    await keys(page, 'Tab')
    await expect.poll(() => focusText(page)).toBe('Edit your input')
    await keys(page, 'Enter')
    await expect.poll(() => name.inputValue()).toBe('a__b')
    await name.fill('otherId')
    await keys(page, 'Enter')
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await expect.poll(() => field.getByRole('alert').count()).toBe(0)
    await expect.poll(() => name.inputValue()).toBe('otherId')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })
})

it('input rejected on Enter can be restored by mouse while the field has the focus', holds('E4.38'), async () => {
  await openEntity(page, await apiOf(page).createEntity({ name: 'AtEnter' }))
  const name = property(page, 'Entity', 'Name')
  const field = name.getByRole('textbox')
  await field.fill('9 lives')
  await keys(page, 'Enter')
  await expect.poll(() => field.inputValue()).toBe('AtEnter')
  await name.getByRole('button', { name: 'Edit your input' }).click()
  await expect.poll(() => field.inputValue()).toBe('9 lives')
  await keys(page, 'Escape')
})

describe('Changes discarded with their tab', () => {
  async function discardWithTab(name: string): Promise<number> {
    const entity = await apiOf(page).createEntity({ name, typeAttributes: [{ name: 'first' }] })
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'given up')
    await addAttribute(page, 'second')
    await keys(page, 'Alt+w')
    await press(question(page, 'Save Changes?'), 'Discard')
    await expect.poll(() => tab(page, name).count()).toBe(0)
    return entity.id
  }
  async function undoDiscard(): Promise<void> {
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await expect.poll(() => description().inputValue()).toBe('given up')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  }

  it('Undo reopens the tab with its discarded changes', async () => {
    await discardWithTab('GivenUp')
    await undoDiscard()
    await expect.poll(() => tab(page, 'GivenUp').count()).toBe(1)
  })

  it('Undo restores discarded changes in a tab that was opened again', async () => {
    const id = await discardWithTab('Reopened')
    await holdMessages(page)
    // A history entry, because loading the page would drop the Undo.
    await page.evaluate(to => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/?entity=${id}`)
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first'])
    await undoDiscard()
  })
})

describe('Manage Versions', () => {
  let open: Locator

  it('a failed request for versions shows the reason, and Retry repeats it', async () => {
    const id = await apiOf(page).createManifest('Unread')
    await refuse(page, 'GET', /\/manifest\/\d+\/version/, 'Not now.')
    await page.goto(`/?manifest=${id}`)
    open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await expectShown(open.getByRole('alert').getByText('No versions to display. Not now.', { exact: true }))
    await page.unrouteAll()
    await press(open, 'Retry')
    await expect.poll(() => names(page, 'Versions')).toEqual(['1.0.0'])
  })

  it('the reason for a rejected version is shown below the field until it changes', holds('E8.8'), async () => {
    await refuse(page, 'POST', /\/version/, 'Too early.')
    const field = open.getByLabel('Manifest Version')
    const readDescribedText = () =>
      field.evaluate(element => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)
    await field.fill('1.5.0')
    await press(open, 'Add')
    await expect.poll(readDescribedText).toBe('Too early.')
    await field.fill('none')
    await expect.poll(readDescribedText).toBe('Invalid version pattern.')
    await field.fill('1.6.0')
    await expect.poll(() => open.getByRole('alert').count()).toBe(0)
    await press(open, 'Cancel')
  })
})

describe('Documents', () => {
  it("a failed load shows 'Unexpected error' if the server gives no reason", holds('M8.34'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'Silent' })
    await refuse(page, 'GET', new RegExp(`/1.0/cdm/entity/${id}`))
    await navigate(page, `/?entity=${id}`)
    await expectShown(snackbar(page, 'Unexpected error'))
    await expectShown(page.getByRole('main').getByRole('alert').getByText('Unexpected error', { exact: true }))
  })

  it('pasted scopes are split at commas and trimmed, and empty ones are dropped', holds('E4.23'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'Pasted' })
    await openEntity(page, { id, name: 'Pasted' })
    const scopes = property(page, 'Entity', 'Select Scopes').getByRole('combobox')
    await page.evaluate(() => navigator.clipboard.writeText(' a, ,b ,'))
    await scopes.focus()
    await keys(page, 'Control+v')
    await expect.poll(() => scopes.textContent()).toBe('ab')
    const saved = record(page)
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const body: unknown = JSON.parse(saved.find(({ method }) => method === 'POST')?.body ?? '{}')
    expect(body).toMatchObject({ edits: [{ kind: 'changeScopes', change: { selectOperationScopes: ['a', 'b'] } }] })
  })
})

describe('Entity properties', () => {
  it(
    'a new name is shown in tab, tree and path; the primary key can be renamed and a length is stored as a number',
    holds('E3.35', 'E4.19', 'E4.20', 'E4.21', 'E4.22'),
    async () => {
      const firm = await apiOf(page).createManifest('Firm')
      const typeAttributes = [{ name: 'note' }]
      const { id } = await apiOf(page).createEntity({ name: 'Regular', typeAttributes }, firm)
      await openEntity(page, { id, name: 'Regular' })
      await setText(page, 'Entity', 'Name', 'Client')
      await row(page, 'Type attributes', 'note').click()
      await setText(page, 'Type Attribute', 'Max Length', '080')
      await property(page, 'Type Attribute', 'Nullable').getByRole('checkbox').click()
      await row(page, 'Type attributes', 'id').click()
      await setText(page, 'Type Attribute', 'Name', 'clientId')
      const sent = nextChange(page)
      await tool(page, 'Save').click()
      expect((await sent).postDataJSON()).toMatchObject({
        edits: [
          { kind: 'changeEntity', change: { name: 'Client' } },
          { kind: 'changeAttributes', changes: [{ change: { name: 'clientId' } }, { change: { nullable: true } }] },
        ],
      })
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await expectShown(entityDocument(page, 'Client'))
      await expectShown(tab(page, 'Client'))
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Firm', 'Entities', 'Client'))
      await expectShown(property(page, 'Entity', 'Path').getByText('user-defined/Firm/Client', { exact: true }))
      await expect
        .poll(() => apiOf(page).entityOf(id))
        .toMatchObject({
          name: 'Client',
          path: 'user-defined/Firm/Client',
          primaryKey: 'clientId',
          typeAttributes: [{ name: 'clientId' }, { name: 'note', maxLength: 80, nullable: true }],
        })
    },
  )
})

describe('Relationship properties', () => {
  async function openTargetRelationship(name: string) {
    const api = apiOf(page)
    const target = await api.createEntity({ name: `${name}Target` })
    const entity = await api.createEntity({ name })
    await api.relate(entity.id, target, 'targetId')
    await openEntity(page, entity)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'targetId').click()
    return entity
  }

  it(
    "a cleared associated entity shows 'Required' and is saved only after another one is selected",
    holds('E5.30'),
    async () => {
      const { id } = await openTargetRelationship('Emptied')
      const field = property(page, 'Entity Attribute', 'Associated Entity')
      const value = field.getByRole('combobox')
      const calls = record(page)
      await field.getByRole('button', { name: 'Clear Associated Entity' }).click()
      await expectShown(field.getByRole('alert').getByText('Required', { exact: true }))
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => hasFocus(value)).toBe(true)
      await apiOf(page).createEntity({ name: 'AnotherTarget' })
      await find(page, field, 'Associated Entity', 'AnotherTarget')
      await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
      expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
      await keys(page, 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe(null)
      await value.focus()
      await keys(page, 'Delete')
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true')
      const { entityAttributes } = await apiOf(page).entityOf(id)
      expect(entityAttributes).toMatchObject([{ associatedEntity: { name: 'AnotherTarget' } }])
    },
  )

  it('a trait can be selected from a long list by searching', holds('E3.73'), async () => {
    await openTargetRelationship('Traited')
    const field = property(page, 'Entity Attribute', 'Trait Reference')
    await expect.poll(() => field.getByRole('combobox').textContent()).toMatch(/^is\.identifiedBy/)
    await field.getByRole('combobox').click()
    await page.getByRole('combobox', { name: 'Search Trait Reference' }).fill('means.')
    const options = page.getByRole('option')
    await expect.poll(async () => (await options.first().textContent()) ?? '').toMatch(/^means\./)
    await expect.poll(() => options.count()).toBeGreaterThanOrEqual(20)
    await keys(page, 'Escape')
    await find(page, field, 'Trait Reference', 'means.location.city')
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await page.reload()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'targetId').click()
    await expectShown(field.getByText('means.location.city', { exact: true }))
  })
})

it('messages disappear automatically, also after one was dismissed by keyboard', async () => {
  const entity = await apiOf(page).createEntity({ name: 'Dismissed' })
  await openEntity(page, entity)
  await page.clock.install()
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
  await page.clock.fastForward(10_000)
  await saved.waitFor({ state: 'detached' })
})

it('the page reports no errors', () => {
  expect(journey.complaints).toEqual([])
})
