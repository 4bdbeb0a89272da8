import { holds } from '@cadmus/testing/holds'
import { freePort } from '@cadmus/testing/temporary'
import { afterEach, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  expectStep,
  cancelBlueprint,
  choose,
  chooseManifest,
  openBlueprint,
  advanceToTarget,
  chooseApis,
} from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, record, refuse, tool } from './driver/document.ts'
import { addAttribute, entityDocument } from './driver/entity.ts'
import { menu, nodeAt } from './driver/tree.ts'
import {
  describedBy,
  dialog,
  expectShown,
  find,
  iconOf,
  press,
  question,
  restingBox,
  snackbar,
} from './driver/widgets.ts'

const closed = `http://localhost:${await freePort()}`
const { page, console: server } = await startJourneyWithInstance({ env: { CADMUS_ALLOWED_INSTANCES: closed } })
const { instance } = server

afterEach(() => cancelBlueprint(page))

const field = (name: string) => dialog(page, 'Build Package').getByRole('textbox', { name })
describe('the blueprint wizard', () => {
  it(
    'opens at its first step at a width of 550, ignores clicks outside, and restarts after Cancel',
    holds('M2.23', 'M2.179', 'M2.180', 'M2.181', 'M2.199', 'M2.200', 'M2.201', 'M4.20', 'M5.34', 'M5.35'),
    async () => {
      const open = await openBlueprint(page)
      await expectStep(open, 'Select Manifest')
      await expect.poll(async () => (await open.boundingBox())?.width).toBe(550)
      const box = await restingBox(open)
      await page.mouse.click(5, 400)
      await expectStep(open, 'Select Manifest')
      await expect.poll(() => open.getByRole('button', { name: 'Back', exact: true }).isDisabled()).toBe(true)
      await press(open, 'Next')
      await expectShown(open.getByText('Please select a manifest.', { exact: true }))
      const calls = record(page)
      await chooseManifest(page, open, 'Shop')
      expect(calls.some(({ method, url }) => method === 'POST' && url.includes('/validate'))).toBe(true)
      await expect.poll(() => open.boundingBox()).toEqual(box)
      await choose(open, 'Export')
      await expectStep(open, 'API or schema')
      const before = calls.length
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
      expect(calls.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
      const again = await openBlueprint(page)
      await expectStep(again, 'Select Manifest')
      await expect.poll(() => again.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Select Manifest')
    },
  )

  it('preselects the manifest from whose menu it was opened', holds('M2.59', 'E2.12'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Export > Martini-style package')
    const open = dialog(page, 'Build Package')
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
  })

  it('preselects the manifest whose configuration is open', async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Configure')
    await expectShown(page.getByRole('tab', { name: /^Shop Configuration/ }))
    const open = await openBlueprint(page)
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^Shop Configuration/ }).press('Delete')
  })

  it('preselects the manifest of the open entity', async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'CustomerGroup')).dblclick()
    await expectShown(entityDocument(page, 'CustomerGroup'))
    const open = await openBlueprint(page)
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^CustomerGroup/ }).press('Delete')
  })

  it('warns about unsaved changes restored after a reload, even while they are still loading', async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'CustomerGroup')).dblclick()
    await addAttribute(page, 'leftUnsaved')
    await expectShown(page.getByRole('tab', { name: /^CustomerGroup.*unsaved changes/ }))
    const { requested, release } = await hold(page, /\/1\.0\/cdm\/entity\/\d+(\?|$)/, 'GET')
    await page.reload()
    await requested
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Build Package' }).click()
    release()
    const unsaved = question(page, 'Build Package')
    await expectShown(unsaved.getByText('1 unsaved change in "CustomerGroup". An export contains saved changes only.'))
    await press(unsaved, 'Cancel')
    await page.unrouteAll()
    await tool(page, 'Discard changes').click()
    await page.getByRole('tab', { name: /^CustomerGroup/ }).press('Delete')
  })

  it('shows validation errors of the server and remains at the step', holds('M5.36'), async () => {
    await apiOf(page).createManifest('Nothing')
    const open = await openBlueprint(page)
    const alert = open.getByRole('alert')
    await find(page, open, 'Manifest', 'Nothing')
    await press(open, 'Next')
    await expectShown(alert.getByText('Nothing has no entity.', { exact: true }))
    await expectStep(open, 'Select Manifest')
    await refuse(page, 'POST', /\/validate/)
    await press(open, 'Next')
    await expectShown(alert.getByText('Validation failed', { exact: true }))
    await expectStep(open, 'Select Manifest')
    await page.unrouteAll()
    await chooseManifest(page, open, 'Shop')
    await expect.poll(() => alert.count()).toBe(0)
  })

  it('requires a choice between publish and export', holds('M2.182', 'M2.183', 'M4.21', 'M5.37'), async () => {
    const open = await openBlueprint(page)
    await chooseManifest(page, open, 'Shop')
    await expect.poll(() => open.getByRole('radio').count()).toBe(2)
    await press(open, 'Next')
    await expectShown(open.getByText('Please select an option.', { exact: true }))
    const description = 'To an online designer or a server runtime of the integration platform.'
    await expect.poll(() => describedBy(open.getByRole('radio', { name: 'Publish', exact: true }))).toBe(description)
    await choose(open, 'Export')
    await expectStep(open, 'API or schema')
    await press(open, 'Back')
    await choose(open, 'Publish')
    await expectStep(open, 'Publish Target')
  })
})

describe('the publish target', () => {
  it(
    'is a hosted instance selected from the list',
    holds('M2.185', 'M2.186', 'M2.202', 'M4.22', 'M5.38', 'M5.41', 'M7.71'),
    async () => {
      const open = await advanceToTarget(page)
      await field('Instance URL').fill('no address')
      await press(open, 'Next')
      const invalid = open.getByText('Please enter a valid instance URL.', { exact: true })
      await expectShown(invalid)
      await open.getByRole('radio', { name: 'Hosted Instances' }).click()
      await press(open, 'Next')
      await expectShown(open.getByText('Please select a hosted instance.', { exact: true }))
      await find(page, open, 'Hosted instance', 'local')
      await open.getByText('Please select a hosted instance.').waitFor({ state: 'detached' })
      await expect.poll(() => invalid.count()).toBe(0)
      await press(open, 'Next')
      await expectStep(open, 'API or schema')
      await press(open, 'Back')
      await expectStep(open, 'Publish Target')
    },
  )

  it(
    'is a self-managed instance entered by URL, with a connection test',
    holds('M2.187', 'M2.188', 'M4.40', 'M4.41', 'M5.39', 'M5.40', 'M5.43', 'M7.78', 'M9.14'),
    async () => {
      const open = await advanceToTarget(page)
      const selfManaged = open.getByRole('radio', { name: 'Self-managed instance' })
      await expect.poll(() => selfManaged.isChecked()).toBe(true)
      await open.getByRole('radio', { name: 'Hosted Instances' }).click()
      await field('Instance URL').waitFor({ state: 'detached' })
      await selfManaged.click()
      await expectShown(field('Instance URL'))
      await press(open, 'Next')
      await expectShown(open.getByText('Please provide a self-managed instance URL.', { exact: true }))
      for (const url of ['http://', 'no address']) {
        await field('Instance URL').fill(url)
        await expect.poll(() => open.getByRole('button', { name: 'Test Connection' }).isDisabled()).toBe(true)
        await press(open, 'Next')
        await expectShown(open.getByText('Please enter a valid instance URL.', { exact: true }))
      }
      await field('Instance URL').fill(instance.url)
      const before = packageListRequests()
      const { requested, release } = await hold(page, /\/instance\/test/, 'POST')
      await press(open, 'Test Connection')
      await requested
      const busy = open.locator('button[aria-busy=true]', { hasText: 'Test Connection' })
      await expectShown(busy)
      await expect.poll(() => iconOf(busy)).toBe('loader-circle')
      release()
      await expectShown(snackbar(page, `Connection successful to ${instance.url}`))
      await busy.waitFor({ state: 'detached' })
      await expect.poll(packageListRequests).toBe(before + 1)
      await press(open, 'Next')
      await expectStep(open, 'API or schema')
    },
  )

  it('a failed connection test blocks Next until the URL is changed', holds('M4.42', 'M5.42'), async () => {
    const open = await advanceToTarget(page)
    await field('Instance URL').fill(closed)
    await press(open, 'Test Connection')
    await expectShown(snackbar(page, `Connection failed to ${closed}`))
    await expectShown(open.getByText(`${new URL(closed).host} could not be reached.`, { exact: true }))
    await press(open, 'Next')
    await expectShown(open.getByText('Connection test failed. Please check your URL.', { exact: true }))
    await expectStep(open, 'Publish Target')
    await field('Instance URL').fill(instance.url)
    await press(open, 'Next')
    await expectStep(open, 'API or schema')
  })

  it('uses https for a URL without a scheme', holds('M4.44'), async () => {
    const open = await advanceToTarget(page)
    await page.route(/\/instance\/test/, route => route.fulfill({ json: { result: 'OK', message: '' } }))
    await field('Instance URL').fill('example.test')
    const sent = page.waitForRequest(/\/instance\/test/)
    await press(open, 'Test Connection')
    await expectShown(snackbar(page, 'Connection successful to https://example.test'))
    expect((await sent).postDataJSON()).toEqual({ instanceUrl: 'https://example.test' })
  })
})

describe('API or schema', () => {
  it(
    'accepts several APIs or one schema, but not both',
    holds('M2.189', 'M2.190', 'M2.191', 'M4.23', 'M5.44'),
    async () => {
      const open = await openBlueprint(page)
      await chooseManifest(page, open, 'Shop')
      await choose(open, 'Export')
      await chooseApis(open, [])
      await press(open, 'Next')
      await expectShown(
        open.getByText('Please select at least one API option or a schema/model option.', { exact: true }),
      )
      const checked = () =>
        open
          .getByRole('checkbox', { checked: true })
          .evaluateAll(all => all.map(one => one.ariaLabel ?? one.parentElement?.textContent))
      for (const api of ['REST', 'SOAP', 'GraphQL']) await open.getByRole('checkbox', { name: api }).click()
      await expect.poll(() => checked()).toEqual(['REST', 'SOAP', 'GraphQL'])
      await open.getByRole('radio', { name: 'Database Schema' }).click()
      await expect.poll(() => checked()).toEqual([])
      await open.getByRole('radio', { name: 'Data Models' }).click()
      await expect.poll(() => open.getByRole('radio', { name: 'Database Schema' }).isChecked()).toBe(false)
      await open.getByRole('checkbox', { name: 'REST' }).click()
      await expect.poll(() => open.getByRole('radio', { checked: true }).count()).toBe(0)
      await press(open, 'Next')
      await expectStep(open, 'Database Connection')
    },
  )
})

/** The number of requests for the package list in the log of the instance. */
function packageListRequests(): number {
  return instance.log().split('"method":"GET","path":"/esbapi/packages"').length - 1
}
