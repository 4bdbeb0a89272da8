import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  configure,
  newQuery,
  openConfiguration,
  partTab,
  save,
  showPart,
  stored,
  type Part,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { returnToPage, send } from './driver/document.ts'
import { expectAccessible } from './driver/accessible.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown, find, press, question, snackbar } from './driver/widgets.ts'

let count = 0

const journey = await startJourney()
const { page } = journey

async function openNewManifest(part: Part = 'SQL Configuration'): Promise<{ id: number; name: string }> {
  const name = `Drafted_${++count}`
  const id = await apiOf(page).createManifest(name)
  await openConfiguration(page, id, name, part)
  return { id, name }
}

const field = (name: string) => page.getByRole('article').getByLabel(name, { exact: true })
const isDirty = () => page.getByRole('tab', { name: /unsaved changes/, selected: true }).count()

async function write(name: string, text: string): Promise<void> {
  await field(name).fill(text)
  await field(name).press('Enter')
}

describe('Unsaved changes of a configuration', () => {
  it('Ctrl+Z and Ctrl+Shift+Z undo and redo, and Ctrl+S saves including the field being edited', async () => {
    const { id } = await openNewManifest()
    const coalesce = page.getByRole('checkbox', { name: 'Apply Coalesce' })
    await write('Connection Username', 'keeper')
    await coalesce.focus()
    await keys(page, 'Space')
    await expect.poll(() => coalesce.isChecked()).toBe(true)
    await keys(page, 'Control+z')
    await expect.poll(() => coalesce.isChecked()).toBe(false)
    await keys(page, 'Control+z')
    await expect.poll(() => field('Connection Username').inputValue()).toBe('')
    await keys(page, 'Control+Shift+z')
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    await field('Database Name').fill('depot')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    await expect.poll(isDirty).toBe(0)
    const { username, databaseName } = (await stored(page, id)).packageProperties.connectionPoolInfo
    expect([username, databaseName]).toEqual(['keeper', 'depot'])
  })

  it('are restored after a reload with a notice and without the password', async () => {
    const { name } = await openNewManifest()
    await write('Connection Username', 'keeper')
    await write('Connection Password', 'Tiger-9213')
    page.once('dialog', dialog => void dialog.accept())
    await page.reload()
    const article = configuration(page, name)
    await expectShown(article.getByText(/^Restored draft: 1 unsaved change from .*, not saved yet\.$/))
    await expectShown(
      article.getByText('Passwords, secrets and URLs with passwords are not stored in the browser: enter them again.'),
    )
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    await expect.poll(() => field('Connection Password').inputValue()).toBe('')
    await saveScreenshot(page, 'configuration-restored')
    await article.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect.poll(isDirty).toBe(0)
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    await configurationTool(page, 'Discard changes').click()
  })

  it('are not restored if they consist of a secret only, and the secret must be entered again', async () => {
    const { id, name } = await openNewManifest('Property Configuration')
    const customProperties = [{ name: 'key', value: 'Lion-4711', secret: true }]
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, { packageProperties: { customProperties } })
    await returnToPage(page)
    const value = field('Value of property 1')
    await expect.poll(() => value.getAttribute('placeholder')).toBe('********')
    // The placeholder is not accepted as a secret.
    const message = 'This text is the placeholder of a stored secret: enter the value itself.'
    await value.fill('******** Puma-8230')
    await expectShown(page.getByRole('article').getByText(message))
    await write('Value of property 1', 'Tiger-9213')
    await expect.poll(isDirty).toBe(1)
    page.once('dialog', dialog => void dialog.accept())
    await page.reload()
    const article = configuration(page, name)
    const notice = article.getByText(
      'Passwords, secrets and URLs with passwords are not stored in the browser: enter them again.',
    )
    await expectShown(notice)
    await expect.poll(() => value.getAttribute('placeholder')).toBe('********')
    await expect.poll(() => article.getByText(/^Restored draft/).count()).toBe(0)
    await expect.poll(() => isDirty()).toBe(0)
    await expect.poll(() => configurationTool(page, 'Save').isDisabled()).toBe(true)
    await saveScreenshot(page, 'configuration-restored-secret')
    await press(article, 'Close')
    await expect.poll(() => notice.count()).toBe(0)
  })

  it('are merged with concurrent changes of lists, and a conflicting field shows both values', async () => {
    const { id, name } = await openNewManifest('Aggregate Queries')
    const crate = await apiOf(page).createEntity({ name: 'Crate' }, id)
    await page.reload()
    const form = await newQuery(page)
    await form.getByLabel('Name').fill('mine')
    await find(page, form, 'Associated Entity', crate.name)
    await find(page, form, 'Target Entity Attribute', 'id')
    await press(form, 'Add Column')
    await press(form, 'Add')
    const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]
    await configure(page, id, {
      aggregateQueries: [{ name: 'theirs', entity: 'Crate', columns }],
      apiConfiguration: { type: ['SOAP'], security: 'BASIC' },
    })
    await showPart(page, 'API Configuration')
    await page.getByRole('radio', { name: 'OAuth Authentication' }).click()
    await configurationTool(page, 'Save').click()
    const article = configuration(page, name)
    await expectShown(
      article.getByText('You changed the same fields elsewhere, such as in another tab. Nothing is lost.'),
    )
    await expectShown(
      article.getByRole('row').filter({ hasText: 'Security' }).filter({ hasText: 'Basic Authentication' }),
    )
    await saveScreenshot(page, 'configuration-conflict')
    await article.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const build = (await stored(page, id)).configurationBuild
    expect(build['apiConfiguration']).toMatchObject({ type: ['SOAP'], security: 'OAUTH2' })
    expect(JSON.stringify(build.aggregateQueries)).toMatch(/(?=.*"mine")(?=.*"theirs")/)
  })

  it('conflict with concurrent changes if both together are invalid, and one side can be chosen', async () => {
    const name = `Drafted_${++count}`
    const id = await apiOf(page).createManifest(name)
    const build = (identityProvider: string) => ({
      apiConfiguration: { type: ['REST'], security: 'OAUTH2' },
      apiScopeConfiguration: { enableRbac: true, identityProvider },
    })
    await configure(page, id, build('MARTINI_USER_DIRECTORY'))
    await openConfiguration(page, id, name)
    await page.getByRole('radio', { name: 'Basic Authentication' }).click()
    await configure(page, id, build('CADMUS'))
    await configurationTool(page, 'Save').click()
    const row = (field: string) => configuration(page, name).getByRole('row').filter({ hasText: field })
    await expectShown(
      row('Identity Provider').filter({ hasText: 'Martini User Directory' }).filter({ hasText: 'Cadmus' }),
    )
    await expectShown(row('Security').filter({ hasText: 'OAuth Authentication' }))
    await configuration(page, name).getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { configurationBuild: saved } = await stored(page, id)
    expect(saved['apiConfiguration']).toMatchObject({ security: 'BASIC' })
    expect(saved['apiScopeConfiguration']).toMatchObject({ identityProvider: 'MARTINI_USER_DIRECTORY' })
  })

  it('to a deleted secret property are shown as a conflict without the value', async () => {
    const { id, name } = await openNewManifest('Property Configuration')
    const put = async (...customProperties: object[]) =>
      send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, { packageProperties: { customProperties } })
    const key = { name: 'key', value: 'Lion-4711', secret: true }
    const zone = { name: 'zone', value: 'east', secret: false }
    const article = configuration(page, name)
    const conflictRow = (...cells: string[]) =>
      cells.reduce(
        (rows, cell) => rows.filter({ has: page.getByRole('cell', { name: cell, exact: true }) }),
        article.getByRole('row').filter({ hasText: 'Properties, key: deleted or changed' }),
      )
    await put(zone, key)
    await returnToPage(page)
    await field('Value of property 2').fill('Tiger-9213')
    await field('Value of property 2').press('Enter')
    await put(zone)
    await configurationTool(page, 'Save').click()
    await expectShown(conflictRow('secret, changed', 'deleted'))
    await saveScreenshot(page, 'configuration-conflict-secret')
    await article.getByRole('button', { name: /^Take/ }).click()
    // With the sides swapped, only the server can tell that the secret was changed.
    await put(zone, key)
    await returnToPage(page)
    await article.getByRole('button', { name: 'Delete property 2' }).click()
    await put(zone, { ...key, value: 'Puma-8230' })
    await configurationTool(page, 'Save').click()
    await expectShown(conflictRow('deleted', 'secret, changed'))
    await article.getByRole('button', { name: /^Take/ }).click()
  })

  it('require confirmation when the tab is closed', async () => {
    const { name } = await openNewManifest()
    await write('Database Name', 'depot')
    await keys(page, 'Alt+w')
    const confirmation = question(page, 'Save Changes?')
    await expectShown(confirmation.getByText(`"${name} Configuration" has unsaved changes.`))
    await press(confirmation, 'Discard')
    await expect.poll(() => page.getByRole('tab', { name: `${name} Configuration` }).count()).toBe(0)
  })
})

describe('A rejected save of a configuration', () => {
  it('opens the part and focuses the field of the error, and accepts empty rows', async () => {
    const { name } = await openNewManifest('Property Configuration')
    await write('Value of property 1', '')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await page.getByRole('button', { name: 'Add Property' }).click()
    await write('Value of property 3', 'x')
    await showPart(page, 'API Configuration')
    await configurationTool(page, 'Save').click()
    const message = 'Property Configuration, Name of property 3: this is a required field'
    await expectShown(configuration(page, name).getByRole('alert').getByText(message))
    await expect.poll(() => partTab(page, 'Property Configuration').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => field('Name of property 3').evaluate(input => input === document.activeElement)).toBe(true)
    await write('Name of property 3', 'zone')
    await save(page)
  })

  it('requires the value of a property that is no longer secret, unless it is made secret again', async () => {
    const { id, name } = await openNewManifest('Property Configuration')
    await write('Name of property 1', 'apiKey')
    const isSecret = page.getByRole('checkbox', { name: 'Property 1 is secret' })
    await isSecret.click()
    await write('Value of property 1', 'Lion-4711')
    await save(page)
    await isSecret.click()
    const message = 'The value of "apiKey" was secret and cannot be shown: enter it again.'
    await expectShown(page.getByRole('table', { name: 'Properties' }).getByText(message))
    await expect.poll(() => field('Value of property 1').inputValue()).toBe('')
    await keys(page, 'Control+s')
    const alert = configuration(page, name).getByRole('alert')
    await expectShown(alert.getByText(`Property Configuration, Value of property 1: ${message}`))
    await expect.poll(() => field('Value of property 1').evaluate(input => input === document.activeElement)).toBe(true)
    await isSecret.click()
    await expect.poll(() => configurationTool(page, 'Save').isDisabled()).toBe(true)
    await isSecret.click()
    await write('Value of property 1', 'east')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { customProperties } = (await stored(page, id)).packageProperties
    expect(customProperties).toEqual([{ name: 'apiKey', value: 'east', secret: false }])
  })

  it('lists each error with its part and field', async () => {
    const { name } = await openNewManifest('Property Configuration')
    await write('Name of property 1', 'zone')
    await page.route('**/configuration/edits*', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      const errors = [
        { path: 'configurationBuild.apiScopeConfiguration.identityProvider', message: 'Not this one.' },
        { path: 'packageProperties.connectionPoolInfo.url', message: 'Too long.' },
      ]
      return route.fulfill({ status: 400, json: { message: 'Not this one.', code: 'invalid', errors } })
    })
    await configurationTool(page, 'Save').click()
    const alert = configuration(page, name).getByRole('alert')
    await expectShown(alert.getByText('API Scopes, Identity Provider: Not this one.'))
    await expectShown(alert.getByText('SQL Configuration, Connection Url: Too long.'))
    await configurationTool(page, 'Discard changes').click()
  })
})

describe('A configuration', () => {
  const parts: Part[] = [
    'API Configuration',
    'SQL Configuration',
    'Property Configuration',
    'Aggregate Queries',
    'API Scopes',
  ]

  it('is accessible in every part, and read-only in an old version', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    await openConfiguration(page, shop, 'Shop')
    for (const part of parts) {
      await showPart(page, part)
      await page.mouse.move(2, 2)
      await expectAccessible(page, `configuration-${part}`, part === 'API Configuration' ? 'all' : 'light')
    }
    await page.goto(`/?configuration=${shop}&version=1.0.0`)
    await expectShown(configuration(page, 'Shop'))
    await showPart(page, 'SQL Configuration')
    await expectAccessible(page, 'configuration-old', 'light')
  })

  it('has an accessible aggregate query dialog', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    await openConfiguration(page, shop, 'Shop', 'Aggregate Queries')
    const form = await newQuery(page)
    await form.getByLabel('Name').fill('accessible')
    await find(page, form, 'Associated Entity', 'Customer')
    await find(page, form, 'Target Entity Attribute', 'accountId')
    await press(form, 'Add Column')
    await expectAccessible(page, 'aggregate-query')
    await press(form, 'Cancel')
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
