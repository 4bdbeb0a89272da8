import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, openPage } from './driver/desk.ts'
import { entityDocument } from './driver/entity.ts'
import { dialog, expectShown, snackbar } from './driver/widgets.ts'

const desk = await openDesk()

/** A page that has nothing in its cache, and cannot have that part of the code. */
async function without(code: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { context, page } = await openPage(desk.browser, desk.console.url, { signedInAs: desk.context })
  await page.route(`**/assets/${code}-*.js`, route => route.abort())
  return { page, close: () => context.close() }
}

describe('Code that cannot be fetched', () => {
  it('of a document is fetched again by Retry', async () => {
    const id = await apiOf(desk.page).entityNamed('Customer')
    const { page, close } = await without('documents')
    await page.goto(`/?entity=${id}`)
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
    await retry.click()
    await expectShown(retry)
    await page.unrouteAll()
    await retry.click()
    await expectShown(entityDocument(page, 'Customer'))
    await close()
  })

  it('of a dialog leaves everything that is open, says so, and is fetched again by the next press', async () => {
    const { page, close } = await without('dialogs')
    await page.goto('/')
    const tree = page.getByRole('tree', { name: 'Project Navigator' })
    await tree.waitFor()
    await page.keyboard.press('Control+k')
    await expectShown(snackbar(page, 'Unexpected error'))
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await expectShown(snackbar(page, 'Unexpected error'))
    expect(await tree.count()).toBe(1)
    await page.unrouteAll()
    await page.keyboard.press('Control+k')
    await expectShown(dialog(page, 'Search or run a command'))
    await close()
  })
})
