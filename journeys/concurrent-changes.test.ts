import { holds } from '@cadmus/testing/holds'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { hold, holdAll, openEntity, record, send, tool, toolDialog } from './driver/document.ts'
import { entityDocument, names, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { expireDuring } from './driver/session.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)

describe('Concurrent changes', () => {
  it('saving a renamed entity updates other open documents that refer to it', async () => {
    const shop = await api.manifestNamed('Shop')
    const parent = await api.createEntity({ name: 'Parent', typeAttributes: [{ name: 'first' }] }, shop)
    const { id, name, path } = parent
    const subtype = await api.createEntity({ name: 'Heir', extendsEntity: { id, name, path } }, shop)
    await openEntity(page, subtype)
    const link = (text: string) => page.getByRole('article').getByRole('link', { name: text, exact: true })
    await link('Parent').click()
    await expectShown(entityDocument(page, 'Parent'))
    await setText(page, 'Entity', 'Name', 'Forebear')
    await expectShown(entityDocument(page, 'Forebear'))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await tab(page, 'Heir').click()
    await expectShown(link('Forebear'))
  })

  it(
    'a relationship that another user added as well is rejected by Save, and its own error is shown at the top',
    holds('E2.135', 'E2.136'),
    async () => {
      const shop = await api.manifestNamed('Shop')
      const target = await api.createEntity({ name: 'Goal' }, shop)
      const { id } = await api.createEntity({ name: 'Starter' }, shop)
      await page.goto(`/?entity=${id}`)
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      await page.getByRole('button', { name: 'Add Relationship' }).click()
      const open = dialog(page, 'New Relationship')
      await open.getByLabel('Foreign Key Name').fill('goalId')
      await find(page, open, 'Associated Entity', 'Goal')
      const finish = open.getByRole('button', { name: 'Finish' })
      await expect.poll(() => finish.isEnabled()).toBe(true)
      await api.relate(id, target, 'goalId')
      const calls = record(page)
      await finish.click()
      await open.waitFor({ state: 'detached' })
      const { requested, release } = await hold(page, new RegExp(`/entity/${id}/edits`), 'POST')
      const save = tool(page, 'Save')
      await save.click()
      await requested
      await keys(page, 'Control+s')
      release()
      const document = entityDocument(page, 'Starter')
      await expectShown(document.getByRole('alert').first())
      await saveScreenshot(page, 'states-relationship-error')
      await expect.poll(() => names(page, 'Relationships')).toContain('Goal')
      expect(calls.filter(({ url }) => url.includes('/edits'))).toHaveLength(1)
      await document.getByRole('button', { name: /^Take/ }).click()
      await expect.poll(() => names(page, 'Relationships')).toEqual(['Goal'])
    },
  )

  it('a new relationship is rejected once after another user added a version, and then saved', async () => {
    const shop = await api.manifestNamed('Shop')
    await api.createEntity({ name: 'Land' }, shop)
    const { id, name } = await api.createEntity({ name: 'Voyage' }, shop)
    await openEntity(page, { id, name })
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('laterId')
    await find(page, open, 'Associated Entity', 'Land', 'user-defined/Shop')
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
    await send(page, 'POST', `/1.0/cdm/entity/custom/${id}/version?version=1.1.0`)
    await press(open, 'Finish')
    await expectShown(snackbar(page, "Successfully added 'laterId' entity attribute!"))
    await keys(page, 'Control+s')
    await expectShown(page.getByRole('alert').getByText('Only the latest version can be edited.', { exact: true }))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const { currentVersion, entityAttributes } = await api.entityOf(id)
    expect(currentVersion).toBe('1.1.0')
    expect(entityAttributes.map(item => item.foreignKeyTypeAttribute)).toContain('laterId')
  })

  it('one sign-in resumes an expired session on two pages', async () => {
    const two = await journey.context.newPage()
    await two.goto('/')
    await (await nodeAt(two, 'Custom', 'Manifests', 'Shop')).waitFor()
    // Begun before the session ends: the dialog may open at any call that a page sends by itself.
    const release = [await beginSearch(page, 'Product'), await beginSearch(two, 'Customer')]
    await journey.context.clearCookies({ name: /^cadmus_(session|refresh)$/ })
    for (const end of release) end()
    for (const one of [two, page]) {
      await one.bringToFront()
      await expectShown(dialog(one, 'Session Expired'))
    }
    await press(dialog(page, 'Session Expired'), 'Login')
    await page.getByRole('button', { name: 'designer' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    // The other page resumes by itself and repeats the failed search.
    await two.bringToFront()
    await dialog(two, 'Session Expired').waitFor({ state: 'hidden' })
    await expectShown(two.getByRole('treeitem').filter({ hasText: /CustomerGroup\s*Shop/ }))
    await page.bringToFront()
    await page.reload()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    expect(new URL(page.url()).pathname).toBe('/')
    await two.close()
  })

  it('signing in in another tab resumes an expired session and preserves the input of an open dialog', async () => {
    await page.goto('/')
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'New' }).click()
    await page.getByRole('menuitem', { name: 'Manifest' }).click()
    const wizard = dialog(page, 'Create Manifest')
    await wizard.getByRole('textbox', { name: 'Name' }).fill('Typed_before')
    await expireDuring(page, /^cadmus_(session|refresh)$/, () => press(wizard, 'Next'))
    const ended = dialog(page, 'Session Expired')
    await expectShown(
      ended.getByText('Logging in here would discard the open dialog. Log in in another tab, and this one continues.'),
    )
    const [other] = await Promise.all([journey.context.waitForEvent('page'), press(ended, 'Login in another tab')])
    // The session of the identity provider is still valid, so no credentials are required.
    await expectShown(other.getByRole('tree', { name: 'Project Navigator' }))
    await other.close()
    await ended.waitFor({ state: 'detached' })
    await press(wizard, 'Back')
    await expect.poll(() => wizard.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed_before')
    await page.reload()
  })
})

/** Types a search whose call is held until the returned function is called. */
async function beginSearch(one: Page, search: string): Promise<() => void> {
  const url = new RegExp(`[?&]search=${search}\\b`)
  const release = await holdAll(one, url)
  const sent = one.waitForRequest(url)
  await one.bringToFront()
  await one.getByRole('textbox', { name: 'Search', exact: true }).fill(search)
  await sent
  return release
}
