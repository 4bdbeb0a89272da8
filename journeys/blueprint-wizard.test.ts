import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { violationsInAllVariants } from './driver/axe.ts'
import {
  expectStep,
  choose,
  chooseManifest,
  openBlueprint,
  advanceToDatabase,
  advanceToPackage,
  advanceToTarget,
  chooseApis,
} from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hasFocus, missedByTab, keys } from './driver/keyboard.ts'
import { otherAnswers, otherTypes as types, startOtherInstance } from './driver/other-instance.ts'
import { expectShown, find, optionsOf, pick, press, question, snackbar } from './driver/widgets.ts'

const answers = { ...otherAnswers }
const other = await startOtherInstance(answers)
afterAll(() => other.stop())
const env = { CADMUS_ALLOWED_INSTANCES: other.url }
const { page } = await startJourneyWithInstance({ width: 1024, height: 720, env })

/** Accessibility violations and controls out of reach of Tab; also checks that the dialog fits the window at a width of 550. */
async function inspect(open: Locator, name: string): Promise<string[]> {
  const problems = [...(await violationsInAllVariants(page, `blueprint-${name}`)), ...(await missedByTab(page, open))]
  // A click outside neither closes the dialog nor opens a confirmation.
  const isOutside = () => document.elementFromPoint(5, 400)?.closest('[role=dialog]') === null
  await expect.poll(() => page.evaluate(isOutside)).toBe(true)
  await page.mouse.click(5, 400)
  await expect.poll(() => question(page, 'Leave without saving?').count()).toBe(0)
  const box = await open.boundingBox()
  expect(box?.width).toBe(550)
  expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= 720).toBe(true)
  return problems.map(line => `${name}: ${line}`)
}

describe('each step of the blueprint wizard', () => {
  it(
    'is accessible in every display mode and reachable by keyboard in a small window, with its error messages',
    holds('M2.179', 'M2.180'),
    async () => {
      const open = await openBlueprint(page)
      await press(open, 'Next')
      const problems = await inspect(open, '1')
      await chooseManifest(page, open, 'Shop')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '2')))
      await open.getByRole('radio', { name: 'Publish', exact: true }).click()
      await press(open, 'Next')
      await open.getByRole('textbox', { name: 'Instance URL' }).fill('http://localhost:1')
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
      await open.getByRole('textbox', { name: 'Connection URL' }).fill('jdbc:hsqldb:mem:shop')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '3a2')))
      for (const name of ['Username', 'Password', 'Database name'])
        await open.getByRole('textbox', { name }).fill('a_rather_long_name_that_somebody_gave_it')
      await press(open, 'Next')
      await expectStep(open, 'SQL Configuration')
      problems.push(...(await inspect(open, '3a3')))
      await press(open, 'Next')
      await press(open, 'Next')
      problems.push(...(await inspect(open, '4')))
      await open.getByRole('textbox', { name: 'Package name' }).fill(`${'long'.repeat(20)}`)
      await press(open, 'Next')
      await expectStep(open, 'Summary')
      problems.push(...(await inspect(open, '5')))
      expect(problems).toEqual([])
      await press(open, 'Cancel')
    },
  )

  it(
    'APIs and schemas exclude each other, and only one schema can be selected',
    holds('M2.190', 'M2.191'),
    async () => {
      const open = await openBlueprint(page)
      await chooseManifest(page, open, 'Shop')
      await choose(open, 'Export')
      const [apis, schemas] = [
        ['REST', 'SOAP', 'GraphQL'],
        ['Database Schema', 'Data Models'],
      ] as const
      const radio = (name: string) => open.getByRole('radio', { name, exact: true })
      const chosen = async () => {
        const boxes = apis.map(name => open.getByRole('checkbox', { name, exact: true }))
        const all = await Promise.all([...boxes, ...schemas.map(radio)].map(one => one.isChecked()))
        return [...apis, ...schemas].filter((_, at) => all[at])
      }
      await chooseApis(open, [])
      for (const schema of schemas) {
        for (const api of apis) {
          await open.getByRole('checkbox', { name: api, exact: true }).click()
          await expect.poll(chosen).toEqual([api])
          await radio(schema).click()
          await expect.poll(chosen).toEqual([schema])
        }
        for (const other of schemas.filter(one => one !== schema)) {
          await radio(other).click()
          await expect.poll(chosen).toEqual([other])
        }
      }
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )

  it('is operable by keyboard alone', async () => {
    const open = await openBlueprint(page)
    // Before the picker has the focus, Enter would press the toolbar button again.
    await expect.poll(() => hasFocus(open.getByRole('combobox', { name: 'Manifest' }))).toBe(true)
    // The second Enter selects the best match.
    await page.keyboard.press('Enter')
    await page.keyboard.type('Shop')
    await page.keyboard.press('Enter')
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
    await page.keyboard.press('Control+Enter')
    await expectStep(open, 'Publish / Export')
    // Without a selection the first option is the tab stop, and the arrow keys select.
    const publish = open.getByRole('radio', { name: 'Publish', exact: true })
    await expect.poll(() => hasFocus(publish)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => hasFocus(publish)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => open.getByRole('radio', { name: 'Export', exact: true }).isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => publish.isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await expectStep(open, 'Publish Target')
    await keys(page, 'Escape')
    await expectShown(question(page, 'Leave without saving?'))
    await keys(page, 'Escape')
    await question(page, 'Leave without saving?').waitFor({ state: 'detached' })
    await expectStep(open, 'Publish Target')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('the SQL Configuration step', () => {
  it('shows four query options', holds('M2.195'), async () => {
    const open = await advanceToPackage(page)
    await press(open, 'Back')
    const boxes = open.getByRole('checkbox')
    const names = ['Apply Auto-Increment', 'Apply Coalesce', 'Apply Limit & Offset', 'Apply Relationship Join']
    await expect.poll(() => boxes.count()).toBe(4)
    for (const name of names) await expectShown(open.getByRole('checkbox', { name, exact: true }))
    await expect.poll(() => open.getByRole('checkbox', { name: 'Apply Auto-Increment' }).isChecked()).toBe(true)
    for (const name of names) {
      const box = open.getByRole('checkbox', { name, exact: true })
      if (await box.isChecked()) await box.click()
    }
    await press(open, 'Next')
    await expectStep(open, 'Package')
    await press(open, 'Cancel')
  })

  it('cannot be completed until the configuration is loaded', holds('M5.51'), async () => {
    await page.reload()
    await page.route(/\/manifest\/\d+\/build/, route =>
      route.fulfill({ status: 500, json: { message: 'Unexpected error', code: 'internal' } }),
    )
    const open = await advanceToDatabase(page)
    await press(open, 'Next')
    for (const name of ['Username', 'Password', 'Database name']) await open.getByRole('textbox', { name }).fill('x')
    await press(open, 'Next')
    await expectStep(open, 'SQL Configuration')
    await press(open, 'Next')
    await expectShown(open.getByText('SQL configuration is required.', { exact: true }))
    await page.unrouteAll()
    await press(open, 'Retry')
    await expectShown(open.getByRole('checkbox', { name: 'Apply Coalesce' }))
    await press(open, 'Next')
    await expectStep(open, 'Package')
    await press(open, 'Cancel')
  })
})

describe('a third-party instance', () => {
  afterEach(() => void Object.assign(answers, otherAnswers))

  it(
    'offers its databases with their types, and its packages without its system packages',
    holds('M3.37', 'M3.46', 'M3.47', 'M3.48', 'M3.50'),
    async () => {
      const open = await toOtherInstance()
      await open.getByRole('radio', { name: 'Existing database' }).click()
      const offered = [...types.map(type => `of-${type}`), 'untyped']
      expect((await optionsOf(page, open, 'Existing database')).toSorted()).toEqual(offered.toSorted())
      await keys(page, 'Escape')
      const type = open.getByRole('combobox', { name: 'Database Type' })
      for (const [code, label] of [
        ['hsql', 'HSQL'],
        ['mssql', 'SQL Server'],
        ['mysql', 'MySQL'],
        ['oracle', 'Oracle'],
        ['postgresql', 'PostgreSQL'],
      ]) {
        await find(page, open, 'Existing database', `of-${code}`)
        await expect.poll(() => type.textContent()).toBe(label)
      }
      for (const code of ['DB2', 'H2', 'INFORMIX']) {
        await find(page, open, 'Existing database', `of-${code === 'INFORMIX' ? 'informix' : code}`)
        const calls = `The instance reports the type ${code}. The package's scripts are written for the type chosen here.`
        await expectShown(open.getByText(calls, { exact: true }))
      }
      await find(page, open, 'Existing database', 'untyped')
      await expect.poll(() => type.textContent()).toBe('MySQL')
      await press(open, 'Next')
      await expectStep(open, 'Connection Details')
      await open.getByRole('textbox', { name: 'Connection URL' }).fill('jdbc:mysql://db.test/untyped')
      for (const step of ['SQL Configuration', 'Package']) {
        await press(open, 'Next')
        await expectStep(open, step)
      }
      await open.getByRole('radio', { name: 'Existing package' }).click()
      expect(await optionsOf(page, open, 'Existing package')).toEqual(['billing  2.0.0', 'crm  1.4.0'])
      await keys(page, 'Escape')
      await press(open, 'Cancel')
    },
  )

  it('passes the connection test only if it has packages', holds('M4.43'), async () => {
    await page.goto('/')
    const open = await advanceToTarget(page)
    await open.getByRole('textbox', { name: 'Instance URL' }).fill(other.url)
    await press(open, 'Test Connection')
    await expectShown(snackbar(page, `Connection successful to ${other.url}`))
    answers['/esbapi/packages'] = { items: [] }
    await press(open, 'Test Connection')
    await expectShown(snackbar(page, `Connection failed to ${other.url}`))
    await press(open, 'Cancel')
  })

  it('shows an error if it has no details of a listed database', holds('M8.6'), async () => {
    answers['/esbapi/databases'] = { items: [{ name: 'ghost' }] }
    const open = await toOtherInstance()
    await open.getByRole('radio', { name: 'Existing database' }).click()
    await pick(page, open, 'Existing database', 'ghost')
    await expectShown(open.getByText('Failed to fetch database details. Please try again.', { exact: true }))
    await press(open, 'Cancel')
  })

  it('shows an error if it does not list its databases', holds('M8.8'), async () => {
    delete answers['/esbapi/databases']
    const open = await toOtherInstance()
    await expectShown(snackbar(page, 'Failed to load databases. Please try again.'))
    await press(open, 'Cancel')
  })
})

/** Advances the wizard to the database step, with the other instance as its target. */
async function toOtherInstance(): Promise<Locator> {
  await page.goto('/')
  const open = await advanceToTarget(page)
  await open.getByRole('textbox', { name: 'Instance URL' }).fill(other.url)
  await press(open, 'Next')
  await chooseApis(open, ['REST'])
  await press(open, 'Next')
  await expectStep(open, 'Database Connection')
  return open
}
