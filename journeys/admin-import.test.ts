import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { cdmFolder } from './driver/cdm.ts'
import { startJourney } from './driver/journey.ts'
import { beginImport } from './driver/transfer.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, snackbar } from './driver/widgets.ts'

const { page } = await startJourney({ user: 'nobody' })
const { title } = administrationOn(page)
await enterAdministration(page)

describe('An import in the administration', () => {
  it('Back to another organisation closes the import dialog', async () => {
    await page.goto('/admin?org=CADMUS')
    await expectShown(title('[CADMUS] Cadmus'))
    await (await nodeAt(page, 'Acme Trading')).click()
    await expectShown(title('[ACME] Acme Trading'))
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Import' }).click()
    await expectShown(dialog(page, 'Import'))
    await page.goBack()
    await dialog(page, 'Import').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('org')).toBe('CADMUS')
  })

  it('Back is blocked while the import is running', async () => {
    await page.goto('/admin?org=CADMUS')
    await expectShown(title('[CADMUS] Cadmus'))
    await (await nodeAt(page, 'Acme Trading')).click()
    await expectShown(title('[ACME] Acme Trading'))
    const arrival = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await page.route(/\/manifest\/import\?/, async route => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.resolve()
      await arrival.promise
      // Fails if the page has aborted the request.
      await route.continue().catch(() => undefined)
    })
    const { name, bytes } = cdmFolder()
    const open = await beginImport(page, name, bytes)
    await sent.promise
    await page.goBack()
    await expectShown(snackbar(page, 'The import is still running. Cancel it first to leave.'))
    await expectShown(open)
    expect(new URL(page.url()).searchParams.get('org')).toBe('ACME')
    await press(open, 'Cancel')
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    arrival.resolve()
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})
