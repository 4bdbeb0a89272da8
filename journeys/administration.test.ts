import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violations } from './driver/axe.ts'
import { inTheme, openDesk, openPage, shoot } from './driver/desk.ts'
import { lookAgain } from './driver/document.ts'
import { entityDocument, property } from './driver/entity.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk({ user: 'nobody', env: { CADMUS_DEMO_PERMISSIONS: 'none' } })
const { page } = desk
const tree = page.getByRole('tree', { name: 'Organisations' })
const panel = page.getByRole('main')
const members = panel.getByRole('grid', { name: 'Members' })
const title = (text: string) => panel.getByRole('heading', { level: 1, name: text, exact: true })
const rowOf = (name: string) => members.getByRole('row').filter({ hasText: name })
const nodeOf = (name: string) => tree.getByRole('treeitem', { name: new RegExp(`^${name}`) })

/** Nobody works anywhere yet: the provider's page leads to the picker. */
async function arrive(at: Page, user: string): Promise<void> {
  await at.goto('/')
  await at.getByRole('button', { name: user }).click()
  await expectShown(at.getByRole('heading', { name: 'Organisations', exact: true }))
}

async function open(code: string, tab = 'Members'): Promise<void> {
  await page.goto(`/admin?org=${code}`)
  await panel.getByRole('tab', { name: tab }).click()
}

/** What an administrator at another machine does. */
async function send(method: 'PUT' | 'POST' | 'DELETE', path: string, data?: object): Promise<void> {
  const headers = { 'X-Cadmus': '1', 'If-Match': '*' }
  const answer = await page.request.fetch(`/1.0/cdm/admin/${path}`, { method, headers, ...(data ? { data } : {}) })
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
}

async function userIdOf(username: string): Promise<string> {
  const headers = { 'X-Cadmus': '1' }
  const answer = await page.request.fetch(`/1.0/cdm/admin/user?search=${username}`, { headers })
  const { users }: { users: { userId: string; username: string }[] } = await answer.json()
  return users.find(user => user.username === username)?.userId ?? ''
}

const setMember = async (username: string, subscription: number, code = 'ACME') =>
  send('PUT', `org/${code}/members/${await userIdOf(username)}`, { subscription })

describe('A console where nobody works yet', () => {
  it('leads its first administrator from the picker to the administration', async () => {
    await arrive(page, 'admin')
    await expectShown(page.getByText('You are not a member of a subscription', { exact: false }))
    await shoot(page, 'picker-first')
    await page.getByRole('link', { name: 'Administration' }).click()
    await expectShown(nodeOf('Acme Trading'))
    await expectShown(panel.getByText('Choose an organisation', { exact: false }))
    expect(await tree.getByRole('treeitem').allTextContents()).toEqual([
      'Acme TradingACME',
      'CadmusCADMUS',
      'GlobexGLOBEX',
    ])
    await shoot(page, 'admin-begin')
  })

  it('gets an organisation by mouse, with words for what its code and name may be', async () => {
    await page.getByRole('button', { name: 'Create Organisation' }).click()
    const open = dialog(page, 'Create Organisation')
    await open.getByLabel('Code').fill('ne w')
    await expectShown(
      open.getByText("this must contain only upper-case letters, digits, '_' and '-'.", { exact: true }),
    )
    expect(await open.getByLabel('Code').inputValue()).toBe('NE W')
    await shoot(page, 'admin-create')
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
    await expectShown(panel.getByText('Nobody works in this organisation yet.', { exact: true }))
  })

  it('lets the administrator in, who then works there', async () => {
    await nodeOf('Acme Trading').click()
    await expectShown(title('[ACME] Acme Trading'))
    await panel.getByRole('button', { name: 'Add Member' }).click()
    const open = dialog(page, 'Add Member')
    await find(page, open, 'User', 'Ada Admin')
    await open.getByLabel('Subscription').fill('x')
    await expectShown(open.getByText('this must be a whole number from 0 to 1000000000.', { exact: true }))
    await open.getByLabel('Subscription').fill('7')
    await shoot(page, 'admin-add-member')
    await press(open, 'Add')
    await expectShown(rowOf('Ada Admin').getByText('7', { exact: true }))
    expect(await panel.getByRole('tab', { name: 'Members' }).textContent()).toBe('Members1')
    await page.getByRole('button', { name: 'Home' }).click()
    await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
    await page.reload()
    await page.getByRole('button', { name: 'Select Acme Trading' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await page.getByRole('button', { name: /Profile of/ }).click()
    await page.getByRole('menuitem', { name: 'Administration' }).click()
    await expectShown(nodeOf('Globex'))
  })
})

describe('Organisations and members by keyboard', () => {
  it('are found, opened, given members and relieved of them without a mouse', async () => {
    await setMember('admin', 1, 'CADMUS')
    await page.goto('/admin')
    const search = page.getByRole('textbox', { name: 'Search organisations' })
    await tabTo(page, search)
    await page.keyboard.type('CADM')
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
    await tabTo(page, nodeOf('Cadmus'))
    await keys(page, 'Enter')
    await expectShown(title('[CADMUS] Cadmus'))
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
    await expectShown(question(page, 'Give up your own access?'))
    await keys(page, 'Escape')
    await expectShown(rowOf('Ada Admin'))
    await page.getByRole('tab', { name: 'Members' }).focus()
    await keys(page, 'ArrowRight')
    await expectShown(panel.getByRole('heading', { name: 'Licence limits' }))
    expect(new URL(page.url()).searchParams.get('tab')).toBe('licence')
    await page.goBack()
    await expectShown(rowOf('Ada Admin'))
  })
})

describe('Licence limits', () => {
  const edit = async (): Promise<Locator> => {
    await panel.getByRole('button', { name: 'Edit Licence Limits' }).click()
    return dialog(page, 'Licence Limits')
  }

  it('are set field by field, the databases in an order of which the first is the default', async () => {
    await open('NORTH', 'Subscription and Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('3')
    await form.getByRole('checkbox', { name: 'GraphQL API' }).click()
    for (const type of ['HSQL', 'Oracle', 'SQL Server', 'PostgreSQL', 'MySQL'])
      await form.getByRole('checkbox', { name: type }).click()
    await expectShown(form.getByText('A licence names at least one database type.', { exact: true }))
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await form.getByRole('checkbox', { name: 'MySQL' }).click()
    await form.getByRole('checkbox', { name: 'PostgreSQL' }).click()
    await form.getByRole('button', { name: 'Move PostgreSQL up' }).click()
    await shoot(page, 'admin-licence-dialog')
    await press(form, 'Save')
    await expectShown(panel.getByText('mc=3|rs=1|gqls=0|db=postgresql~mysql', { exact: true }))
    expect(await panel.getByRole('listitem').allTextContents()).toEqual(['PostgreSQLDefault', 'MySQL'])
    await shoot(page, 'admin-licence')
  })

  it('are not replaced unseen where another administrator was faster', async () => {
    await open('NORTH', 'Subscription and Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('9')
    const licence = { manifestLimit: 5, rest: false, graphql: false, databaseTypes: ['postgresql', 'mysql'] }
    await send('PUT', 'org/NORTH', { licence })
    await press(form, 'Save')
    await expectShown(form.getByText('Manifest limit: 5 (Ada Admin)', { exact: true }))
    expect(await form.getByLabel('Manifest limit').inputValue()).toBe('9')
    await shoot(page, 'admin-licence-conflict')
    await press(form, 'Save')
    // REST is as the other one left it: nobody here had touched it.
    await expectShown(panel.getByText('mc=9|rs=0|gqls=0|db=postgresql~mysql', { exact: true }))
  })

  it('ask before they are given up unsaved', async () => {
    await open('NORTH', 'Subscription and Licence')
    const form = await edit()
    await form.getByLabel('Manifest limit').fill('10')
    await keys(page, 'Escape')
    await press(question(page, 'Leave without saving?'), 'Cancel')
    await page.goBack()
    await expectShown(question(page, 'Leave without saving?'))
    await press(question(page, 'Leave without saving?'), 'Leave')
    await form.waitFor({ state: 'detached' })
    await expectShown(panel.getByText('mc=9|rs=0|gqls=0|db=postgresql~mysql', { exact: true }))
  })
})

describe('A member at work', async () => {
  const opened = await openPage(desk.browser, desk.console.url)
  const work = opened.page
  afterAll(() => opened.context.close())
  const entityName = () => entityDocument(work, 'Product')
  const license = (databaseTypes: string[]) =>
    send('PUT', 'org/ACME', { licence: { manifestLimit: 50, rest: false, graphql: true, databaseTypes } })

  it('is let in without signing in again, and told what the page is not for', async () => {
    await arrive(work, 'designer')
    await expectShown(work.getByText('You are not a member of a subscription', { exact: false }))
    expect(await work.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await setMember('designer', 1)
    await work.goto('/')
    await expectShown(work.getByRole('tree', { name: 'Project Navigator' }))
    await work.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(work.getByRole('menuitem', { name: 'Logout' }))
    expect(await work.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
    await keys(work, 'Escape')
    await work.goto('/admin')
    await expectShown(
      work.getByText('You are not allowed to see this page: it is for administrators.', { exact: true }),
    )
    await shoot(work, 'admin-not-allowed')
  })

  it('sees in the pickers what the licence allows by then', async () => {
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

  it('whose access is taken away is told, and finds every unsaved change when it is given back', async () => {
    await work.goto('/')
    await work.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    const id = await apiOf(work).entityNamed('Product')
    await work.goto(`/?entity=${id}`)
    await expectShown(entityName())
    const description = property(work, 'Entity', 'Description').getByRole('textbox')
    await description.fill('Typed before the access went')
    await description.press('Tab')
    await send('DELETE', `org/ACME/members/${await userIdOf('designer')}`)
    await keys(work, 'Control+s')
    const told = dialog(work, 'No Access')
    await expectShown(told)
    await expectShown(told.getByText('You have no subscription in Acme Trading any more.', { exact: false }))
    await expectShown(told.getByRole('listitem').filter({ hasText: 'Product' }))
    await shoot(work, 'access-lost')
    await press(told, 'Stay Here')
    await told.waitFor({ state: 'detached' })
    expect(await description.inputValue()).toBe('Typed before the access went')
    await keys(work, 'Control+s')
    await press(told, 'Choose an Organisation')
    await expectShown(work.getByText('You are not a member of a subscription', { exact: false }))
    await shoot(work, 'access-lost-picker')
    await setMember('designer', 2)
    await work.goto(`/?entity=${id}`)
    await expectShown(entityName())
    await expect.poll(() => description.inputValue()).toBe('Typed before the access went')
    await keys(work, 'Control+s')
    await expectShown(snackbar(work, 'Entity saved successfully!'))
  })

  it('is told of what an open dialog holds, which nothing keeps', async () => {
    await work.goto('/')
    await work.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await work.getByRole('button', { name: 'New', exact: true }).click()
    await work.getByRole('menuitem', { name: /^Entity/ }).click()
    const wizard = work.getByRole('dialog').last()
    await wizard.getByLabel('Name').fill('Half_done')
    await setMember('designer', 0)
    await lookAgain(work)
    const told = dialog(work, 'No Access')
    await expectShown(told.getByText('What is entered in an open dialog', { exact: false }))
    await shoot(work, 'access-lost-dialog')
    await press(told, 'Stay Here')
    await expectShown(wizard)
    expect(await wizard.getByLabel('Name').inputValue()).toBe('Half_done')
    await setMember('designer', 2)
    await lookAgain(work)
    await keys(work, 'Escape')
    await press(question(work, 'Leave without saving?'), 'Leave')
  })

  it('is asked for by name before being removed', async () => {
    await open('ACME')
    await rowOf('Dan Designer').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Remove Member' }).click()
    const asked = question(page, 'Remove Member')
    await expectShown(asked.getByText('Dan Designer, designer@example.com', { exact: true }))
    await shoot(page, 'admin-remove')
    await press(asked, 'Remove')
    await rowOf('Dan Designer').waitFor({ state: 'detached' })
    await panel.getByRole('tab', { name: 'Changes' }).click()
    const first = panel.getByRole('grid', { name: 'Changes' }).getByRole('row').nth(1)
    await expectShown(first.getByText('Removed Dan Designer from organisation ACME.', { exact: true }))
    await expectShown(first.getByText('Ada Admin', { exact: true }))
    await shoot(page, 'admin-changes')
  })
})

describe('An administrator', () => {
  it('gives up the own organisation only when asked, and goes on administering without it', async () => {
    await setMember('admin', 1)
    await page.goto('/org')
    await page.getByRole('button', { name: 'Select Acme Trading' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await open('ACME')
    await rowOf('Ada Admin').click()
    await panel.getByRole('button', { name: 'Change Subscription' }).click()
    const change = dialog(page, 'Change Subscription')
    await change.getByLabel('Subscription').fill('0')
    await press(change, 'Save')
    const asked = question(page, 'Give up your own access?')
    await shoot(page, 'admin-own-access')
    await press(asked, 'Give up')
    await expectShown(rowOf('Ada Admin').getByText('No subscription', { exact: true }))
    await nodeOf('Globex').click()
    await expectShown(title('[GLOBEX] Globex'))
    await expectShown(panel.getByText('Nobody works in this organisation yet.', { exact: true }))
    await page.getByRole('button', { name: 'Home' }).click()
    await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
  })

  it('renames an organisation, and is told of a name that came meanwhile', async () => {
    await open('NORTH')
    await panel.getByRole('button', { name: 'Rename' }).click()
    const rename = dialog(page, 'Rename Organisation')
    await rename.getByLabel('Name').fill('Mine')
    await send('PUT', 'org/NORTH', { name: 'Theirs' })
    await press(rename, 'Rename')
    await expectShown(rename.getByText('Name: Theirs (Ada Admin)', { exact: true }))
    await press(rename, 'Rename')
    await expectShown(title('[NORTH] Mine'))
    await expectShown(nodeOf('Mine'))
  })

  it('finds no organisation that is not there, and is told so', async () => {
    await page.goto('/admin?org=NOWHERE')
    await expectShown(panel.getByText('The organisation was not found.', { exact: true }))
    await page.getByRole('textbox', { name: 'Search organisations' }).fill('nothing like it')
    await expectShown(page.getByText('No organisations found', { exact: true }))
    await shoot(page, 'admin-nothing')
  })

  it('tries again where a list could not be read', async () => {
    await page.route('**/members?*', route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await open('ACME')
    await expectShown(panel.getByText('It broke.', { exact: true }))
    await page.unrouteAll({ behavior: 'wait' })
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expectShown(rowOf('Ada Admin'))
  })

  it('sees organisations twenty at a time, however long their names are', async () => {
    const long = `${'Overlong '.repeat(10)}name`
    for (let at = 1; at <= 25; at++)
      await send('POST', 'org', { code: `ORG${at}`, name: at === 25 ? long : `Branch ${String(at).padStart(2, '0')}` })
    await page.goto('/admin?org=ORG25')
    await expectShown(title(`[ORG25] ${long}`))
    await expectShown(tree.getByRole('treeitem', { name: 'Show more' }))
    await tree.getByRole('treeitem', { name: 'Show more' }).click()
    await expectShown(nodeOf('Overlong'))
    await shoot(page, 'admin-long')
  })
})

describe.each(['light', 'dark'] as const)('In the %s theme', theme => {
  it.each([1440, 1024, 700])('nothing breaks WCAG A or AA, %i wide', async width => {
    await page.setViewportSize({ width, height: 800 })
    await open('ACME')
    await inTheme(page, theme)
    const clean = async (name: string) => {
      expect.soft(await violations(page), name).toEqual([])
      await shoot(page, `admin-${theme}-${width}-${name}`)
    }
    await clean('members')
    await panel.getByRole('button', { name: 'Add Member' }).click()
    await expectShown(dialog(page, 'Add Member'))
    await clean('add-member')
    await keys(page, 'Escape')
    await panel.getByRole('tab', { name: 'Subscription and Licence' }).click()
    await clean('licence')
    await panel.getByRole('button', { name: 'Edit Licence Limits' }).click()
    await expectShown(dialog(page, 'Licence Limits'))
    await clean('licence-dialog')
    await keys(page, 'Escape')
    await panel.getByRole('tab', { name: 'Changes' }).click()
    await expectShown(panel.getByRole('grid', { name: 'Changes' }))
    await clean('changes')
    await page.getByRole('button', { name: 'Create Organisation' }).click()
    await expectShown(dialog(page, 'Create Organisation'))
    await clean('create')
    await keys(page, 'Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
