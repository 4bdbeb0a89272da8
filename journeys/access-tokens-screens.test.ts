import { describe, expect, it } from 'vitest'
import { violations } from './driver/axe.ts'
import { inTheme, openDesk, openPage, shoot } from './driver/desk.ts'
import { refuse } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectLeavingAsks } from './driver/leaving.ts'
import { askWith, createToken, openTokens, secretPattern, tokenScreens } from './driver/tokens.ts'
import { dialog, expectShown, pick, press, question } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])

const { tokens, creating, created, revoking, rowOf } = tokenScreens(page)
const open = () => openTokens(page)
const ask = (secret: string, path: string, body?: object) => askWith(desk.console.url, secret, path, body)

await open()
await createToken(page, 'Reader')
await press(tokens, 'Close')

describe('The screens of access tokens', () => {
  it('are made and revoked by the keyboard alone, from the palette on', async () => {
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
    await expectLeavingAsks(page, creating, name)
    await expectShown(tokens)
    await tabTo(page, tokens.getByRole('button', { name: 'Create', exact: true }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await page.keyboard.type('Without mouse')
    await keys(page, 'Tab', 'ArrowDown')
    expect(await creating.getByRole('radio', { name: 'Read and write' }).isChecked()).toBe(true)
    await tabTo(page, creating.getByRole('combobox', { name: 'Expires' }))
    await keys(page, 'ArrowDown', 'ArrowDown', 'Enter')
    await tabTo(page, creating.getByRole('button', { name: 'Create', exact: true }))
    await keys(page, 'Enter')
    const field = created.getByLabel('Token', { exact: true })
    await expect.poll(() => hasFocus(field)).toBe(true)
    await keys(page, 'Control+c')
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    expect(secret).toMatch(secretPattern)
    await tabTo(page, created.getByRole('button', { name: 'Done' }))
    await keys(page, 'Enter')
    await created.waitFor({ state: 'detached' })
    expect((await ask(secret, 'entity', { entity: { name: 'WithoutMouse' } })).status).toBe(200)
    await tabTo(page, tokens.getByRole('button', { name: 'Revoke Without mouse' }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(revoking.getByRole('button', { name: 'Cancel' }))).toBe(true)
    await tabTo(page, revoking.getByRole('button', { name: 'Revoke' }))
    await keys(page, 'Enter')
    await rowOf('Without mouse').waitFor({ state: 'detached' })
    await expect.poll(async () => (await ask(secret, 'entity?limit=1')).status).toBe(401)
    // The menu of a row says the same.
    const row = rowOf('Reader')
    await tabTo(page, tokens.getByRole('row').nth(1))
    while (!(await hasFocus(row))) await keys(page, 'ArrowDown')
    await keys(page, 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await keys(page, 'ArrowDown', 'Enter')
    await expectShown(revoking)
    await keys(page, 'Escape')
    await revoking.waitFor({ state: 'detached' })
    await keys(page, 'Escape')
    await tokens.waitFor({ state: 'detached' })
  })

  it('say that they load, what failed, and what was refused', async () => {
    await page.reload()
    await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    let goOn = (): void => undefined
    const held = new Promise<void>(resolve => (goOn = resolve))
    await page.route(/\/1\.0\/cdm\/token$/, async route => {
      await held
      await route.fulfill({ status: 400, json: { message: 'Not at this hour.', code: 'invalid' } })
    })
    await open()
    await expectShown(tokens.getByRole('status').first())
    expect(await tokens.getByText('No access tokens yet').count()).toBe(0)
    goOn()
    await expectShown(tokens.getByText('Not at this hour.'))
    await shoot(page, 'tokens-failed')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(tokens, 'Retry')
    await expectShown(rowOf('Reader'))
    await press(tokens, 'Close')
    const over = { id: 1, name: 'Of old', access: 'read', isAdmin: true, createdAt: '2019-01-02T12:00:00.000Z' }
    await page.route(/\/1\.0\/cdm\/token$/, route =>
      route.fulfill({
        json: { tokens: [{ ...over, expiresAt: '2020-01-02T12:00:00.000Z', lastUsedAt: '2019-12-31T12:00:00.000Z' }] },
      }),
    )
    await open()
    await expectShown(rowOf('Of old'))
    const cells = await rowOf('Of old').getByRole('gridcell').allTextContents()
    expect(cells.slice(0, 5)).toEqual(['Of old', 'Read only', 'Expired 2020-01-02', expect.any(String), 'Yes'])
    expect(cells[3]).toMatch(/^2019-12-31 \d\d:\d\d$/)
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
    expect(await creating.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('One more')
    await press(creating, 'Cancel')
    await refuse(page, 'DELETE', /\/1\.0\/cdm\/token\/\d+$/)
    await tokens.getByRole('button', { name: 'Revoke Reader' }).click()
    await press(revoking, 'Revoke')
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/./).first())
    await expectShown(rowOf('Reader'))
    await press(tokens, 'Close')
  })

  it("carry an administrator's right only where one ticks it, who alone is offered to", async () => {
    await open()
    await press(tokens, 'Create')
    await expectShown(creating)
    expect(await creating.getByRole('checkbox').count()).toBe(0)
    await press(creating, 'Cancel')
    await press(tokens, 'Close')
    const admin = await openPage(desk.browser, desk.console.url)
    await admin.page.goto('/')
    await admin.page.getByRole('button', { name: 'admin' }).click()
    await admin.page.getByRole('button', { name: /Acme Trading/ }).click()
    await admin.page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await openTokens(admin.page)
    await press(dialog(admin.page, 'Access Tokens'), 'Create')
    const form = dialog(admin.page, 'Create Access Token')
    await form.getByRole('textbox', { name: 'Name' }).fill('Ticked')
    await form.getByRole('radio', { name: 'Read and write', exact: true }).click()
    await form.getByRole('checkbox', { name: 'Administrator' }).click()
    await shoot(admin.page, 'tokens-admin')
    await press(form, 'Create')
    const shown = dialog(admin.page, 'Access Token Created')
    const secret = await shown.getByLabel('Token', { exact: true }).inputValue()
    await press(shown, 'Done')
    await press(question(admin.page, 'Close without copying?'), 'Close')
    await shown.waitFor({ state: 'detached' })
    const row = dialog(admin.page, 'Access Tokens').getByRole('row').filter({ hasText: 'Ticked' })
    expect((await row.getByRole('gridcell').allTextContents())[4]).toBe('Yes')
    const made = await ask(secret, 'admin/entity', { org: 'ACME', entity: { name: 'ByTicked' } })
    expect(made.status).toBe(200)
    await admin.context.close()
  })

  it.each(['light', 'dark'] as const)('axe finds nothing in their dialogs in the %s theme', async theme => {
    await inTheme(page, theme)
    await open()
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill(`Of a long name ${'that goes on '.repeat(6)}${theme}`)
    await pick(page, creating, 'Expires', 'On a date')
    expect(await violations(page)).toEqual([])
    await views(`tokens-create-${theme}`)
    await pick(page, creating, 'Expires', '365 days')
    await press(creating, 'Create')
    await expectShown(created)
    expect(await violations(page)).toEqual([])
    await views(`tokens-created-${theme}`)
    await press(created, 'Copy')
    await press(created, 'Done')
    await created.waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    await views(`tokens-list-${theme}`)
    await tokens.getByRole('button', { name: 'Revoke Reader' }).click()
    await expectShown(revoking)
    expect(await violations(page)).toEqual([])
    await views(`tokens-revoke-${theme}`)
    await press(revoking, 'Cancel')
    await press(tokens, 'Close')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menuitem', { name: 'Access Tokens' }))
    await views(`tokens-menu-${theme}`)
    await keys(page, 'Escape')
  })

  it('nothing of this made the page complain', () => {
    expect(desk.complaints).toEqual([])
  })
})

/** Both widths, where pictures are asked for. */
async function views(name: string): Promise<void> {
  if (process.env['CADMUS_SCREENSHOTS'] === undefined) return
  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(200)
    await shoot(page, `${name}-${width}`)
  }
}
