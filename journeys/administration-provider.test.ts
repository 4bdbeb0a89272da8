import { afterAll, describe, expect, it } from 'vitest'
import { startJourney, openPage, saveScreenshot, signIn } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'

const readOnlyReason = 'The identity provider manages the memberships of this user.'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
const panel = page.getByRole('main')
const rowOf = (name: string) => panel.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: name })

describe('Memberships managed by the identity provider', async () => {
  const designer = await openPage(journey.browser, journey.console.url)
  afterAll(() => designer.context.close())
  await signIn(designer.page, 'designer')
  await page.goto('/')
  await page.getByRole('button', { name: 'admin' }).click()
  await page.getByRole('button', { name: 'Select Acme Trading' }).click()
  await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))

  it('are shown as read-only', async () => {
    await page.goto('/admin?org=ACME&tab=members')
    await expectShown(rowOf('Dan Designer').getByText('Identity provider', { exact: true }))
    await expectShown(panel.getByText('They are read-only here.', { exact: false }))
    await rowOf('Dan Designer').click()
    await expect.poll(() => panel.getByRole('button', { name: 'Change Subscription' }).isDisabled()).toBe(true)
    await expect.poll(() => panel.getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe('true')
    await keys(page, 'Enter')
    await expectShown(snackbar(page, readOnlyReason))
    await rowOf('Dan Designer').click({ button: 'right' })
    for (const line of ['Change Subscription', 'Remove Member'])
      await expect
        .poll(() => page.getByRole('menuitem', { name: new RegExp(`^${line}`) }).getAttribute('aria-disabled'))
        .toBe('true')
    await keys(page, 'Escape')
    await saveScreenshot(page, 'admin-provider')
  })

  it('cannot be added, and the dialog shows the reason', async () => {
    await page.goto('/admin?org=GLOBEX&tab=members')
    await panel.getByRole('button', { name: 'Add Member' }).click()
    const add = dialog(page, 'Add Member')
    await find(page, add, 'User', 'Dan Designer')
    await expectShown(add.getByText(readOnlyReason, { exact: true }))
    await expect.poll(() => add.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
    await saveScreenshot(page, 'admin-provider-add')
    await press(add, 'Cancel')
  })

  it('renaming an organisation warns that the provider restores the name', async () => {
    await page.goto('/admin?org=ACME')
    await panel.getByRole('button', { name: 'Rename' }).click()
    const rename = dialog(page, 'Rename Organisation')
    await expectShown(rename.getByText('restores it when a member next signs in', { exact: false }))
    await press(rename, 'Cancel')
  })
})
