import type { Locator } from 'playwright-core'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  openConfiguration,
  saveAndReload,
  showPart,
  stored,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { send } from './driver/document.ts'
import { expectShown, pick } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
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
    const offered = await page.getByRole('option').allTextContents()
    await keys(page, 'Escape')
    expect(offered.toSorted()).toEqual(templates.map(([name]) => name).toSorted())
    for (const [name, template] of templates.toReversed()) {
      await pick(page, configuration(page, 'Depot'), 'Connection Type', name)
      await expect.poll(() => url().inputValue()).toBe(template)
      const embedded = configuration(page, 'Depot').getByText(/^The instance's embedded database\. /)
      expect([name, await embedded.count()]).toEqual([name, name === 'HSQL' ? 1 : 0])
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
      await saveScreenshot(page, 'configuration-sql')
      await write('Connection Username', 'other')
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.connectionPoolInfo['password']).toMatch(/^\*{8} [\w-]{22}$/)
      await configuration(page, 'Depot').getByRole('button', { name: 'Remove Connection Password' }).click()
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.connectionPoolInfo['password']).toBe('')
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
      await page.keyboard.press('Tab')
      await page.keyboard.type('12')
      await page.keyboard.press('Enter')
      await saveAndReload(page, 'Depot')
      expect((await stored(page, depot)).packageProperties.customProperties).toEqual([
        { name: 'zone', value: 'east', secret: false },
        { name: 'area', value: '12', secret: false },
      ])
      await expect.poll(() => value('Name of property 2').inputValue()).toBe('area')
      await expect.poll(() => page.getByRole('button', { name: 'Delete property 1' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Delete property 2' }).click()
      await expect.poll(() => value('Name of property 2').count()).toBe(0)
      await saveAndReload(page, 'Depot')
      await expect.poll(() => value('Name of property 1').inputValue()).toBe('zone')
      await expect.poll(() => value('Name of property 2').count()).toBe(0)
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
    await saveScreenshot(page, 'configuration-properties')
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
    await saveScreenshot(page, 'configuration-properties-frozen')
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
