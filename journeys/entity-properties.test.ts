import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { expectSaved, openEntity, record, send, tool, toolDialog, typeInOneTask } from './driver/document.ts'
import { addAttribute, entityDocument, property, row, setText } from './driver/entity.ts'
import { dialog, expectShown, find, pick, press, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

const invalid =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed. It must begin with a letter, not with "9".'

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).createManifest('Scoped')
const scopeDefinitions = ['read', 'write', 'list', 'audit', 'purge']
const apiScopeConfiguration = { scopeDefinitions: [...scopeDefinitions, 'all'], globalScopes: ['all'] }
const configuration = { manifestName: 'Scoped', configurationBuild: { apiScopeConfiguration } }
await send(page, 'POST', `/1.0/cdm/manifest/${shop}/configuration`, configuration)
const thing: EntityRef = await apiOf(page).createEntity(
  { name: 'Thing', description: 'Before', typeAttributes: [{ name: 'status' }] },
  shop,
)

const text = (label: string, group = 'Entity') => property(page, group, label).getByRole('textbox')
const isDirty = () =>
  page.getByRole('toolbar', { name: 'Entity' }).getByRole('button', { name: 'Save', exact: true }).isVisible()

describe('Text properties', () => {
  it('Enter and blur apply a change, Escape reverts it', holds('E2.155', 'E4.35', 'E4.36', 'E4.37'), async () => {
    await openEntity(page, thing)
    const document = entityDocument(page, 'Thing')
    const description = text('Description')
    await description.click()
    // The field is one line high for a text of one line.
    const heightOf = async (field: Locator) => (await field.boundingBox())?.height ?? 0
    await expect.poll(async () => (await heightOf(description)) - (await heightOf(text('Name')))).toBe(0)
    await document.getByRole('heading', { name: 'Thing' }).click()
    await expect.poll(isDirty).toBe(false)
    await description.fill('Typed and left')
    await description.press('Escape')
    await expect.poll(() => description.inputValue()).toBe('Before')
    await expect.poll(isDirty).toBe(false)
    await description.fill('Entered')
    await description.press('Enter')
    await expectShown(document.getByText('Entered', { exact: true }))
    await description.fill('Left')
    await document.getByRole('heading', { name: 'Thing' }).click()
    await expectShown(document.getByText('Left', { exact: true }))
    await expect.poll(isDirty).toBe(true)
    await tool(page, 'Discard changes').click()
  })

  it('an invalid name is reported 400 ms after the last key; Enter reverts it', holds('E4.34', 'E4.38'), async () => {
    await openEntity(page, thing)
    const name = text('Name')
    const alert = property(page, 'Entity', 'Name').getByRole('alert')
    // The page measures the delay from the last key to the message, so that the test runner adds nothing to it.
    await page.evaluate(() => {
      document.addEventListener('input', () => performance.mark('typed'), { capture: true })
      new MutationObserver(() => {
        if (document.querySelector('aside [role=alert]') !== null) performance.mark('shown')
      }).observe(document.body, { childList: true, subtree: true })
    })
    await typeInOneTask(name, '9bad')
    await expectShown(alert.getByText(invalid, { exact: true }))
    const after = await page.evaluate(() => {
      const shown = performance.getEntriesByName('shown')[0]?.startTime ?? 0
      return shown - (performance.getEntriesByName('typed').at(-1)?.startTime ?? 0)
    })
    expect(after).toBeGreaterThanOrEqual(399)
    await name.press('Enter')
    await expect.poll(() => name.inputValue()).toBe('Thing')
    await expectShown(alert.getByText(invalid, { exact: true }))
    await expect.poll(isDirty).toBe(false)
  })

  it('the message about rejected input disappears after Escape, undo or typing the old value', async () => {
    await openEntity(page, thing)
    const name = text('Name')
    const alert = property(page, 'Entity', 'Name').getByRole('alert')
    for (const revert of ['Escape', 'Control+z', 'retype'] as const) {
      await name.fill('80')
      await name.press('Enter')
      await expectShown(alert.getByText('"80" was not applied:'))
      // The reverted value is valid.
      await expect
        .poll(() => Promise.all([name.inputValue(), name.getAttribute('aria-invalid')]))
        .toEqual(['Thing', null])
      if (revert === 'retype') {
        await name.fill('Thin')
        await name.fill('Thing')
      } else await name.press(revert)
      await expect.poll(() => alert.count()).toBe(0)
      await expect.poll(() => name.inputValue()).toBe('Thing')
    }
    await expect.poll(isDirty).toBe(false)
  })

  it(
    'the larger editor shows the same text; Cancel discards changes, Save applies them',
    holds('E2.156', 'E2.157', 'E2.158'),
    async () => {
      await openEntity(page, thing)
      const large = property(page, 'Entity', 'Description').getByRole('button', { name: /larger/ })
      const editor = dialog(page, 'Description')
      await large.click()
      const area = editor.getByRole('textbox', { name: 'Description' })
      await expect.poll(() => area.evaluate(element => element.tagName)).toBe('TEXTAREA')
      await expect.poll(() => area.inputValue()).toBe('Before')
      await area.fill('Nothing of this')
      await press(editor, 'Cancel')
      await editor.waitFor({ state: 'detached' })
      await expect.poll(() => text('Description').inputValue()).toBe('Before')
      await expect.poll(isDirty).toBe(false)
      await large.click()
      await area.fill('First line\nSecond line')
      await press(editor, 'Save')
      await editor.waitFor({ state: 'detached' })
      await large.click()
      await expect.poll(() => area.inputValue()).toBe('First line\nSecond line')
      await press(editor, 'Cancel')
      await expect.poll(isDirty).toBe(true)
      await tool(page, 'Discard changes').click()
    },
  )
})

describe('Other properties', () => {
  it('the purpose identifiedBy turns an attribute into the primary key', holds('E3.33', 'E3.34'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'Locker', typeAttributes: [{ name: 'code', maxLength: 20 }] })
    await openEntity(page, { id, name: 'Locker' })
    const isKey = (name: string) => row(page, 'Type attributes', name).getByText('Primary key').count()
    await expect.poll(async () => [await isKey('id'), await isKey('code')]).toEqual([1, 0])
    await row(page, 'Type attributes', 'code').click()
    await pick(page, property(page, 'Type Attribute', 'Purpose'), 'Purpose', 'identifiedBy')
    await setText(page, 'Type Attribute', 'Description', 'What it is opened by')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await page.reload()
    await expectShown(row(page, 'Type attributes', 'code').locator('svg'))
    await row(page, 'Type attributes', 'code').click()
    const described = property(page, 'Type Attribute', 'Description').getByRole('textbox')
    await expect.poll(() => described.inputValue()).toBe('What it is opened by')
    await expect.poll(() => Promise.all(['id', 'code'].map(isKey))).toEqual([0, 1])
    const { primaryKey, typeAttributes } = await apiOf(page).entityOf(id)
    expect([primaryKey, typeAttributes.at(-1)?.description]).toEqual(['code', 'What it is opened by'])
  })

  it(
    'choices have unique names and can be reordered, selected and deleted',
    holds('E2.159', 'E2.160', 'E2.161', 'E2.162', 'E2.163', 'E5.37'),
    async () => {
      await openEntity(page, thing)
      await row(page, 'Type attributes', 'status').click()
      await property(page, 'Type Attribute', 'Choices').getByRole('button', { name: 'Edit Choices' }).click()
      const choices = dialog(page, 'Choices')
      await expectShown(choices.getByText('No choices to display', { exact: true }))
      for (const name of ['Open', 'Paid', 'Sent']) {
        await choices.getByRole('textbox', { name: 'Name' }).fill(name)
        await press(choices, 'Add')
      }
      await expect.poll(() => choices.getByRole('listitem').allTextContents()).toEqual(['Open', 'Paid', 'Sent'])
      const name = choices.getByRole('textbox', { name: 'Name' })
      await name.fill('Paid')
      await expectShown(choices.getByText('A choice with the name "Paid" already exists.'))
      await expect.poll(() => choices.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
      await name.fill(' Late')
      await name.press('Enter')
      await expectShown(choices.getByText('The choice " Late" must not begin or end with a space.'))
      await name.fill('')
      await choices.getByRole('button', { name: 'Move Sent up' }).click()
      await expect.poll(() => choices.getByRole('listitem').allTextContents()).toEqual(['Open', 'Sent', 'Paid'])
      await keys(page, 'Enter')
      await expect.poll(() => choices.getByRole('listitem').allTextContents()).toEqual(['Sent', 'Open', 'Paid'])
      await choices.getByText('Sent is now at position 1 of 3.').waitFor({ state: 'attached' })
      await choices.getByRole('button', { name: 'Move Open up' }).click()
      await choices.getByRole('checkbox', { name: 'Open' }).click()
      await expectShown(choices.getByText('1 Selected', { exact: true }))
      await choices.getByRole('checkbox', { name: 'Sent' }).click()
      await expectShown(choices.getByText('2 Selected', { exact: true }))
      await press(choices, 'Delete')
      await expect.poll(() => choices.getByRole('listitem').allTextContents()).toEqual(['Paid'])
      await press(choices, 'Cancel')
    },
  )

  it('Nullable is a checkbox; Data Type is a list that typing filters', holds('E2.164', 'E2.165'), async () => {
    await openEntity(page, thing)
    await row(page, 'Type attributes', 'status').click()
    await expect.poll(isDirty).toBe(false)
    // The panel may still show the row chosen before.
    const name = property(page, 'Type Attribute', 'Name').getByRole('textbox')
    await expect.poll(() => name.inputValue()).toBe('status')
    const nullable = property(page, 'Type Attribute', 'Nullable').getByRole('checkbox')
    const before = await nullable.getAttribute('aria-checked')
    await nullable.click()
    await expect.poll(() => nullable.getAttribute('aria-checked')).not.toBe(before)
    await expect.poll(isDirty).toBe(true)
    await property(page, 'Type Attribute', 'Data Type').getByRole('combobox').click()
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBe(7)
    await page.keyboard.type('O')
    await expect.poll(() => options.allTextContents()).toEqual(['object', 'boolean', 'double', 'float'])
    await keys(page, 'Escape')
    await options.first().waitFor({ state: 'detached' })
    await expect
      .poll(() => property(page, 'Type Attribute', 'Data Type').getByRole('combobox').textContent())
      .toBe('string')
    await property(page, 'Type Attribute', 'Data Type').getByRole('combobox').click()
    await page.keyboard.type('nte')
    await expect.poll(() => options.allTextContents()).toEqual(['integer'])
    await keys(page, 'Enter')
    await expectShown(row(page, 'Type attributes', 'status').getByText('integer', { exact: true }))
    await tool(page, 'Discard changes').click()
  })

  it('text typed while a select list is closed or opening becomes its search text', async () => {
    await openEntity(page, thing)
    await row(page, 'Type attributes', 'status').click()
    const chosen = property(page, 'Type Attribute', 'Data Type').getByRole('combobox')
    await chosen.focus()
    await page.keyboard.type('teg')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['integer'])
    await expect.poll(() => page.getByRole('combobox', { name: 'Search Data Type' }).inputValue()).toBe('teg')
    await keys(page, 'Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await expect.poll(() => chosen.textContent()).toBe('string')
  })

  it(
    "scopes can be combined; three are shown as chips, the rest as '+2 more'",
    holds('E2.170', 'E2.171', 'E2.172', 'E3.74', 'E7.90'),
    async () => {
      const calls = record(page)
      await openEntity(page, thing)
      const scopes = property(page, 'Entity', 'Select Scopes').getByRole('combobox')
      await scopes.click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(scopeDefinitions)
      // The server collects the scopes of all manifests that contain the entity.
      expect(calls.map(({ url }) => new URL(url).pathname)).toContain(`/1.0/cdm/entity/${thing.id}/scopes`)
      for (const name of scopeDefinitions) {
        await page.getByRole('option', { name, exact: true }).click()
      }
      await keys(page, 'Escape')
      await expect.poll(() => scopes.textContent()).toMatch(/^\w+(\+2 more)$/)
      await expectShown(scopes.getByText('+2 more', { exact: true }))
      for (const name of ['read', 'write', 'list']) await expectShown(scopes.getByText(name, { exact: true }))
      await expect.poll(() => scopes.getByText('audit', { exact: true }).count()).toBe(0)
      await tool(page, 'Discard changes').click()
    },
  )
})

describe('Requests of the page', () => {
  it('all requests go to /1.0/ on the same origin', holds('E9.9', 'E9.10'), async () => {
    const foreignUrls: string[] = []
    const calledPaths: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(journey.console.url) && !request.url().startsWith('data:'))
        foreignUrls.push(request.url())
      if (['fetch', 'xhr'].includes(request.resourceType())) calledPaths.push(new URL(request.url()).pathname)
    })
    await openEntity(page, thing)
    await setText(page, 'Entity', 'Description', 'Called for')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const own = calledPaths.filter(path => path.startsWith(`/1.0/cdm/entity/${thing.id}`))
    expect(own).toEqual(expect.arrayContaining([`/1.0/cdm/entity/${thing.id}`, `/1.0/cdm/entity/${thing.id}/edits`]))
    expect(calledPaths.filter(path => !path.startsWith('/1.0/cdm/'))).toEqual([])
    expect(foreignUrls).toEqual([])
  })
})

describe('Adding a relationship', () => {
  it('adding a relationship saves other unsaved changes as well', holds('E4.27'), async () => {
    const land = await apiOf(page).createEntity({ name: 'Land' }, shop)
    const order = await apiOf(page).createEntity({ name: 'Voyage' }, shop)
    const openTab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
    await openEntity(page, order)
    await openTab('Type Attributes')
    await addAttribute(page, 'pending')
    await openTab('Relationships')
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('secondId')
    await find(page, open, 'Associated Entity', land.name)
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
    await press(open, 'Finish')
    await expectShown(snackbar(page, "Successfully added 'secondId' entity attribute!"))
    await keys(page, 'Control+s')
    await expectSaved(page)
    const { typeAttributes, entityAttributes } = await apiOf(page).entityOf(order.id)
    expect(typeAttributes.map(({ name }) => name)).toContain('pending')
    expect(entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'secondId' }])
  })
})
