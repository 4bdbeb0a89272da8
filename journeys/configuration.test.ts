import type { Locator } from 'playwright-core'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
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
import { startJourney, openPage } from './driver/journey.ts'
import { openEntity, refuse, send } from './driver/document.ts'
import { tab } from './driver/entity.ts'
import { storedUser } from './driver/session.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { expectShown, pick, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const depot = await api.createManifest('Depot')
const typeAttributes = [{ name: 'number', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
await api.createEntity({ name: 'Crate', typeAttributes }, depot)
await api.createEntity({ name: 'Pallet', typeAttributes }, depot)

const open = () => openConfiguration(page, depot, 'Depot')
const check = (name: string): Locator => page.getByRole('checkbox', { name, exact: true })

const field = (name: string): Locator => configuration(page, 'Depot').getByLabel(name, { exact: true })

/** Fills a field and applies the value with Enter. */
async function write(name: string, text: string): Promise<void> {
  await field(name).fill(text)
  await field(name).press('Enter')
}

describe('The configuration of a manifest', () => {
  it('opens from the tree in its own tab', holds('M2.47', 'M2.67', 'E2.20'), async () => {
    await page.goto(`/?manifest=${depot}`)
    await expectShown(tab(page, 'Depot'))
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Depot'), 'Configure')
    await expectShown(configuration(page, 'Depot'))
    await expect.poll(() => page.url()).toContain(`configuration=${depot}`)
    await expect
      .poll(() => page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab').allTextContents())
      .toEqual(['Depot', 'Depot Configuration'])
  })

  it(
    'has its parts, without Service Configuration',
    holds('M2.124', 'M2.125', 'M2.126', 'M2.127', 'M2.128', 'M2.129'),
    async () => {
      await open()
      const parts = page.getByRole('tablist', { name: 'Parts of the configuration of Depot' }).getByRole('tab')
      await expect
        .poll(() => parts.allTextContents())
        .toEqual([
          'API Configuration',
          'SQL Configuration',
          'Property Configuration',
          'Aggregate Queries0',
          'API Scopes',
        ])
      await expect.poll(() => partTab(page, 'Service Configuration').count()).toBe(0)
      await expectShown(page.getByRole('region', { name: 'Security' }))
      await showPart(page, 'SQL Configuration')
      await expectShown(page.getByRole('region', { name: 'Connection Pool' }))
      await showPart(page, 'Property Configuration')
      await expectShown(page.getByRole('table', { name: 'Properties' }))
      await showPart(page, 'Aggregate Queries')
      await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    },
  )

  it(
    'has a Save icon that is enabled only with unsaved changes',
    holds('M2.130', 'M7.3', 'M8.64', 'M8.33'),
    async () => {
      await open()
      const isDisabled = () => configurationTool(page, 'Save').isDisabled()
      await expect.poll(() => isDisabled()).toBe(true)
      await check('SOAP').click()
      await expect.poll(isDisabled).toBe(false)
      await expectShown(page.getByRole('tab', { name: 'Depot Configuration , unsaved changes' }))
      await refuse(page, 'POST', /\/configuration/)
      await configurationTool(page, 'Save').click()
      await expectShown(
        configuration(page, 'Depot').getByRole('alert').getByText('Failed save configuration', { exact: true }),
      )
      await expect.poll(() => isDisabled()).toBe(false)
      await page.unrouteAll()
      const sent = page.waitForRequest(/\/configuration\/edits\?/)
      await configurationTool(page, 'Save').click()
      await expectShown(snackbar(page, 'Successfully save configuration.'))
      const { pathname, searchParams } = new URL((await sent).url())
      const { userId } = await storedUser(page)
      expect([pathname, searchParams.get('userId')]).toEqual([`/1.0/cdm/manifest/${depot}/configuration/edits`, userId])
      await expect.poll(isDisabled).toBe(true)
      await expect.poll(() => configuration(page, 'Depot').getByText('Failed save configuration').count()).toBe(0)
    },
  )

  it(
    'closes when its manifest is deleted, as do the manifest and its entities but no other document',
    holds('M4.16'),
    async () => {
      const manifest = await api.createManifest('Gone')
      const crate = await api.createEntity({ name: 'Last' }, manifest)
      const staying = await api.createEntity({ name: 'Staying' })
      // Reloads the page, which does not show the new manifest yet.
      await page.goto(`/?manifest=${manifest}`)
      await expectShown(tab(page, 'Gone'))
      await openEntity(page, staying)
      await openEntity(page, crate)
      await openConfiguration(page, manifest, 'Gone')
      await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Gone'), 'Delete')
      await press(question(page, 'Delete Manifest'), 'Delete')
      for (const name of ['Gone', 'Gone Configuration', 'Last'])
        await expect.poll(() => tab(page, name).count()).toBe(0)
      await expectShown(tab(page, 'Staying'))
    },
  )

  it('is read-only for a predefined manifest', holds('M4.8'), async () => {
    const answer = await page.request.get('/1.0/cdm/manifest?filter=DEFAULT&limit=1', {
      headers: { 'X-Organisation-Code': 'ACME' },
    })
    const { manifests }: { manifests: { id: number; name: string }[] } = await answer.json()
    const { id, name } = manifests[0] ?? { id: 0, name: '' }
    const article = await openConfiguration(page, id, name)
    await expectShown(article.getByText('Predefined content is read-only.'))
    await expect.poll(() => configurationTool(page, 'Save').isDisabled()).toBe(true)
    await expect.poll(() => article.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => article.getByRole('radio').count()).toBe(0)
  })

  it('shows the content of an old version as read-only', async () => {
    const article = await openConfiguration(page, shop, 'Shop')
    await showPart(page, 'Aggregate Queries')
    await expectShown(page.getByRole('gridcell', { name: 'revenueByStatus', exact: true }))
    await pick(page, page.getByRole('complementary', { name: 'Properties' }), 'Version', '1.0.0')
    await expectShown(article.getByText('Only the latest version can be edited.'))
    await expectShown(page.getByText('No aggregate queries to display', { exact: true }))
    await expect.poll(() => configurationTool(page, 'Add Aggregate Query').isDisabled()).toBe(true)
    await showPart(page, 'API Configuration')
    await expectShown(page.getByText('No excluded paths to display', { exact: true }))
    await expect.poll(() => article.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => article.getByRole('textbox').count()).toBe(0)
    await article.getByRole('button', { name: 'Back to 1.1.0' }).click()
    await expectShown(page.getByRole('gridcell', { name: 'DELETE - /salesorder/{salesOrderId}', exact: true }))
  })
})

describe('API Configuration', () => {
  it('saves any combination of API types', holds('M2.132'), async () => {
    await open()
    const types = ['REST', 'SOAP', 'GraphQL']
    const ticked = () => Promise.all(types.map(name => check(name).isChecked()))
    const [isRest, isSoap, isGraphql] = await ticked()
    for (const name of ['REST', 'GraphQL']) await check(name).click()
    await saveAndReload(page, 'Depot')
    await expect.poll(ticked).toEqual([isRest !== true, isSoap, isGraphql !== true])
  })

  it('offers three security options and saves each of them', holds('M2.133'), async () => {
    await open()
    const security = page.getByRole('radiogroup', { name: 'Security' })
    const labels = ['None', 'Basic Authentication', 'OAuth Authentication']
    await expect.poll(() => security.locator('label').allTextContents()).toEqual(labels)
    const storedSecurity = async () => (await stored(page, depot)).configurationBuild['apiConfiguration']?.['security']
    for (const [name, value] of [
      ['OAuth Authentication', 'OAUTH2'],
      ['Basic Authentication', 'BASIC'],
      ['None', 'NONE'],
    ] as const) {
      await security.getByRole('radio', { name, exact: true }).click()
      await expect.poll(() => security.getByRole('radio', { name, exact: true }).isChecked()).toBe(true)
      await configurationTool(page, 'Save').click()
      await expect.poll(storedSecurity).toBe(value)
    }
  })

  it('offers only the API types and databases of the licence', holds('M3.38', 'M3.39'), async () => {
    const { page: admin } = await openPage(journey.browser, journey.console.url)
    await enterAdministration(admin)
    const license = (licence: object) => administrationOn(admin).callApi('PUT', 'org/ACME', { licence })
    await license({ rest: false, graphql: false, databaseTypes: ['mysql', 'hsql'] })
    const unlicensed = await apiOf(page).createManifest('Unlicensed')
    await openConfiguration(page, unlicensed, 'Unlicensed')
    await expect.poll(() => check('REST').isDisabled()).toBe(true)
    await expect.poll(() => check('GraphQL').isDisabled()).toBe(true)
    await expect.poll(() => check('SOAP').isDisabled()).toBe(false)
    for (const name of ['REST', 'GraphQL'])
      await expectShown(
        page.getByText(`The licence of the organisation does not include ${name}: it allows SOAP.`, { exact: true }),
      )
    await showPart(page, 'SQL Configuration')
    await page.getByRole('combobox', { name: 'Connection Type' }).click()
    await expectShown(page.getByRole('option').first())
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['MySQL', 'HSQL'])
    await keys(page, 'Escape')
    await license({ rest: true, graphql: true, databaseTypes: ['mysql', 'hsql', 'oracle', 'postgresql', 'mssql'] })
    await admin.context().close()
  })

  const excluded = () => page.getByRole('grid', { name: 'Excluded API Operations' })
  const picker = () => page.getByRole('combobox', { name: 'Operations to exclude' })

  it('shows that it is fetching paths until they have loaded', holds('M2.135'), async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(`**/manifest/${depot}/paths`, async route => {
      await promise
      await route.continue()
    })
    await open()
    await expectShown(picker().getByText('Fetching Paths...', { exact: true }))
    await expect.poll(() => picker().isDisabled()).toBe(true)
    resolve()
    await expectShown(picker().getByText('Select operations'))
  })

  it(
    'excludes several operations and includes them again',
    holds('M2.134', 'M2.136', 'M2.137', 'M2.138', 'M2.139', 'M3.19', 'M9.15', 'M9.16'),
    async () => {
      await open()
      await expectShown(page.getByText('No excluded paths to display', { exact: true }))
      await picker().click()
      const offered = page.getByRole('option')
      await expect
        .poll(async () => (await offered.allTextContents()).slice(0, 5))
        .toEqual(['GET - /crate', 'POST - /crate', 'PUT - /crate', 'GET - /crate/{number}', 'DELETE - /crate/{number}'])
      await page.getByRole('option', { name: 'GET - /crate', exact: true }).click()
      await page.getByRole('option', { name: 'GET - /crate/{number}', exact: true }).click()
      await keys(page, 'Escape')
      await page.getByRole('button', { name: 'Exclude', exact: true }).click()
      await expectShown(excluded().getByRole('columnheader', { name: 'Path', exact: true }))
      await expectShown(excluded().getByRole('gridcell', { name: 'GET - /crate/{number}', exact: true }))
      await saveAndReload(page, 'Depot')
      const { excludeOperations } = (await stored(page, depot)).configurationBuild['apiConfiguration'] ?? {}
      expect(excludeOperations).toEqual(['Crate.get', 'Crate.number.get'])
      await picker().click()
      await expectShown(offered.first())
      for (const left of ['GET - /crate', 'GET - /crate/{number}'])
        await expect.poll(() => page.getByRole('option', { name: left, exact: true }).count()).toBe(0)
      await keys(page, 'Escape')
      await excluded().getByRole('checkbox', { name: 'Choose GET - /crate', exact: true }).click()
      await excluded().getByRole('checkbox', { name: 'Choose GET - /crate/{number}', exact: true }).click()
      await expectShown(page.getByText('2 selected'))
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expectShown(page.getByText('No excluded paths to display', { exact: true }))
      await picker().click()
      for (const back of ['GET - /crate', 'GET - /crate/{number}'])
        await expectShown(page.getByRole('option', { name: back, exact: true }))
      await keys(page, 'Escape')
      await configurationTool(page, 'Save').click()
      await expect
        .poll(async () => (await stored(page, depot)).configurationBuild['apiConfiguration']?.['excludeOperations'])
        .toEqual([])
    },
  )

  it('shows the error of a failed path request, and Retry fetches the paths', async () => {
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

  it('fills the connection URL with the template of each database type', holds('M3.40', 'M5.30'), async () => {
    await open()
    await showPart(page, 'SQL Configuration')
    await expect.poll(() => url().getAttribute('type')).toBe('url')
    const templates = [
      ['MySQL', "jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'"],
      ['HSQL', 'jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true'],
      ['Oracle', 'jdbc:oracle:thin:@localhost:1521:database'],
      ['PostgreSQL', 'jdbc:postgresql://localhost:5432/database'],
      ['SQL Server', 'jdbc:sqlserver://localhost:1433;databaseName=database'],
    ] as const
    await field('Connection Type').click()
    await expect
      .poll(async () => (await page.getByRole('option').allTextContents()).toSorted())
      .toEqual(templates.map(([name]) => name).toSorted())
    await keys(page, 'Escape')
    for (const [name, template] of [templates[1], templates[0]]) {
      await pick(page, configuration(page, 'Depot'), 'Connection Type', name)
      await expect.poll(() => url().inputValue()).toBe(template)
      const embedded = configuration(page, 'Depot').getByText(/^The instance's embedded database\. /)
      await expect.poll(async () => [name, await embedded.count()]).toEqual([name, name === 'HSQL' ? 1 : 0])
      await expect
        .poll(() => url().evaluate(input => input instanceof HTMLInputElement && input.validity.valid))
        .toBe(true)
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
    'saves the connection and returns the password only as a placeholder',
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
      await expect.poll(() => url().inputValue()).toBe('jdbc:postgresql://db.example.com/depot')
      await expect.poll(() => field('Connection Username').inputValue()).toBe('keeper')
      await expect.poll(() => field('Database Name').inputValue()).toBe('depot')
      await expect.poll(() => field('Connection Password').inputValue()).toBe('')
      await expect.poll(() => field('Connection Password').getAttribute('placeholder')).toBe('********')
      await expect.poll(() => field('Connection Password').getAttribute('type')).toBe('password')
      expect(JSON.stringify(await stored(page, depot))).not.toContain('Tiger')
      const storedConnection = async () => (await stored(page, depot)).packageProperties.connectionPoolInfo
      await write('Connection Username', 'other')
      await configurationTool(page, 'Save').click()
      await expect.poll(async () => (await storedConnection())['username']).toBe('other')
      expect((await storedConnection())['password']).toMatch(/^\*{8} [\w-]{22}$/)
      await configuration(page, 'Depot').getByRole('button', { name: 'Remove Connection Password' }).click()
      await configurationTool(page, 'Save').click()
      await expect.poll(async () => (await storedConnection())['password']).toBe('')
    },
  )

  it(
    'has four query options, and only the first is enabled by default',
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

  it(
    'saves properties in order, and the first row cannot be deleted',
    holds('M2.157', 'M2.158', 'M2.159'),
    async () => {
      await open()
      await showPart(page, 'Property Configuration')
      await expect.poll(() => page.getByRole('button', { name: 'Delete property 1' }).isDisabled()).toBe(true)
      await write('Name of property 1', 'zone')
      await write('Value of property 1', 'east')
      await page.getByRole('button', { name: 'Add Property' }).click()
      await expect
        .poll(() => value('Name of property 2').evaluate(input => input === document.activeElement))
        .toBe(true)
      await page.keyboard.type('area')
      await keys(page, 'Tab')
      await page.keyboard.type('12')
      await keys(page, 'Enter')
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.customProperties).toEqual([
        { name: 'zone', value: 'east', secret: false },
        { name: 'area', value: '12', secret: false },
      ])
      await expect.poll(() => value('Name of property 2').inputValue()).toBe('area')
      await expect.poll(() => page.getByRole('button', { name: 'Delete property 1' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Delete property 2' }).click()
      await expect.poll(() => value('Name of property 2').count()).toBe(0)
      await configurationTool(page, 'Save').click()
      await expect
        .poll(async () => (await stored(page, depot)).packageProperties.customProperties.map(({ name }) => name))
        .toEqual(['zone'])
    },
  )

  it('hides secret values and rejects duplicate names', async () => {
    await open()
    await showPart(page, 'Property Configuration')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await write('Name of property 2', 'zone')
    await expectShown(page.getByText('A property with the name "zone" already exists.'))
    await write('Name of property 2', 'key')
    await check('Property 2 is secret').click()
    await write('Value of property 2', 'Lion-4711')
    await saveAndReload(page, 'Depot')
    const secret = field('Value of property 2')
    await expect.poll(() => secret.getAttribute('placeholder')).toBe('********')
    await expect.poll(() => secret.inputValue()).toBe('')
    expect(JSON.stringify(await stored(page, depot))).not.toContain('Lion')
    // A frozen version hides the secret as well.
    await send(page, 'POST', `/1.0/cdm/manifest/${depot}/version?version=1.1.0`)
    await page.goto(`/?configuration=${depot}&version=1.0.0`)
    await showPart(page, 'Property Configuration')
    const frozen = page.getByRole('article').getByRole('region', { name: 'Properties' })
    await expectShown(frozen.getByText('********', { exact: true }))
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
