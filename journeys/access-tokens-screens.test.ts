import { describe, expect, it } from 'vitest'
import { violations } from './driver/axe.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { enter } from './driver/sign-in.ts'
import { refuse } from './driver/document.ts'
import { hasFocus, keys, missedByTab, tabTo } from './driver/keyboard.ts'
import { expectLeaveConfirmation } from './driver/leave-dialog.ts'
import { expectAccessible } from './driver/accessible.ts'
import { requestWithToken, createToken, openTokens, secretPattern, tokenScreens } from './driver/tokens.ts'
import { dialog, expectShown, pick, press, question } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])

const { tokens, creating, created, revoking, rowOf } = tokenScreens(page)
const open = () => openTokens(page)
const callApi = (secret: string, path: string, body?: object) =>
  requestWithToken(journey.console.url, secret, path, body)

await open()
await createToken(page, 'Reader')
await press(tokens, 'Close')

describe('Access token dialogs', () => {
  it('access tokens are created and revoked by keyboard alone, starting from the palette', async () => {
    await keys(page, 'Control+k')
    await page.keyboard.type('access tok')
    await expectShown(page.getByRole('option', { name: 'Access Tokens' }))
    await keys(page, 'Enter')
    await expectShown(tokens)
    await tabTo(page, tokens.getByRole('button', { name: 'Create', exact: true }))
    await keys(page, 'Enter')
    const name = creating.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => hasFocus(name)).toBe(true)
    await page.keyboard.type('Without mouse')
    await expectLeaveConfirmation(page, creating, name)
    await expectShown(tokens)
    await tabTo(page, tokens.getByRole('button', { name: 'Create', exact: true }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await page.keyboard.type('Without mouse')
    await keys(page, 'Tab', 'ArrowDown')
    await expect.poll(() => creating.getByRole('radio', { name: 'Read and write' }).isChecked()).toBe(true)
    await tabTo(page, creating.getByRole('combobox', { name: 'Expires' }))
    // The list gets the focus a moment before it marks an option.
    const marked = page.locator('[role=option][data-highlighted]')
    await keys(page, 'ArrowDown')
    const first = (await marked.textContent()) ?? ''
    await keys(page, 'ArrowDown')
    await expectShown(marked.filter({ hasNotText: first }))
    await keys(page, 'Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await tabTo(page, creating.getByRole('button', { name: 'Create', exact: true }))
    await keys(page, 'Enter')
    const field = created.getByLabel('Token', { exact: true })
    await expect.poll(() => hasFocus(field)).toBe(true)
    await keys(page, 'Control+c')
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toMatch(secretPattern)
    const secret = await copied()
    await tabTo(page, created.getByRole('button', { name: 'Done' }))
    await keys(page, 'Enter')
    await created.waitFor({ state: 'detached' })
    expect((await callApi(secret, 'entity', { entity: { name: 'WithoutMouse' } })).status).toBe(200)
    await tabTo(page, tokens.getByRole('button', { name: 'Revoke Without mouse' }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(revoking.getByRole('button', { name: 'Cancel' }))).toBe(true)
    await tabTo(page, revoking.getByRole('button', { name: 'Revoke' }))
    await keys(page, 'Enter')
    await rowOf('Without mouse').waitFor({ state: 'detached' })
    await expect.poll(async () => (await callApi(secret, 'entity?limit=1')).status).toBe(401)
    // The context menu of a row offers the same action.
    const row = rowOf('Reader')
    await tabTo(page, tokens.getByRole('row').nth(1))
    await tabTo(page, row, 'ArrowDown')
    await keys(page, 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await keys(page, 'ArrowDown', 'Enter')
    await expectShown(revoking)
    await keys(page, 'Escape')
    await revoking.waitFor({ state: 'detached' })
    await keys(page, 'Escape')
    await tokens.waitFor({ state: 'detached' })
  })

  it('the token list shows loading, failed and rejected requests', async () => {
    await page.reload()
    await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    let release = (): void => undefined
    const released = new Promise<void>(resolve => (release = resolve))
    await page.route(/\/1\.0\/cdm\/token$/, async route => {
      await released
      await route.fulfill({ status: 400, json: { message: 'Not at this hour.', code: 'invalid' } })
    })
    await open()
    await expectShown(tokens.getByRole('status').first())
    await expect.poll(() => tokens.getByText('No access tokens yet').count()).toBe(0)
    release()
    await expectShown(tokens.getByText('Not at this hour.'))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(tokens, 'Retry')
    await expectShown(rowOf('Reader'))
    await press(tokens, 'Close')
    const expired = { id: 1, name: 'Of old', access: 'read', isAdmin: true, createdAt: '2019-01-02T12:00:00.000Z' }
    await page.route(/\/1\.0\/cdm\/token$/, route =>
      route.fulfill({
        json: {
          tokens: [{ ...expired, expiresAt: '2020-01-02T12:00:00.000Z', lastUsedAt: '2019-12-31T12:00:00.000Z' }],
        },
      }),
    )
    await open()
    await expectShown(rowOf('Of old'))
    const lastUse = expect.stringMatching(/^2019-12-31 \d\d:\d\d$/)
    await expect
      .poll(async () => (await rowOf('Of old').getByRole('gridcell').allTextContents()).slice(0, 5))
      .toEqual(['Of old', 'Read only', 'Expired 2020-01-02', lastUse, 'Yes'])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(tokens, 'Close')
    await open()
    await expectShown(rowOf('Reader'))
    await refuse(
      page,
      'POST',
      /\/1\.0\/cdm\/token$/,
      'A user has at most 50 access tokens in an organisation; you have 50. Revoke one first.',
    )
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill('One more')
    await press(creating, 'Create')
    await expectShown(creating.getByRole('alert').getByText(/at most 50 access tokens/))
    await expect.poll(() => creating.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('One more')
    await press(creating, 'Cancel')
    await refuse(page, 'DELETE', /\/1\.0\/cdm\/token\/\d+$/)
    await tokens.getByRole('button', { name: 'Revoke Reader' }).click()
    await press(revoking, 'Revoke')
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/./).first())
    await expectShown(rowOf('Reader'))
    await press(tokens, 'Close')
  })

  it('only administrators are offered the Administrator checkbox, which gives the token their rights', async () => {
    await open()
    await press(tokens, 'Create')
    await expectShown(creating)
    await expect.poll(() => creating.getByRole('checkbox').count()).toBe(0)
    await press(creating, 'Cancel')
    await press(tokens, 'Close')
    const admin = await openPage(journey.browser, journey.console.url)
    await enter(admin.page, 'admin')
    await admin.page.getByRole('button', { name: /Acme Trading/ }).click()
    await admin.page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await openTokens(admin.page)
    await press(dialog(admin.page, 'Access Tokens'), 'Create')
    const form = dialog(admin.page, 'Create Access Token')
    await form.getByRole('textbox', { name: 'Name' }).fill('Ticked')
    await form.getByRole('radio', { name: 'Read and write', exact: true }).click()
    await form.getByRole('checkbox', { name: 'Administrator' }).click()
    await press(form, 'Create')
    const shown = dialog(admin.page, 'Access Token Created')
    const secret = await shown.getByLabel('Token', { exact: true }).inputValue()
    await press(shown, 'Done')
    await press(question(admin.page, 'Close without copying?'), 'Close')
    await shown.waitFor({ state: 'detached' })
    const row = dialog(admin.page, 'Access Tokens').getByRole('row').filter({ hasText: 'Ticked' })
    await expect.poll(async () => (await row.getByRole('gridcell').allTextContents())[4]).toBe('Yes')
    const made = await callApi(secret, 'admin/entity', { org: 'ACME', entity: { name: 'ByTicked' } })
    expect(made.status).toBe(200)
    await admin.context.close()
  })

  it('have no accessibility violations, and every control is reachable by keyboard', async () => {
    await open()
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill(`Of a long name ${'that goes on '.repeat(6)}`)
    await pick(page, creating, 'Expires', 'On a date')
    await expectAccessible(page, 'tokens-create')
    await pick(page, creating, 'Expires', '365 days')
    await press(creating, 'Create')
    await expectShown(created)
    expect(await violations(page)).toEqual([])
    await press(created, 'Done')
    await expectShown(question(page, 'Close without copying?'))
    expect(await violations(page)).toEqual([])
    await press(question(page, 'Close without copying?'), 'Cancel')
    await press(created, 'Copy')
    await press(created, 'Done')
    await created.waitFor({ state: 'detached' })
    expect([...(await violations(page)), ...(await missedByTab(page, tokens))]).toEqual([])
    await tokens.getByRole('row', { name: 'Reader' }).click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    expect(await violations(page)).toEqual([])
    await keys(page, 'Escape')
    await tokens.getByRole('button', { name: 'Revoke Reader' }).click()
    await expectShown(revoking)
    expect(await violations(page)).toEqual([])
    await press(revoking, 'Cancel')
    await press(tokens, 'Close')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menuitem', { name: 'Access Tokens' }))
    expect(await violations(page)).toEqual([])
    await keys(page, 'Escape')
  })

  it('the page logs no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})
