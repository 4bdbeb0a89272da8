import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  configure,
  newQuery,
  openConfiguration,
  showPart,
  stored,
  type Part,
} from './driver/configuration.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { lookAgain, send } from './driver/document.ts'
import { expectClean } from './driver/sight.ts'
import { expectShown, find, press, question, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk

async function opened(part: Part = 'SQL Configuration'): Promise<{ id: number; name: string }> {
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
  it('by keyboard: Ctrl+Z, Ctrl+Shift+Z and Ctrl+S, with what is still being typed', async () => {
    const { id } = await opened()
    const coalesce = page.getByRole('checkbox', { name: 'Apply Coalesce' })
    await write('Connection Username', 'keeper')
    await coalesce.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => coalesce.isChecked()).toBe(true)
    await page.keyboard.press('Control+z')
    await expect.poll(() => coalesce.isChecked()).toBe(false)
    await page.keyboard.press('Control+z')
    await expect.poll(() => field('Connection Username').inputValue()).toBe('')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    await field('Database Name').fill('depot')
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    await expect.poll(isDirty).toBe(0)
    const { username, databaseName } = (await stored(page, id)).packageProperties.connectionPoolInfo
    expect([username, databaseName]).toEqual(['keeper', 'depot'])
  })

  it('come back after a reload, marked as such, and without the password', async () => {
    const { name } = await opened()
    await write('Connection Username', 'keeper')
    await write('Connection Password', 'Tiger-9213')
    page.once('dialog', dialog => void dialog.accept())
    await page.reload()
    const article = configuration(page, name)
    await expectShown(article.getByText(/^Restored draft: 1 unsaved change from .*, not saved yet\.$/))
    await expectShown(article.getByText('Passwords and secrets are not stored in the browser: enter them again.'))
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    expect(await field('Connection Password').inputValue()).toBe('')
    await shoot(page, 'configuration-restored')
    await article.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect.poll(isDirty).toBe(0)
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
    await configurationTool(page, 'Discard changes').click()
  })

  it('that were a secret only come back as none, and the secret is asked for again', async () => {
    const { id, name } = await opened('Property Configuration')
    const customProperties = [{ name: 'key', value: 'Lion-4711', secret: true }]
    await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, { packageProperties: { customProperties } })
    await lookAgain(page)
    const value = field('Value of property 1')
    await expect.poll(() => value.getAttribute('placeholder')).toBe('********')
    // What stands for a secret is none, and is not kept as one.
    const words = 'This text is the placeholder of a stored secret: enter the value itself.'
    await value.fill('******** Puma-8230')
    await expectShown(page.getByRole('article').getByText(words))
    await write('Value of property 1', 'Tiger-9213')
    await expect.poll(isDirty).toBe(1)
    page.once('dialog', dialog => void dialog.accept())
    await page.reload()
    const article = configuration(page, name)
    const asked = article.getByText('Passwords and secrets are not stored in the browser: enter them again.')
    await expectShown(asked)
    await expect.poll(() => value.getAttribute('placeholder')).toBe('********')
    expect(await article.getByText(/^Restored draft/).count()).toBe(0)
    expect(await isDirty()).toBe(0)
    expect(await configurationTool(page, 'Save').isDisabled()).toBe(true)
    await shoot(page, 'configuration-restored-secret')
    await press(article, 'Close')
    await expect.poll(() => asked.count()).toBe(0)
  })

  it('meet those of others: lists are joined, of one field both values are shown', async () => {
    const { id, name } = await opened('Aggregate Queries')
    const crate = await apiOf(page).createEntity({ name: 'Crate' }, id)
    await page.reload()
    const asked = await newQuery(page)
    await asked.getByLabel('Name').fill('mine')
    await find(page, asked, 'Associated Entity', crate.name)
    await find(page, asked, 'Target Entity Attribute', 'id')
    await press(asked, 'Add Column')
    await press(asked, 'Add')
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
    await shoot(page, 'configuration-conflict')
    await article.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const build = (await stored(page, id)).configurationBuild
    expect(build['apiConfiguration']).toMatchObject({ type: ['SOAP'], security: 'OAUTH2' })
    expect(JSON.stringify(build.aggregateQueries)).toMatch(/(?=.*"mine")(?=.*"theirs")/)
  })

  it('that break a rule together with those of others are contested with them, and either side can be taken', async () => {
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

  it('of a secret property that somebody deleted are told as hidden, and not as deleted', async () => {
    const { id, name } = await opened('Property Configuration')
    const put = async (...customProperties: object[]) =>
      send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, { packageProperties: { customProperties } })
    const key = { name: 'key', value: 'Lion-4711', secret: true }
    const zone = { name: 'zone', value: 'east', secret: false }
    const article = configuration(page, name)
    const told = (...cells: string[]) =>
      cells.reduce(
        (rows, cell) => rows.filter({ has: page.getByRole('cell', { name: cell, exact: true }) }),
        article.getByRole('row').filter({ hasText: 'Properties, key: deleted or changed' }),
      )
    await put(zone, key)
    await lookAgain(page)
    await field('Value of property 2').fill('Tiger-9213')
    await field('Value of property 2').press('Enter')
    await put(zone)
    await configurationTool(page, 'Save').click()
    await expectShown(told('secret, changed', 'deleted'))
    await shoot(page, 'configuration-conflict-secret')
    await article.getByRole('button', { name: /^Take/ }).click()
    // The other way round only the server knows that theirs is another one.
    await put(zone, key)
    await lookAgain(page)
    await article.getByRole('button', { name: 'Delete property 2' }).click()
    await put(zone, { ...key, value: 'Puma-8230' })
    await configurationTool(page, 'Save').click()
    await expectShown(told('deleted', 'secret, changed'))
    await article.getByRole('button', { name: /^Take/ }).click()
  })

  it('are asked about when the tab closes', async () => {
    const { name } = await opened()
    await write('Database Name', 'depot')
    await page.keyboard.press('Alt+w')
    const asked = question(page, 'Save Changes?')
    await expectShown(asked.getByText(`"${name} Configuration" has unsaved changes.`))
    await press(asked, 'Discard')
    await expect.poll(() => page.getByRole('tab', { name: `${name} Configuration` }).count()).toBe(0)
  })
})

describe('Every part of a configuration', () => {
  const parts: Part[] = [
    'API Configuration',
    'SQL Configuration',
    'Property Configuration',
    'Aggregate Queries',
    'API Scopes',
  ]

  it('is accessible in any look, in the latest version and in an old one', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    for (const version of ['', '&version=1.0.0']) {
      await page.goto(`/?configuration=${shop}${version}`)
      await expectShown(configuration(page, 'Shop'))
      for (const part of parts) {
        await showPart(page, part)
        await page.mouse.move(2, 2)
        await expectClean(page, `configuration-${part}${version === '' ? '' : '-old'}`)
      }
    }
  })

  it('and so is the dialog of an aggregate query', async () => {
    const shop = await apiOf(page).manifestNamed('Shop')
    await openConfiguration(page, shop, 'Shop', 'Aggregate Queries')
    const asked = await newQuery(page)
    await asked.getByLabel('Name').fill('accessible')
    await find(page, asked, 'Associated Entity', 'Customer')
    await find(page, asked, 'Target Entity Attribute', 'accountId')
    await press(asked, 'Add Column')
    await expectClean(page, 'aggregate-query')
    await press(asked, 'Cancel')
    await page.getByRole('grid', { name: 'Aggregate Queries' }).getByRole('row').last().click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await expectClean(page, 'aggregate-query-menu')
    await page.keyboard.press('Escape')
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
