import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrationOn, signInToPicker } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { returnToPage } from './driver/document.ts'
import { entityDocument, property } from './driver/entity.ts'
import { openPage, startJourney, saveScreenshot } from './driver/journey.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'
import type { Locator } from 'playwright-core'

const journey = await startJourney({ user: 'nobody', env: { CADMUS_DEMO_PERMISSIONS: 'none' } })
const { page } = journey
const { tree, panel, title, rowOf, nodeOf, open, callApi, setMember, removeMember } = administrationOn(page)

describe('A console without members', () => {
  it('leads its first administrator from the organisation picker to the administration', holds('E6.5'), async () => {
    await signInToPicker(page, 'admin')
    await expectShown(page.getByText('You are not a member of a subscription', { exact: false }))
    await saveScreenshot(page, 'picker-first')
    await page.getByRole('link', { name: 'Administration' }).click()
    await expectShown(nodeOf('Acme Trading'))
    // Without an earlier choice, the console's own organisation is shown.
    await expectShown(title('[CADMUS] Cadmus'))
    await expect
      .poll(() => tree.getByRole('treeitem').allTextContents())
      .toEqual(['Standard', 'Acme Trading ACME', 'Cadmus CADMUS', 'Globex GLOBEX'])
    await saveScreenshot(page, 'admin-begin')
  })

  it('an organisation is created by mouse, with errors for an invalid or duplicate code', async () => {
    await page.getByRole('button', { name: 'Create Organisation' }).click()
    const open = dialog(page, 'Create Organisation')
    await open.getByLabel('Code').fill('ne w')
    await expectShown(
      open.getByText("this must contain only upper-case letters, digits, '_' and '-'.", { exact: true }),
    )
    await expect.poll(() => open.getByLabel('Code').inputValue()).toBe('NE W')
    await saveScreenshot(page, 'admin-create')
    await open.getByLabel('Code').fill('acme')
    await open.getByLabel('Name').fill('Another')
    await press(open, 'Create')
    await expectShown(open.getByText('An organisation with the code "ACME" already exists.', { exact: true }))
    await open.getByLabel('Code').fill('NORTH')
    await open.getByLabel('Name').fill('North & South')
    await press(open, 'Create')
    await expectShown(title('[NORTH] North & South'))
    await expectShown(snackbar(page, 'Created organisation [NORTH] North & South.'))
    await expectShown(nodeOf('North & South'))
    await panel.getByRole('tab', { name: 'Members' }).click()
    await expectShown(panel.getByText('No members yet.', { exact: true }))
  })

  it('an administrator who adds themselves with a subscription can open the workspace', holds('M6.1'), async () => {
    await nodeOf('Acme Trading').click()
    await expectShown(title('[ACME] Acme Trading'))
    await panel.getByRole('tab', { name: 'Members' }).click()
    await panel.getByRole('button', { name: 'Add Member' }).click()
    const open = dialog(page, 'Add Member')
    await find(page, open, 'User', 'Ada Admin')
    await expect
      .poll(() => open.locator('label').allTextContents())
      .toEqual([expect.stringMatching(/^User/), expect.stringMatching(/^Subscription/)])
    await open.getByLabel('Subscription').fill('x')
    await expectShown(open.getByText('this must be a whole number from 0 to 1000000000.', { exact: true }))
    await open.getByLabel('Subscription').fill('7')
    await saveScreenshot(page, 'admin-add-member')
    await press(open, 'Add')
    await expectShown(rowOf('Ada Admin').getByText('7', { exact: true }))
    await expect.poll(() => panel.getByRole('tab', { name: 'Members' }).textContent()).toBe('Members1')
    await page.getByRole('button', { name: 'Home' }).click()
    // The administrator's only organisation opens directly.
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await page.getByRole('button', { name: /Profile of/ }).click()
    await page.getByRole('menuitem', { name: 'Administration' }).click()
    await expectShown(nodeOf('Globex'))
  })
})

/** The values of the licence limits. */
const licenceShown = async () =>
  (await panel.getByRole('region', { name: 'Licence limits' }).getByRole('definition').allTextContents()).join(' | ')

describe('Organisations and members by keyboard', () => {
  it('organisations, subscriptions and licence limits are edited without a mouse', async () => {
    await setMember('admin', 1, 'CADMUS')
    await page.goto('/admin')
    await tabTo(page, page.getByRole('button', { name: 'Create Organisation' }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(dialog(page, 'Create Organisation').getByLabel('Code'))).toBe(true)
    await page.keyboard.type('keys')
    await keys(page, 'Tab')
    await page.keyboard.type('By Keys')
    await keys(page, 'Enter')
    await expectShown(title('[KEYS] By Keys'))
    const search = page.getByRole('textbox', { name: 'Search organisations' })
    await tabTo(page, search)
    await page.keyboard.type('CADM')
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
    await tabTo(page, nodeOf('Cadmus'))
    await keys(page, 'Enter')
    await expectShown(title('[CADMUS] Cadmus'))
    await tabTo(page, panel.getByRole('tab', { name: 'Overview' }))
    await keys(page, 'ArrowRight', 'ArrowRight')
    await tabTo(page, panel.getByRole('button', { name: 'Add Member' }))
    await keys(page, 'Enter')
    const add = dialog(page, 'Add Member')
    await expect.poll(() => hasFocus(add.getByRole('combobox', { name: 'User' }))).toBe(true)
    await keys(page, 'Escape')
    await add.waitFor({ state: 'detached' })
    await tabTo(page, rowOf('Ada Admin'))
    await keys(page, 'Enter')
    const change = dialog(page, 'Change Subscription')
    await expect.poll(() => hasFocus(change.getByLabel('Subscription'))).toBe(true)
    await page.keyboard.type('12')
    await keys(page, 'Enter')
    await expectShown(rowOf('Ada Admin').getByText('12', { exact: true }))
    await expect.poll(() => hasFocus(rowOf('Ada Admin'))).toBe(true)
    await keys(page, 'Space', 'Delete')
    await expectShown(question(page, 'Remove your own access?'))
    await keys(page, 'Escape')
    await expectShown(rowOf('Ada Admin'))
    await page.getByRole('tab', { name: 'Members' }).focus()
    await keys(page, 'ArrowRight')
    await expectShown(panel.getByRole('heading', { name: 'Licence limits' }))
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('licence')
    await tabTo(page, panel.getByRole('button', { name: 'Edit Licence Limits' }))
    await keys(page, 'Enter')
    const limits = dialog(page, 'Licence Limits')
    await tabTo(page, limits.getByLabel('Manifest limit'))
    await keys(page, 'Control+a')
    await page.keyboard.type('7')
    await tabTo(page, limits.getByRole('checkbox', { name: 'GraphQL API' }))
    await keys(page, 'Space', 'Enter')
    await limits.waitFor({ state: 'detached' })
    await expect.poll(() => licenceShown()).toMatch(/^7 .*Included.*Not included/)
    await page.goBack()
    await expectShown(rowOf('Ada Admin'))
  })
})

describe('Licence limits', () => {
  const edit = async (): Promise<Locator> => {
    await panel.getByRole('button', { name: 'Edit Licence Limits' }).click()
    return dialog(page, 'Licence Limits')
  }

  it('are set field by field, and the first database is the default', async () => {
    await open('NORTH', 'Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('3')
    await form.getByRole('checkbox', { name: 'GraphQL API' }).click()
    for (const type of ['HSQL', 'Oracle', 'SQL Server', 'PostgreSQL', 'MySQL'])
      await form.getByRole('checkbox', { name: type }).click()
    await expectShown(form.getByText('A licence must include at least one database type.', { exact: true }))
    await expect.poll(() => form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await form.getByRole('checkbox', { name: 'MySQL' }).click()
    await form.getByRole('checkbox', { name: 'PostgreSQL' }).click()
    await form.getByRole('button', { name: 'Move PostgreSQL up' }).click()
    await saveScreenshot(page, 'admin-licence-dialog')
    await press(form, 'Save')
    await expect.poll(() => licenceShown()).toBe('3 0 in total | Included | Not included | PostgreSQLDefaultMySQL')
    await expect.poll(() => panel.textContent()).not.toContain('mc=')
    await saveScreenshot(page, 'admin-licence')
  })

  it('a concurrent change by another administrator is shown before it is overwritten', async () => {
    await open('NORTH', 'Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('9')
    const licence = { manifestLimit: 5, rest: false, graphql: false, databaseTypes: ['postgresql', 'mysql'] }
    await callApi('PUT', 'org/NORTH', { licence })
    await press(form, 'Save')
    await expectShown(form.getByText('Manifest limit: 5 (Ada Admin)', { exact: true }))
    await expect.poll(() => form.getByLabel('Manifest limit').inputValue()).toBe('9')
    await saveScreenshot(page, 'admin-licence-conflict')
    await press(form, 'Save')
    // REST was not edited in this dialog, so the other value remains.
    await expect.poll(() => licenceShown()).toMatch(/^9 .*\| Not included \| Not included \| PostgreSQLDefaultMySQL$/)
  })

  it('leaving with unsaved changes requires confirmation', async () => {
    await open('NORTH', 'Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('10')
    await keys(page, 'Escape')
    await press(question(page, 'Leave without saving?'), 'Cancel')
    await page.goBack()
    await expectShown(question(page, 'Leave without saving?'))
    await press(question(page, 'Leave without saving?'), 'Leave')
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => licenceShown()).toMatch(/^9 /)
  })
})

describe('An administrator', () => {
  it('must confirm giving up their own membership, and can still administer without it', async () => {
    await setMember('admin', 1)
    await page.goto('/org')
    await page.getByRole('button', { name: 'Select Acme Trading' }).click()
    // Selecting an organisation opens the section that was visited last.
    await expectShown(nodeOf('Acme Trading'))
    await open('ACME')
    await rowOf('Ada Admin').click()
    await panel.getByRole('button', { name: 'Change Subscription' }).click()
    const change = dialog(page, 'Change Subscription')
    await change.getByLabel('Subscription').fill('0')
    await press(change, 'Save')
    const confirmation = question(page, 'Remove your own access?')
    await expectAccessible(page, 'admin-own-access')
    await press(confirmation, 'Remove')
    await expectShown(rowOf('Ada Admin').getByText('No subscription', { exact: true }))
    await nodeOf('Globex').click()
    await expectShown(title('[GLOBEX] Globex'))
    await panel.getByRole('tab', { name: 'Members' }).click()
    await expectShown(panel.getByText('No members yet.', { exact: true }))
    await page.getByRole('button', { name: 'Home' }).click()
    // The remaining organisation opens.
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menuitem', { name: 'Organizations (Cadmus)' }))
  })

  it('is shown a concurrent rename of an organisation before overwriting it', async () => {
    await open('NORTH')
    await panel.getByRole('button', { name: 'Rename' }).click()
    const rename = dialog(page, 'Rename Organisation')
    await page.route('**/admin/org/NORTH', route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await rename.getByLabel('Name').fill('Refused')
    await press(rename, 'Rename')
    await expectShown(rename.getByRole('alert').getByText('It broke.'))
    await page.unrouteAll({ behavior: 'wait' })
    await rename.getByLabel('Name').fill('Mine')
    await expect.poll(() => rename.getByRole('alert').count()).toBe(0)
    await callApi('PUT', 'org/NORTH', { name: 'Theirs' })
    await press(rename, 'Rename')
    await expectShown(rename.getByText('Name: Theirs (Ada Admin)', { exact: true }))
    await press(rename, 'Rename')
    await expectShown(title('[NORTH] Mine'))
    await expectShown(nodeOf('Mine'))
    // The same by keyboard.
    const button = panel.getByRole('button', { name: 'Rename' })
    await tabTo(page, button)
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(rename.getByLabel('Name'))).toBe(true)
    await page.keyboard.type('Ours')
    await keys(page, 'Enter')
    await rename.waitFor({ state: 'detached' })
    await expectShown(title('[NORTH] Ours'))
    await expectShown(nodeOf('Ours'))
    await expect.poll(() => hasFocus(button)).toBe(true)
  })

  it('is shown a message for an unknown organisation code and for a search without results', async () => {
    await page.goto('/admin?org=NOWHERE')
    await expectShown(panel.getByText('The organisation was not found.', { exact: true }))
    await page.getByRole('textbox', { name: 'Search organisations' }).fill('nothing like it')
    await expectShown(page.getByText('No organisations found', { exact: true }))
    await saveScreenshot(page, 'admin-nothing')
  })

  it('is shown the error of a failed member list, and Retry leaves the focus in the tab', async () => {
    await page.route('**/members?*', route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await open('ACME')
    await expectShown(panel.getByText('The members could not be read. It broke.', { exact: true }))
    await page.unrouteAll({ behavior: 'wait' })
    await panel.getByRole('button', { name: 'Retry' }).press('Enter')
    await expectShown(rowOf('Ada Admin'))
    await expect
      .poll(() => panel.locator('[role=tabpanel]').evaluate(tab => tab.contains(document.activeElement)))
      .toBe(true)
  })

  it('is shown organisations twenty at a time, including one with a long name', holds('M2.260'), async () => {
    const long = `${'Overlong '.repeat(10)}name`
    for (let at = 1; at <= 25; at++)
      await callApi('POST', 'org', {
        code: `ORG${at}`,
        name: at === 25 ? long : `Branch ${String(at).padStart(2, '0')}`,
      })
    await page.goto('/admin')
    const more = tree.getByRole('treeitem', { name: 'Show more' })
    await expectShown(more)
    await expect
      .poll(() =>
        tree
          .getByRole('treeitem')
          .filter({ hasNotText: /Show more|Standard/ })
          .count(),
      )
      .toBe(20)
    await more.click()
    await nodeOf('Overlong').click()
    await expectShown(title(`[ORG25] ${long}`))
    // After a reload the tree loads the page that contains the selected row.
    await page.reload()
    await expectShown(nodeOf('Overlong'))
    await expect.poll(() => nodeOf('Overlong').getAttribute('aria-selected')).toBe('true')
    await saveScreenshot(page, 'admin-long')
  })
})

describe('A member', async () => {
  beforeAll(() => setMember('admin', 1))
  const member = await openPage(journey.browser, journey.console.url)
  const work = member.page
  afterAll(() => member.context.close())
  const entityName = () => entityDocument(work, 'Product')
  const license = (databaseTypes: string[]) =>
    callApi('PUT', 'org/ACME', { licence: { manifestLimit: 50, rest: false, graphql: true, databaseTypes } })

  it('gains access without a new sign-in, and is refused the administration', async () => {
    await signInToPicker(work, 'designer')
    await expectShown(work.getByText('You are not a member of a subscription', { exact: false }))
    await expect.poll(() => work.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await setMember('designer', 1)
    await work.goto('/')
    await expectShown(work.getByRole('tree', { name: 'Project Navigator' }))
    await work.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(work.getByRole('menuitem', { name: 'Logout' }))
    await expect.poll(() => work.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
    await keys(work, 'Escape')
    await work.goto('/admin')
    await expectShown(work.getByText('Only administrators can open this page.', { exact: true }))
    await saveScreenshot(work, 'admin-not-allowed')
  })

  it('is offered only the databases of the current licence', async () => {
    await work.goto('/')
    await expectShown(work.getByRole('tree', { name: 'Project Navigator' }))
    await license(['oracle', 'mysql'])
    await work.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Generate Database Schema' }).click()
    const choose = dialog(work, 'Generate Database Schema')
    await find(work, choose, 'Manifest', 'Shop')
    await press(choose, 'Next')
    const form = dialog(work, 'Export Database Schema')
    await expect.poll(() => form.getByRole('combobox', { name: 'Database type' }).textContent()).toContain('Oracle')
    await form.getByRole('combobox', { name: 'Database type' }).click()
    await expect.poll(() => work.getByRole('option').allTextContents()).toEqual(['Oracle', 'MySQL'])
    await keys(work, 'Escape', 'Escape')
  })

  it('is notified on losing access, and regains unsaved changes together with the access', async () => {
    await work.goto('/')
    await work.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    const id = await apiOf(work).entityNamed('Product')
    await work.goto(`/?entity=${id}`)
    await expectShown(entityName())
    const description = property(work, 'Entity', 'Description').getByRole('textbox')
    await description.fill('Typed before the access went')
    await description.press('Tab')
    await removeMember('designer')
    await keys(work, 'Control+s')
    const notice = dialog(work, 'No Access')
    await expectShown(notice)
    await expectShown(notice.getByText('You no longer have a subscription in Acme Trading.', { exact: false }))
    await expectShown(notice.getByRole('listitem').filter({ hasText: 'Product' }))
    await expectAccessible(work, 'access-lost')
    await press(notice, 'Stay Here')
    await notice.waitFor({ state: 'detached' })
    await expect.poll(() => description.inputValue()).toBe('Typed before the access went')
    await keys(work, 'Control+s')
    await press(notice, 'Choose an Organisation')
    await expectShown(work.getByText('You are not a member of a subscription', { exact: false }))
    await saveScreenshot(work, 'access-lost-picker')
    await setMember('designer', 2)
    await work.goto(`/?entity=${id}`)
    await expectShown(entityName())
    await expect.poll(() => description.inputValue()).toBe('Typed before the access went')
    await keys(work, 'Control+s')
    await expectShown(snackbar(work, 'Entity saved successfully!'))
  })

  it('is warned on losing access that the input of an open dialog cannot be stored', async () => {
    await work.goto('/')
    await work.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await work.getByRole('button', { name: 'New', exact: true }).click()
    await work.getByRole('menuitem', { name: /^Entity/ }).click()
    const wizard = work.getByRole('dialog').last()
    await wizard.getByLabel('Name').fill('Half_done')
    await setMember('designer', 0)
    await returnToPage(work)
    const notice = dialog(work, 'No Access')
    await expectShown(notice.getByText('Open dialogs and secrets cannot be stored.', { exact: false }))
    await saveScreenshot(work, 'access-lost-dialog')
    await press(notice, 'Stay Here')
    await expectShown(wizard)
    await expect.poll(() => wizard.getByLabel('Name').inputValue()).toBe('Half_done')
    await setMember('designer', 2)
    await returnToPage(work)
    await keys(work, 'Escape')
    await press(question(work, 'Leave without saving?'), 'Leave')
  })

  it('is removed only after a confirmation that shows their name', async () => {
    await open('ACME')
    await rowOf('Dan Designer').click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await page.getByRole('menuitem', { name: 'Remove Member' }).click()
    const confirmation = question(page, 'Remove Member')
    await expectShown(confirmation.getByText('Dan Designer, designer@example.com', { exact: true }))
    await press(confirmation, 'Remove')
    await rowOf('Dan Designer').waitFor({ state: 'detached' })
    await panel.getByRole('tab', { name: 'Changes' }).click()
    const first = panel.getByRole('grid', { name: 'Changes' }).getByRole('row').nth(1)
    await expectShown(first.getByText('Removed Dan Designer from organisation ACME.', { exact: true }))
    await expectShown(first.getByText('Ada Admin', { exact: true }))
    await saveScreenshot(page, 'admin-changes')
  })
})

describe('The administration in every display mode', () => {
  it('meets WCAG A and AA at a width of 1024, with every control reachable by keyboard', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await open('ACME')
    const clean = (name: string) => expectAccessible(page, `admin-${name}`)
    await clean('members')
    await panel.getByRole('tab', { name: 'Licence' }).click()
    await panel.getByRole('button', { name: 'Edit Licence Limits' }).click()
    await expectShown(dialog(page, 'Licence Limits'))
    await clean('licence-dialog')
    await keys(page, 'Escape')
    await panel.getByRole('tab', { name: 'Changes' }).click()
    await expectShown(panel.getByRole('grid', { name: 'Changes' }))
    await clean('changes')
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
