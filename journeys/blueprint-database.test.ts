import { holds } from '@cadmus/testing/holds'
import { afterEach, describe, expect, it } from 'vitest'
import { expectStep, advanceToDatabase, advanceToPackage } from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, refuse } from './driver/document.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, pick, press, snackbar } from './driver/widgets.ts'

const { page } = await startJourneyWithInstance()

afterEach(async () => {
  const open = dialog(page, 'Build Package')
  if ((await open.count()) > 0) await press(open, 'Cancel')
})

const field = (name: string) => dialog(page, 'Build Package').getByRole('textbox', { name })
const value = (name: string) => field(name).inputValue()
const expectText = (text: string) => expectShown(dialog(page, 'Build Package').getByText(text, { exact: true }))

/** Answers the list request with 200 items. */
async function serveMany(call: RegExp): Promise<void> {
  const items = Array.from({ length: 200 }, (_, at) => {
    const name = `many-${at}`
    return { id: name, name, versions: ['1.0.0'], status: 'LOADED' }
  })
  await page.route(call, route => route.fulfill({ json: { result: 'OK', message: '', items } }))
}

describe('a new database', () => {
  it(
    'starts with the URL template of its type and requires every connection field',
    holds('M2.192', 'M2.193', 'M2.194', 'M3.40', 'M4.24', 'M4.27', 'M5.46', 'M5.47', 'M5.48', 'M5.49', 'M5.50'),
    async () => {
      const open = await advanceToDatabase(page)
      await expect.poll(() => open.getByRole('radio').count()).toBe(2)
      await expectShown(open.getByRole('radio', { name: 'Existing database' }))
      await expect.poll(() => open.getByRole('radio', { name: 'New database' }).isChecked()).toBe(true)
      const urls: string[] = []
      for (const type of ['MySQL', 'HSQL', 'Oracle', 'PostgreSQL', 'SQL Server']) {
        await pick(page, open, 'Database Type', type)
        await press(open, 'Next')
        await expectStep(open, 'Connection Details')
        urls.push(await value('Connection URL'))
        await press(open, 'Back')
      }
      expect(urls).toEqual([
        "jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'",
        'jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true',
        'jdbc:oracle:thin:@localhost:1521:database',
        'jdbc:postgresql://localhost:5432/database',
        'jdbc:sqlserver://localhost:1433;databaseName=database',
      ])
      await press(open, 'Next')
      await field('Connection URL').fill('')
      for (const name of ['Connection URL', 'Username', 'Password', 'Database name']) {
        await field(name).focus()
        await field(name).blur()
        await expectText(`${name} is required`)
      }
      await press(open, 'Next')
      await expectText('Connection URL is required.')
      await expectText('Username is required.')
      await expectText('Password is required.')
      await expectText('Database name is required.')
      await expectStep(open, 'Connection Details')
      await expect.poll(() => field('Password').getAttribute('type')).toBe('password')
      await expect.poll(() => field('Connection URL').getAttribute('type')).toBe('url')
    },
  )

  it('shows a note if its URL lacks the recommended parameter', holds('M5.33'), async () => {
    const open = await advanceToDatabase(page)
    await pick(page, open, 'Database Type', 'HSQL')
    await press(open, 'Next')
    const advice = open.getByRole('note')
    await expect.poll(() => advice.count()).toBe(0)
    await field('Connection URL').fill('jdbc:hsqldb:mem:shop')
    await expectShown(advice)
    await expect
      .poll(() => advice.textContent())
      .toBe('Recommended for HSQL: add sql.syntax_mys=true to the connection URL.')
    await field('Connection URL').fill('jdbc:hsqldb:mem:shop;sql.syntax_mys=true')
    await advice.waitFor({ state: 'detached' })
    await press(open, 'Back')
    await pick(page, open, 'Database Type', 'MySQL')
    await press(open, 'Next')
    await field('Connection URL').fill('jdbc:mysql://db.test:3306/shop')
    await expect
      .poll(() => advice.allTextContents())
      .toEqual(["Recommended for MySQL: add sessionVariables=sql_mode='ANSI' to the connection URL."])
    await field('Connection URL').fill("jdbc:mysql://db.test:3306/shop?sessionVariables=sql_mode='ANSI'")
    await advice.waitFor({ state: 'detached' })
  })
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
      expect([await type.textContent(), await type.isDisabled()]).toEqual(['Type of the database', true])
      await press(open, 'Next')
      await expectText('Please select an existing database.')
      await pick(page, open, 'Existing database', 'embedded')
      await expect.poll(() => type.textContent()).toBe('HSQL')
      const sentence = 'A file of the instance: no server, user or password is needed.'
      await expectShown(open.getByText(`The instance's embedded database. ${sentence}`, { exact: true }))
      await press(open, 'Next')
      await expectShown(open.getByRole('heading', { name: "The instance's embedded database" }))
      await expectShown(open.getByText(sentence, { exact: true }))
      // The URL is in a collapsed section.
      await expect.poll(() => field('Connection URL').isVisible()).toBe(false)
      await open.getByText('Address and user').click()
      await expect.poll(() => field('Connection URL').isVisible()).toBe(true)
      await expect
        .poll(() => value('Connection URL'))
        .toBe('jdbc:hsqldb:file:${toroesb.home}data/hsql/embedded.db;hsqldb.tx=MVCC;sql.syntax_mys=true')
      expect([await value('Database name'), await value('Username')]).toEqual(['embedded', 'sa'])
      // The instance has the credentials, so no password is required.
      await press(open, 'Next')
      await expectStep(open, 'SQL Configuration')
      await press(open, 'Back')
      await press(open, 'Back')
      await open.getByRole('radio', { name: 'New database' }).click()
      await press(open, 'Next')
      const entered = () => Promise.all(['Username', 'Password', 'Database name'].map(value))
      await expect.poll(() => entered()).toEqual(['', '', ''])
      await expect
        .poll(() => value('Connection URL'))
        .toBe('jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true')
      for (const name of ['Username', 'Password', 'Database name']) await field(name).fill('somebody')
      await press(open, 'Back')
      await open.getByRole('radio', { name: 'Existing database' }).click()
      await open.getByRole('radio', { name: 'New database' }).click()
      await press(open, 'Next')
      await expect.poll(() => entered()).toEqual(['', '', ''])
    },
  )

  it('does not take over the details typed for a new database', holds('M4.29'), async () => {
    const open = await advanceToDatabase(page, { instance: 'local' })
    await press(open, 'Next')
    const names = ['Connection URL', 'Username', 'Password', 'Database name']
    for (const name of names) await field(name).fill('jdbc:typed:before')
    await press(open, 'Back')
    await open.getByRole('radio', { name: 'Existing database' }).click()
    // An instance may report empty details.
    await page.route(/\/instance\/database$/, route =>
      route.fulfill({
        json: { result: 'OK', message: '', database: { name: 'embedded', url: '', username: '', type: 'MYSQL' } },
      }),
    )
    await pick(page, open, 'Existing database', 'embedded')
    await expect.poll(() => open.getByRole('combobox', { name: 'Database Type' }).textContent()).toBe('MySQL')
    await press(open, 'Next')
    await expectStep(open, 'Connection Details')
    // The database name comes from the selection.
    expect(await Promise.all(names.map(value))).toEqual(['', '', '', 'embedded'])
  })

  it('is searched by name in a long list', async () => {
    await serveMany(/\/instance\/databases$/)
    const open = await advanceToDatabase(page, { instance: 'local' })
    await open.getByRole('radio', { name: 'Existing database' }).click()
    await find(page, open, 'Existing database', 'many-150')
    await expect.poll(() => open.getByRole('combobox', { name: 'Existing database' }).textContent()).toBe('many-150')
  })

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
    'shows the code of an unknown type, and the option is disabled with a reason if there is no database',
    holds('M3.37', 'M3.50', 'M4.30', 'M7.77'),
    async () => {
      const answer = (type: string) =>
        page.route(/\/instance\/database$/, route =>
          route.fulfill({
            json: { result: 'OK', message: '', database: { name: 'embedded', url: 'jdbc:x:', username: 'ada', type } },
          }),
        )
      await answer('DB2')
      const open = await advanceToDatabase(page, { instance: 'local' })
      await open.getByRole('radio', { name: 'Existing database' }).click()
      await pick(page, open, 'Existing database', 'embedded')
      await expectShown(open.getByText(/DB2/))
      await answer('MYSQL')
      await open.getByRole('radio', { name: 'New database' }).click()
      await open.getByRole('radio', { name: 'Existing database' }).click()
      await pick(page, open, 'Existing database', 'embedded')
      await expect.poll(() => open.getByRole('combobox', { name: 'Database Type' }).textContent()).toBe('MySQL')
      await press(open, 'Next')
      await expect.poll(() => value('Connection URL')).toBe('jdbc:x:')
      expect([await value('Username'), await value('Password')]).toEqual(['ada', ''])
      await press(open, 'Cancel')
      // Without databases the option is disabled.
      await page.route(/\/instance\/databases$/, route =>
        route.fulfill({ json: { result: 'OK', message: '', items: [] } }),
      )
      for (const [instance, reason] of [
        ['local', 'The instance has no databases.'],
        [undefined, 'No hosted instance has a database.'],
      ] as const) {
        const wizard = await advanceToDatabase(page, instance === undefined ? {} : { instance })
        await expectText(reason)
        await expect.poll(() => wizard.getByRole('radio', { name: 'Existing database' }).isDisabled()).toBe(true)
        await press(wizard, 'Cancel')
      }
      await page.unrouteAll()
    },
  )

  it('failed requests for its details or for the list of databases show an error', holds('M8.6', 'M8.8'), async () => {
    await refuse(page, 'POST', /\/instance\/database$/, 'It is away.')
    const open = await advanceToDatabase(page, { instance: 'local' })
    await open.getByRole('radio', { name: 'Existing database' }).click()
    await pick(page, open, 'Existing database', 'embedded')
    await expectText('Failed to fetch database details. Please try again.')
    await press(open, 'Cancel')
    await page.unrouteAll()
    await refuse(page, 'POST', /\/instance\/databases$/, 'It is away.')
    await advanceToDatabase(page, { instance: 'local' })
    await expectShown(snackbar(page, 'Failed to load databases. Please try again.'))
    await page.unrouteAll()
    await press(dialog(page, 'Build Package'), 'Retry')
    await dialog(page, 'Build Package').getByRole('radio', { name: 'Existing database' }).click()
    await expectShown(dialog(page, 'Build Package').getByRole('combobox', { name: 'Existing database' }))
  })
})

describe('the package', () => {
  it(
    'is new or selected from a long list of existing packages',
    holds('M2.196', 'M5.52', 'M5.53', 'M9.13'),
    async () => {
      await serveMany(/\/instance\/packages$/)
      const open = await advanceToPackage(page, { instance: 'local' })
      await expect.poll(() => open.getByRole('radio', { name: 'New package' }).isChecked()).toBe(true)
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
      await page.keyboard.press('Enter')
      await press(open, 'Next')
      await expectShown(open.getByText('many-15', { exact: true }))
      await expectShown(open.getByText('1.0.1', { exact: true }))
    },
  )

  it(
    'an existing package is selected from a list with versions and without system packages',
    holds('M3.46', 'M3.47', 'M7.79'),
    async () => {
      const items = ['crm', 'core', 'cdm-client'].map(name => ({
        id: name,
        name,
        versions: ['1.4.0'],
        status: 'LOADED',
      }))
      await page.route(/\/instance\/packages$/, route => route.fulfill({ json: { result: 'OK', message: '', items } }))
      const open = await advanceToPackage(page, { instance: 'local' })
      await open.getByRole('radio', { name: 'Existing package' }).click()
      await open.getByRole('combobox', { name: 'Existing package' }).click()
      const options = page.getByRole('option')
      await options.first().waitFor()
      await expect.poll(() => options.allTextContents()).toEqual(['crm  1.4.0'])
      await options.first().click()
      await press(open, 'Next')
      await expectShown(open.getByText('1.4.1', { exact: true }))
    },
  )

  it('a failed request for the existing packages shows an error with Retry', holds('M8.7'), async () => {
    await refuse(page, 'POST', /\/instance\/packages$/, 'It is away.')
    const open = await advanceToPackage(page, { instance: 'local' })
    await expectText('Failed to load packages.')
    await page.unrouteAll()
    await press(open, 'Retry')
    await expect.poll(() => open.getByText('Failed to load packages.').count()).toBe(0)
  })
})
