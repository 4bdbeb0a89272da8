import type { Locator, Page } from 'playwright-core'
import { holds } from '@cadmus/testing/holds'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  openConfiguration,
  partTab,
  saveAndReload,
  showPart,
  stored,
} from './driver/configuration.ts'
import { type Desk, openDesk, shoot, shootFailure, signIn } from './driver/desk.ts'
import { refuse } from './driver/document.ts'
import { tab } from './driver/entity.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { expectShown, pick, press, question, snackbar } from './driver/widgets.ts'

let desk: Desk
let page: Page
let shop: number
let depot: number

beforeAll(async () => {
  desk = await openDesk()
  page = desk.page
  await signIn(page)
  const api = apiOf(page)
  shop = await api.manifestNamed('Shop')
  depot = await api.createManifest('Depot')
  const typeAttributes = [{ name: 'number', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
  await api.createEntity({ name: 'Crate', typeAttributes }, depot)
  await api.createEntity({ name: 'Pallet', typeAttributes }, depot)
})
afterEach(async ({ task }) => {
  await shootFailure(page, task.result?.state, task.name)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
afterAll(async () => {
  expect(desk?.complaints).toEqual([])
  await desk?.close()
})

const open = () => openConfiguration(page, depot, 'Depot')
const check = (name: string): Locator => page.getByRole('checkbox', { name, exact: true })
const field = (name: string): Locator => configuration(page, 'Depot').getByLabel(name, { exact: true })

/** Types into a field and applies it, as leaving it does. */
async function write(name: string, text: string): Promise<void> {
  await field(name).fill(text)
  await field(name).press('Enter')
}

describe('The configuration of a manifest', () => {
  it('opens in a tab of its own from the tree', holds('M2.47', 'M2.67', 'E2.20'), async () => {
    await page.goto(`/?manifest=${depot}`)
    await expectShown(tab(page, 'Depot'))
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Depot'), 'Configure')
    await expectShown(configuration(page, 'Depot'))
    await expect.poll(() => page.url()).toContain(`configuration=${depot}`)
    const names = await page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab').allTextContents()
    expect(names).toEqual(['Depot', 'Depot Configuration'])
  })

  it(
    'has its parts, without the services of another organisation',
    holds('M2.124', 'M2.125', 'M2.126', 'M2.127', 'M2.128', 'M2.129'),
    async () => {
      await open()
      const parts = page.getByRole('tablist', { name: 'Parts of the configuration of Depot' }).getByRole('tab')
      expect(await parts.allTextContents()).toEqual([
        'API Configuration',
        'SQL Configuration',
        'Property Configuration',
        'Aggregate Queries0',
        'API Scopes',
      ])
      expect(await partTab(page, 'Service Configuration').count()).toBe(0)
      await expectShown(page.getByRole('region', { name: 'Security' }))
      await showPart(page, 'SQL Configuration')
      await expectShown(page.getByRole('region', { name: 'Connection Pool' }))
      await showPart(page, 'Property Configuration')
      await expectShown(page.getByRole('table', { name: 'Properties' }))
      await showPart(page, 'Aggregate Queries')
      await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    },
  )

  it('has a Save icon that is enabled only while something is unsaved', holds('M2.130', 'M8.64', 'M8.33'), async () => {
    await open()
    const isDisabled = () => configurationTool(page, 'Save').isDisabled()
    expect(await isDisabled()).toBe(true)
    await check('SOAP').click()
    await expect.poll(isDisabled).toBe(false)
    await expectShown(page.getByRole('tab', { name: 'Depot Configuration , unsaved changes' }))
    await refuse(page, 'POST', /\/configuration/)
    await configurationTool(page, 'Save').click()
    await expectShown(configuration(page, 'Depot').getByRole('alert').getByText('Failed save configuration'))
    expect(await isDisabled()).toBe(false)
    await page.unrouteAll()
    await configurationTool(page, 'Save').click()
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    await expect.poll(isDisabled).toBe(true)
    await expect.poll(() => configuration(page, 'Depot').getByText('Failed save configuration').count()).toBe(0)
  })

  it('closes with its manifest', holds('M4.16'), async () => {
    const gone = await apiOf(page).createManifest('Gone')
    const crate = await apiOf(page).createEntity({ name: 'Last' }, gone)
    await page.goto(`/?entity=${crate.id}`)
    await expectShown(tab(page, 'Last'))
    await page.goto(`/?manifest=${gone}`)
    await expectShown(tab(page, 'Gone'))
    await openConfiguration(page, gone, 'Gone')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Gone'), 'Delete')
    await press(question(page, 'Delete Manifest'), 'Delete')
    for (const name of ['Gone', 'Gone Configuration', 'Last']) {
      await expect.poll(() => tab(page, name).count()).toBe(0)
    }
  })

  it('of an old version is that of its time, and cannot be changed', async () => {
    const article = await openConfiguration(page, shop, 'Shop')
    await showPart(page, 'Aggregate Queries')
    await expectShown(page.getByRole('gridcell', { name: 'revenueByStatus', exact: true }))
    await pick(page, page.getByRole('complementary', { name: 'Properties' }), 'Version', '1.0.0')
    await expectShown(article.getByText('Only the latest version can be edited.'))
    await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    expect(await configurationTool(page, 'Add Aggregate Query').isDisabled()).toBe(true)
    await showPart(page, 'API Configuration')
    await expectShown(page.getByText('No excluded paths to display', { exact: true }))
    expect(await article.getByRole('checkbox').count()).toBe(0)
    expect(await article.getByRole('textbox').count()).toBe(0)
    await shoot(page, 'configuration-old-version')
    await article.getByRole('button', { name: 'Back to 1.1.0' }).click()
    await expectShown(page.getByRole('gridcell', { name: 'DELETE - /salesorder/{salesOrderId}', exact: true }))
  })
})

describe('API Configuration', () => {
  it('keeps any combination of API types', holds('M2.132'), async () => {
    await open()
    for (const [name, wanted] of [
      ['REST', true],
      ['SOAP', false],
      ['GraphQL', true],
    ] as const) {
      if ((await check(name).isChecked()) !== wanted) await check(name).click()
    }
    await saveAndReload(page, 'Depot')
    expect(await check('REST').isChecked()).toBe(true)
    expect(await check('SOAP').isChecked()).toBe(false)
    expect(await check('GraphQL').isChecked()).toBe(true)
  })

  it('offers three securities, each of which is kept', holds('M2.133'), async () => {
    await open()
    const security = page.getByRole('radiogroup', { name: 'Security' })
    const words = ['None', 'Basic Authentication', 'OAuth Authentication']
    expect(await security.locator('label').allTextContents()).toEqual(words)
    for (const name of words.toReversed()) {
      await security.getByRole('radio', { name, exact: true }).click()
      await saveAndReload(page, 'Depot')
      await expect.poll(() => security.getByRole('radio', { name, exact: true }).isChecked()).toBe(true)
    }
  })

  it('offers what the licence allows', holds('M3.60', 'M3.61'), async () => {
    await page.route('**/1.0/cdm/sso/session', async route => {
      const answer = await route.fetch()
      const session = await answer.json()
      Object.assign(session.organisation.licence, { rest: false, graphql: false })
      await route.fulfill({ response: answer, json: session })
    })
    const none = await apiOf(page).createManifest('Unlicensed')
    await openConfiguration(page, none, 'Unlicensed')
    expect(await check('REST').isDisabled()).toBe(true)
    expect(await check('GraphQL').isDisabled()).toBe(true)
    expect(await check('SOAP').isDisabled()).toBe(false)
    await expectShown(page.getByText('The licence of the organisation does not include GraphQL.'))
    await page.unrouteAll()
  })

  const excluded = () => page.getByRole('grid', { name: 'Excluded API Operations' })
  const picker = () => page.getByRole('combobox', { name: 'Operations to exclude' })

  it('says that it is fetching paths until they are here', holds('M2.135'), async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(`**/manifest/${depot}/paths`, async route => {
      await promise
      await route.continue()
    })
    await open()
    await expectShown(picker().getByText('Fetching Paths...', { exact: true }))
    expect(await picker().isDisabled()).toBe(true)
    resolve()
    await expectShown(picker().getByText('Select operations'))
  })

  it(
    'leaves operations out and takes them back, several at once',
    holds('M2.134', 'M2.136', 'M2.137', 'M2.138', 'M2.139', 'M3.19', 'M9.15', 'M9.16'),
    async () => {
      await open()
      await expectShown(page.getByText('No excluded paths to display', { exact: true }))
      await picker().click()
      const offered = page.getByRole('option')
      await expectShown(offered.first())
      expect((await offered.allTextContents()).slice(0, 5)).toEqual([
        'GET - /crate',
        'POST - /crate',
        'PUT - /crate',
        'GET - /crate/{number}',
        'DELETE - /crate/{number}',
      ])
      await page.getByRole('option', { name: 'GET - /crate', exact: true }).click()
      await page.getByRole('option', { name: 'GET - /crate/{number}', exact: true }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Exclude', exact: true }).click()
      await expectShown(excluded().getByRole('columnheader', { name: 'Path', exact: true }))
      await expectShown(excluded().getByRole('gridcell', { name: 'GET - /crate/{number}', exact: true }))
      await saveAndReload(page, 'Depot')
      const { excludeOperations } = (await stored(page, depot)).configurationBuild['apiConfiguration'] ?? {}
      expect(excludeOperations).toEqual(['Crate.get', 'Crate.number.get'])
      await shoot(page, 'configuration-api')
      await picker().click()
      await expectShown(offered.first())
      expect(await page.getByRole('option', { name: 'GET - /crate', exact: true }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await excluded().getByRole('checkbox', { name: 'Choose GET - /crate', exact: true }).click()
      await excluded().getByRole('checkbox', { name: 'Choose GET - /crate/{number}', exact: true }).click()
      await expectShown(page.getByText('2 selected'))
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expectShown(page.getByText('No excluded paths to display', { exact: true }))
      await picker().click()
      await expectShown(page.getByRole('option', { name: 'GET - /crate', exact: true }))
      await page.keyboard.press('Escape')
      await saveAndReload(page, 'Depot')
      await expectShown(page.getByText('No excluded paths to display', { exact: true }))
    },
  )

  it('says why there are no paths, and fetches them again', async () => {
    await page.route(`**/manifest/${depot}/paths`, route =>
      route.fulfill({ status: 500, json: { message: 'Broken.', code: 'x' } }),
    )
    await open()
    await expectShown(configuration(page, 'Depot').getByText('Broken.'))
    await page.unrouteAll()
    await configuration(page, 'Depot').getByRole('button', { name: 'Retry' }).click()
    await expectShown(picker().getByText('Select operations'))
  })
})

describe('SQL Configuration', () => {
  const url = () => field('Connection Url')

  it('begins the address of each database with its template', holds('M3.40', 'M3.38', 'M5.30'), async () => {
    await open()
    await showPart(page, 'SQL Configuration')
    expect(await url().getAttribute('type')).toBe('url')
    const templates = [
      ['MySQL', "jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'"],
      ['HSQL', 'jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true'],
      ['Oracle', 'jdbc:oracle:thin:@localhost:1521:database'],
      ['PostgreSQL', 'jdbc:postgresql://localhost:5432/database'],
      ['SQL Server', 'jdbc:sqlserver://localhost:1433;databaseName=database'],
    ] as const
    await field('Connection Type').click()
    const offered = await page.getByRole('option').allTextContents()
    await page.keyboard.press('Escape')
    expect(offered.toSorted()).toEqual(templates.map(([name]) => name).toSorted())
    for (const [name, template] of templates.toReversed()) {
      await pick(page, configuration(page, 'Depot'), 'Connection Type', name)
      await expect.poll(() => url().inputValue()).toBe(template)
      expect(await url().evaluate(input => input instanceof HTMLInputElement && input.validity.valid)).toBe(true)
    }
    await write('Database Name', 'depot')
    await expect
      .poll(() => url().inputValue())
      .toBe("jdbc:mysql://localhost:3306/depot?sessionVariables=sql_mode='ANSI'")
    await write('Connection Url', 'jdbc:mysql://db.example.com/depot')
    await pick(page, configuration(page, 'Depot'), 'Connection Type', 'PostgreSQL')
    await expect.poll(() => url().inputValue()).toBe('jdbc:mysql://db.example.com/depot')
    await page.getByRole('button', { name: 'Use the template' }).click()
    await expect.poll(() => url().inputValue()).toBe('jdbc:postgresql://localhost:5432/depot')
    await configurationTool(page, 'Discard changes').click()
  })

  it(
    'keeps the connection; the password comes back as a placeholder only',
    holds('M2.145', 'M2.146', 'M2.147', 'M2.148', 'M2.149'),
    async () => {
      await open()
      await showPart(page, 'SQL Configuration')
      await pick(page, configuration(page, 'Depot'), 'Connection Type', 'PostgreSQL')
      await write('Connection Url', 'jdbc:postgresql://db.example.com/depot')
      await write('Connection Username', 'keeper')
      await write('Connection Password', 'Tiger-9213')
      await write('Database Name', 'depot')
      await saveAndReload(page, 'Depot')
      await expect.poll(() => field('Connection Type').textContent()).toBe('PostgreSQL')
      expect(await url().inputValue()).toBe('jdbc:postgresql://db.example.com/depot')
      expect(await field('Connection Username').inputValue()).toBe('keeper')
      expect(await field('Database Name').inputValue()).toBe('depot')
      expect(await field('Connection Password').inputValue()).toBe('')
      expect(await field('Connection Password').getAttribute('placeholder')).toBe('********')
      expect(await field('Connection Password').getAttribute('type')).toBe('password')
      expect(JSON.stringify(await stored(page, depot))).not.toContain('Tiger')
      await shoot(page, 'configuration-sql')
      await write('Connection Username', 'other')
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.connectionPoolInfo['password']).toBe('********')
      await configuration(page, 'Depot').getByRole('button', { name: 'Remove Connection Password' }).click()
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.connectionPoolInfo['password']).toBe('')
    },
  )

  it(
    'has four query options, the first of which is on',
    holds('M2.150', 'M2.151', 'M2.152', 'M2.153', 'M3.20', 'M3.21', 'M3.22', 'M3.23'),
    async () => {
      await open()
      await showPart(page, 'SQL Configuration')
      const options = ['Apply Auto-Increment', 'Apply Coalesce', 'Apply Limit & Offset', 'Apply Relationship Join']
      const checked = () => Promise.all(options.map(name => check(name).isChecked()))
      await expect.poll(checked).toEqual([true, false, false, false])
      for (const name of options) await check(name).click()
      await saveAndReload(page, 'Depot')
      await expect.poll(checked).toEqual([false, true, true, true])
    },
  )
})

describe('Property Configuration', () => {
  const value = (name: string) => page.getByRole('textbox', { name, exact: true })

  it('keeps pairs in order; the first row is always there', holds('M2.157', 'M2.158', 'M2.159'), async () => {
    await open()
    await showPart(page, 'Property Configuration')
    expect(await page.getByRole('button', { name: 'Delete property 1' }).isDisabled()).toBe(true)
    await write('Name of property 1', 'zone')
    await write('Value of property 1', 'east')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await expect.poll(() => value('Name of property 2').evaluate(input => input === document.activeElement)).toBe(true)
    await page.keyboard.type('area')
    await page.keyboard.press('Tab')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await saveAndReload(page, 'Depot')
    expect((await stored(page, depot)).packageProperties.customProperties).toEqual([
      { name: 'zone', value: 'east', secret: false },
      { name: 'area', value: '12', secret: false },
    ])
    await expect.poll(() => value('Name of property 2').inputValue()).toBe('area')
    expect(await page.getByRole('button', { name: 'Delete property 1' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Delete property 2' }).click()
    await expect.poll(() => value('Name of property 2').count()).toBe(0)
    await saveAndReload(page, 'Depot')
    await expect.poll(() => value('Name of property 1').inputValue()).toBe('zone')
    expect(await value('Name of property 2').count()).toBe(0)
  })

  it('keeps secret values to itself, and each name once', async () => {
    await open()
    await showPart(page, 'Property Configuration')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await write('Name of property 2', 'zone')
    await expectShown(page.getByText('A property with the name "zone" already exists.'))
    await write('Name of property 2', 'key')
    await check('Property 2 is secret').click()
    await write('Value of property 2', 'Lion-4711')
    await shoot(page, 'configuration-properties')
    await saveAndReload(page, 'Depot')
    const secret = field('Value of property 2')
    await expect.poll(() => secret.getAttribute('placeholder')).toBe('********')
    expect(await secret.inputValue()).toBe('')
    expect(JSON.stringify(await stored(page, depot))).not.toContain('Lion')
  })
})
