import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { violations, violationsInAllVariants } from './driver/axe.ts'
import {
  expectStep,
  cancelBlueprint,
  chooseManifest,
  openBlueprint,
  advanceToDatabase,
  advanceToPackage,
  advanceToTarget,
  chooseApis,
} from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, refuse } from './driver/document.ts'
import { hasFocus, missedByTab, keys } from './driver/keyboard.ts'
import { otherAnswers, otherTypes as types, startOtherInstance } from './driver/other-instance.ts'
import { dialog, expectShown, find, optionsOf, pick, press, question, snackbar } from './driver/widgets.ts'

// One of the instance's databases has no details.
const answers = {
  ...otherAnswers,
  '/esbapi/databases': {
    items: [...types.map(type => ({ name: `of-${type}` })), { name: 'untyped' }, { name: 'ghost' }],
  },
}
const other = await startOtherInstance(answers)
afterAll(() => other.stop())
const env = { CADMUS_ALLOWED_INSTANCES: other.url }
const { page } = await startJourneyWithInstance({ width: 1024, height: 720, env })

afterEach(() => cancelBlueprint(page))

const field = (name: string) => dialog(page, 'Build Package').getByRole('textbox', { name })
const value = (name: string) => field(name).inputValue()
const expectText = (text: string) => expectShown(dialog(page, 'Build Package').getByText(text, { exact: true }))

// Must be the first test, since the configuration is read once.
describe('the SQL Configuration step', () => {
  it(
    'cannot be completed until the configuration is loaded, and then shows four query options',
    holds('M2.195', 'M5.51'),
    async () => {
      await page.route(/\/manifest\/\d+\/build/, route =>
        route.fulfill({ status: 500, json: { message: 'Unexpected error', code: 'internal' } }),
      )
      const open = await advanceToDatabase(page)
      await press(open, 'Next')
      for (const name of ['Username', 'Password', 'Database name']) await field(name).fill('x')
      await press(open, 'Next')
      await expectStep(open, 'SQL Configuration')
      await press(open, 'Next')
      await expectText('SQL configuration is required.')
      await page.unrouteAll()
      await press(open, 'Retry')
      const names = ['Apply Auto-Increment', 'Apply Coalesce', 'Apply Limit & Offset', 'Apply Relationship Join']
      await expect.poll(() => open.getByRole('checkbox').count()).toBe(4)
      for (const name of names) await expectShown(open.getByRole('checkbox', { name, exact: true }))
      const checked = open.getByRole('checkbox', { checked: true })
      await expect.poll(() => checked.evaluateAll(all => all.length)).toBe(1)
      await open.getByRole('checkbox', { name: 'Apply Auto-Increment' }).click()
      await press(open, 'Next')
      await expectStep(open, 'Package')
    },
  )
})

/** Accessibility violations and controls out of reach of Tab; also checks that the dialog fits the window at a width of 550. */
async function inspect(open: Locator, name: string, check = violations): Promise<string[]> {
  const problems = [...(await check(page)), ...(await missedByTab(page, open))]
  await expect
    .poll(async () => {
      const { y, width, height } = (await open.boundingBox()) ?? { y: -1, width: 0, height: 0 }
      return [width, y >= 0 && y + height <= 720]
    })
    .toEqual([550, true])
  return problems.map(line => `${name}: ${line}`)
}

describe('each step of the blueprint wizard', () => {
  it(
    'is accessible and reachable by keyboard in a small window, with its error messages',
    holds('M2.179', 'M2.180'),
    async () => {
      const open = await openBlueprint(page)
      await press(open, 'Next')
      const problems = await inspect(open, '1')
      // A click outside neither closes the dialog nor opens a confirmation.
      await page.mouse.click(5, 400)
      await chooseManifest(page, open, 'Shop')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '2')))
      await open.getByRole('radio', { name: 'Publish', exact: true }).click()
      await press(open, 'Next')
      await field('Instance URL').fill('http://localhost:1')
      await press(open, 'Test Connection')
      await expectShown(snackbar(page, 'Connection failed to http://localhost:1'))
      await press(open, 'Next')
      problems.push(...(await inspect(open, '2a')))
      await open.getByRole('radio', { name: 'Hosted Instances' }).click()
      await find(page, open, 'Hosted instance', 'local')
      await press(open, 'Next')
      await chooseApis(open, [])
      await press(open, 'Next')
      problems.push(...(await inspect(open, '3')))
      await chooseApis(open, ['REST'])
      await press(open, 'Next')
      await open.getByRole('radio', { name: 'Existing database' }).click()
      await press(open, 'Next')
      await pick(page, open, 'Existing database', 'embedded')
      problems.push(...(await inspect(open, '3a1')))
      await open.getByRole('radio', { name: 'New database' }).click()
      await press(open, 'Next')
      await field('Connection URL').fill('jdbc:hsqldb:mem:shop')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '3a2', violationsInAllVariants)))
      for (const name of ['Username', 'Password', 'Database name'])
        await field(name).fill('a_rather_long_name_that_somebody_gave_it')
      await press(open, 'Next')
      await expectStep(open, 'SQL Configuration')
      problems.push(...(await inspect(open, '3a3')))
      await press(open, 'Next')
      await expect.poll(() => field('Package name').inputValue()).not.toBe('')
      await field('Package name').fill('')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '4')))
      await field('Package name').fill(`${'long'.repeat(20)}`)
      await press(open, 'Next')
      await expectStep(open, 'Summary')
      problems.push(...(await inspect(open, '5')))
      expect(problems).toEqual([])
    },
  )

  it('is operable by keyboard alone', async () => {
    const open = await openBlueprint(page)
    // Before the picker has the focus, Enter would press the toolbar button again.
    await expect.poll(() => hasFocus(open.getByRole('combobox', { name: 'Manifest' }))).toBe(true)
    // The second Enter selects the best match.
    await keys(page, 'Enter')
    await page.keyboard.type('Shop')
    await keys(page, 'Enter')
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await keys(page, 'Control+Enter')
    await expectStep(open, 'Publish / Export')
    // Without a selection the first option is the tab stop, and the arrow keys select.
    const publish = open.getByRole('radio', { name: 'Publish', exact: true })
    await expect.poll(() => hasFocus(publish)).toBe(true)
    await keys(page, 'Tab', 'Shift+Tab')
    await expect.poll(() => hasFocus(publish)).toBe(true)
    await keys(page, 'ArrowDown')
    await expect.poll(() => open.getByRole('radio', { name: 'Export', exact: true }).isChecked()).toBe(true)
    await keys(page, 'ArrowUp')
    await expect.poll(() => publish.isChecked()).toBe(true)
    await keys(page, 'Enter')
    await expectStep(open, 'Publish Target')
    await keys(page, 'Escape')
    await expectShown(question(page, 'Leave without saving?'))
    await keys(page, 'Escape')
    await question(page, 'Leave without saving?').waitFor({ state: 'detached' })
    await expectStep(open, 'Publish Target')
  })
})

describe('a new database', () => {
  it(
    'starts with the URL template of its type, requires every connection field and recommends a parameter',
    holds(
      'M2.192',
      'M2.193',
      'M2.194',
      'M3.40',
      'M4.24',
      'M4.27',
      'M5.33',
      'M5.46',
      'M5.47',
      'M5.48',
      'M5.49',
      'M5.50',
    ),
    async () => {
      const open = await advanceToDatabase(page)
      await expect.poll(() => open.getByRole('radio').count()).toBe(2)
      await expectShown(open.getByRole('radio', { name: 'Existing database' }))
      await expect.poll(() => open.getByRole('radio', { name: 'New database' }).isChecked()).toBe(true)
      await pick(page, open, 'Database Type', 'HSQL')
      await press(open, 'Next')
      await expectStep(open, 'Connection Details')
      await expect
        .poll(() => value('Connection URL'))
        .toBe('jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true')
      await expect.poll(() => open.getByRole('note').count()).toBe(0)
      await field('Connection URL').fill('')
      const names = ['Connection URL', 'Username', 'Password', 'Database name']
      for (const name of names) {
        await field(name).focus()
        await field(name).blur()
        await expectText(`${name} is required`)
      }
      await press(open, 'Next')
      for (const name of names) await expectText(`${name} is required.`)
      await expectStep(open, 'Connection Details')
      await expect.poll(() => field('Password').getAttribute('type')).toBe('password')
      await expect.poll(() => field('Connection URL').getAttribute('type')).toBe('url')
      await field('Connection URL').fill('jdbc:hsqldb:mem:shop')
      await expect
        .poll(() => open.getByRole('note').allTextContents())
        .toEqual(['Recommended for HSQL: add sql.syntax_mys=true to the connection URL.'])
      await field('Connection URL').fill('jdbc:hsqldb:mem:shop;sql.syntax_mys=true')
      await open.getByRole('note').waitFor({ state: 'detached' })
    },
  )
})

describe('an existing database', () => {
  it(
    'is selected from the instance, which provides its connection details',
    holds('M3.48', 'M3.49', 'M4.27', 'M4.28', 'M4.30', 'M5.45', 'M7.76', 'M7.77'),
    async () => {
      const open = await advanceToDatabase(page, { instance: 'local' })
      await open.getByRole('radio', { name: 'Existing database' }).click()
      const type = open.getByRole('combobox', { name: 'Database Type' })
      // The type is unknown until a database is selected.
      await expect
        .poll(() => Promise.all([type.textContent(), type.isDisabled()]))
        .toEqual(['Type of the database', true])
      await press(open, 'Next')
      await expectText('Please select an existing database.')
      await pick(page, open, 'Existing database', 'embedded')
      await expect.poll(() => type.textContent()).toBe('HSQL')
      const sentence = 'A file of the instance: no server, user or password is needed.'
      await expectText(`The instance's embedded database. ${sentence}`)
      await press(open, 'Next')
      await expectShown(open.getByRole('heading', { name: "The instance's embedded database" }))
      await expectText(sentence)
      // The URL is in a collapsed section.
      await expect.poll(() => field('Connection URL').isVisible()).toBe(false)
      await open.getByText('Address and user').click()
      await expect
        .poll(() => value('Connection URL'))
        .toBe('jdbc:hsqldb:file:${toroesb.home}data/hsql/embedded.db;hsqldb.tx=MVCC;sql.syntax_mys=true')
      await expect.poll(() => Promise.all(['Database name', 'Username'].map(value))).toEqual(['embedded', 'sa'])
      // The instance has the credentials, so no password is required.
      for (const step of ['SQL Configuration', 'Package']) {
        await press(open, 'Next')
        await expectStep(open, step)
      }
      await field('Package name').fill('there')
      await press(open, 'Next')
      await expectText("The instance's embedded database")
      await expect.poll(() => open.getByText(/toroesb/).count()).toBe(0)
    },
  )

  it('is loaded before the next step can be completed', async () => {
    const open = await advanceToDatabase(page, { instance: 'local' })
    await open.getByRole('radio', { name: 'Existing database' }).click()
    const { requested, release } = await hold(page, /\/instance\/database$/, 'POST')
    await pick(page, open, 'Existing database', 'embedded')
    await requested
    await expect.poll(() => hasFocus(open.getByRole('combobox', { name: 'Existing database' }))).toBe(true)
    await keys(page, 'Control+Enter')
    await expectStep(open, 'Connection Details')
    const next = open.getByRole('button', { name: 'Next', exact: true })
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => next.getAttribute('data-tip')).toBe('This step is still loading.')
    release()
    await expect.poll(() => value('Database name')).toBe('embedded')
    await expect.poll(() => hasFocus(open.getByRole('textbox', { name: 'Database name' }))).toBe(true)
    await keys(page, 'Enter')
    await expectStep(open, 'SQL Configuration')
    await expect.poll(() => hasFocus(open.getByRole('checkbox', { name: 'Apply Auto-Increment' }))).toBe(true)
    await keys(page, 'Enter')
    await expectStep(open, 'Package')
  })

  it(
    'failed requests for the list or for details show an error, and an empty list disables the option with a reason',
    holds('M8.6', 'M8.8'),
    async () => {
      await refuse(page, 'POST', /\/instance\/databases$/, 'It is away.')
      const open = await advanceToDatabase(page, { instance: 'local' })
      await expectShown(snackbar(page, 'Failed to load databases. Please try again.'))
      await page.unrouteAll()
      await refuse(page, 'POST', /\/instance\/database$/, 'It is away.')
      await press(open, 'Retry')
      const existing = open.getByRole('radio', { name: 'Existing database' })
      await existing.click()
      await pick(page, open, 'Existing database', 'embedded')
      await expectText('Failed to fetch database details. Please try again.')
      await open.getByRole('radio', { name: 'New database' }).click()
      await page.route(/\/instance\/databases$/, route =>
        route.fulfill({ json: { result: 'OK', message: '', items: [] } }),
      )
      await press(open, 'Back')
      await press(open, 'Next')
      await expectText('The instance has no databases.')
      await expect.poll(() => existing.isDisabled()).toBe(true)
    },
  )

  it(
    'of a third-party instance is offered with its type, and its packages without its system packages',
    holds('M3.37', 'M3.46', 'M3.47', 'M3.48', 'M3.50'),
    async () => {
      const open = await advanceToTarget(page)
      await field('Instance URL').fill(other.url)
      await press(open, 'Next')
      await chooseApis(open, ['REST'])
      await press(open, 'Next')
      await expectStep(open, 'Database Connection')
      await open.getByRole('radio', { name: 'Existing database' }).click()
      const offered = [...types.map(type => `of-${type}`), 'untyped', 'ghost']
      expect((await optionsOf(page, open, 'Existing database')).toSorted()).toEqual(offered.toSorted())
      await keys(page, 'Escape')
      const type = open.getByRole('combobox', { name: 'Database Type' })
      await find(page, open, 'Existing database', 'of-mssql')
      await expect.poll(() => type.textContent()).toBe('SQL Server')
      await find(page, open, 'Existing database', 'of-informix')
      await expectText(
        "The instance reports the type INFORMIX. The package's scripts are written for the type chosen here.",
      )
      await find(page, open, 'Existing database', 'ghost')
      await expectText('Failed to fetch database details. Please try again.')
      await find(page, open, 'Existing database', 'untyped')
      await expect.poll(() => type.textContent()).toBe('MySQL')
      await press(open, 'Next')
      await expectStep(open, 'Connection Details')
      await field('Connection URL').fill('jdbc:mysql://db.test/untyped')
      for (const step of ['SQL Configuration', 'Package']) {
        await press(open, 'Next')
        await expectStep(open, step)
      }
      await open.getByRole('radio', { name: 'Existing package' }).click()
      expect(await optionsOf(page, open, 'Existing package')).toEqual(['billing  2.0.0', 'crm  1.4.0'])
      await keys(page, 'Escape')
    },
  )
})

describe('the package', () => {
  it(
    'is new or selected from a long list of existing packages without system packages, loaded again by Retry',
    holds('M2.196', 'M3.46', 'M3.47', 'M5.52', 'M5.53', 'M7.79', 'M8.7', 'M9.13'),
    async () => {
      await refuse(page, 'POST', /\/instance\/packages$/, 'It is away.')
      const open = await advanceToPackage(page, { instance: 'local' })
      await expectText('Failed to load packages.')
      await page.unrouteAll()
      const names = ['core', 'cdm-client', ...Array.from({ length: 200 }, (_, at) => `many-${at}`)]
      const items = names.map(name => ({ id: name, name, versions: ['1.0.0'], status: 'LOADED' }))
      await page.route(/\/instance\/packages$/, route => route.fulfill({ json: { result: 'OK', message: '', items } }))
      await press(open, 'Retry')
      await expect.poll(() => open.getByText('Failed to load packages.').count()).toBe(0)
      await expect.poll(() => open.getByRole('radio', { name: 'New package' }).isChecked()).toBe(true)
      await expect.poll(() => field('Package name').inputValue()).not.toBe('')
      await field('Package name').fill('')
      await press(open, 'Next')
      await expectText('Please provide a name for the new package.')
      await field('Package name').fill('no such name')
      await expectText("this must contain only letters, digits, '-' and '_'.")
      await open.getByRole('radio', { name: 'Existing package' }).click()
      await press(open, 'Next')
      await expectText('Please select an existing package.')
      await open.getByRole('combobox', { name: 'Existing package' }).click()
      await expect.poll(() => page.getByRole('option').count()).toBe(200)
      await page.keyboard.type('MANY-15')
      await page.getByRole('option', { name: 'many-15  1.0.0', exact: true }).waitFor()
      await keys(page, 'Enter')
      await press(open, 'Next')
      await expectText('many-15')
      await expectText('1.0.1')
    },
  )
})
