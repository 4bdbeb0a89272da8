import { afterAll, describe, expect, it } from 'vitest'
import { administrationOn, signInToPicker } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { expectAccessible } from './driver/accessible.ts'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { returnToPage } from './driver/document.ts'
import { entityDocument, property } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody', env: { CADMUS_DEMO_PERMISSIONS: 'none' } })
const { page } = journey
const { panel, rowOf, open, callApi, setMember, removeMember } = administrationOn(page)

await signInToPicker(page, 'admin')
await setMember('admin', 1)

describe('A member', async () => {
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
    await expectAccessible(page, 'admin-member-menu')
    await page.getByRole('menuitem', { name: 'Remove Member' }).click()
    const confirmation = question(page, 'Remove Member')
    await expectShown(confirmation.getByText('Dan Designer, designer@example.com', { exact: true }))
    await expectAccessible(page, 'admin-remove')
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
  it.each([1440, 1024])(
    'meets WCAG A and AA at a width of %i, with every control reachable by keyboard',
    async width => {
      await page.setViewportSize({ width, height: 800 })
      await open('ACME')
      const clean = (name: string) => expectAccessible(page, `admin-${width}-${name}`)
      await clean('members')
      await panel.getByRole('button', { name: 'Add Member' }).click()
      await expectShown(dialog(page, 'Add Member'))
      await clean('add-member')
      await keys(page, 'Escape')
      await panel.getByRole('tab', { name: 'Licence' }).click()
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
    },
  )
})
