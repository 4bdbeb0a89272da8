import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { openInAdmin } from './driver/admin-documents.ts'
import { apiOf } from './driver/api.ts'
import { cdmFolder } from './driver/cdm.ts'
import { startJourney } from './driver/journey.ts'
import { setText } from './driver/entity.ts'
import { buildOf, card, packageOf, servePackages } from './driver/packages.ts'
import { stored } from './driver/session.ts'
import { expectAccessible } from './driver/accessible.ts'
import { beginImport } from './driver/transfer.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const { page } = await startJourney({ user: 'nobody' })
const { panel, title } = administrationOn(page)
await enterAdministration(page)
const acme = apiOf(page, 'ACME', 'X-Admin-Organisation')
const shop = packageOf('Shop', 11, [buildOf({ version: '1.0.10' }), buildOf({ version: '1.0.9' })])

describe('Packages in the administration', () => {
  it('the organisation tab lists its packages without an upload action', holds('M2.267', 'M2.268'), async () => {
    const { lists } = await servePackages(page, () => [shop])
    await page.goto('/admin?org=ACME')
    await expectShown(title('[ACME] Acme Trading'))
    const sent = page.waitForRequest(/\/1\.0\/cdm\/packages\?/)
    await panel.getByRole('tab', { name: 'Generated Packages' }).click()
    await expectShown(card(page, 'Shop'))
    expect((await sent).headers()['x-admin-organisation']).toBe('ACME')
    const buttons = card(page, 'Shop').getByRole('toolbar').getByRole('button')
    await expect.poll(() => buttons.evaluateAll(all => all.map(one => one.ariaLabel))).toEqual(['Download', 'Delete'])
    expect(lists.at(-1)?.searchParams.get('filter')).toBe('private')
    await panel.getByRole('switch', { name: 'Private Package' }).click()
    await expect.poll(() => lists.at(-1)?.searchParams.get('filter')).toBe('public')
    await expectAccessible(page, 'admin-packages')
  })

  it(
    'the packages page shows the same organisation without an upload action, also after a reload',
    holds('M2.216', 'M2.255', 'M4.66', 'M6.5'),
    async () => {
      await servePackages(page, () => [shop])
      const sent = page.waitForRequest(/\/1\.0\/cdm\/packages\?/)
      await page.goto('/admin?org=GLOBEX&tab=packages')
      await expectShown(title('[GLOBEX] Globex'))
      await expectShown(card(page, 'Shop').getByRole('button', { name: 'Delete' }))
      await expect.poll(() => card(page, 'Shop').getByRole('button', { name: 'Upload' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Packages' }).click()
      await expectShown(page.getByRole('heading', { level: 1, name: 'Packages of [GLOBEX] Globex' }))
      expect((await sent).headers()['x-admin-organisation']).toBe('GLOBEX')
      await expectShown(card(page, 'Shop'))
      await expect.poll(() => card(page, 'Shop').getByRole('button', { name: 'Upload' }).count()).toBe(0)
      await page.goto('/packages')
      await expectShown(card(page, 'Shop'))
      await expect.poll(() => card(page, 'Shop').getByRole('button', { name: 'Upload' }).count()).toBe(0)
      // Opened from the workspace, the page offers upload.
      await page.goto('/')
      const tree = page.getByRole('tree', { name: 'Project Navigator' })
      const choose = page.getByRole('listitem').filter({ hasText: 'Acme' }).getByRole('button', { name: 'Select' })
      await tree.or(choose).first().waitFor()
      if (await choose.isVisible()) {
        await choose.click()
        await expectShown(card(page, 'Shop'))
        await page.goto('/')
      }
      await page.getByRole('button', { name: 'Exported packages' }).click()
      await expectShown(card(page, 'Shop').getByRole('button', { name: 'Upload' }))
      // Also while another tab of the browser shows the administration.
      const other = await page.context().newPage()
      await other.goto('/admin?org=GLOBEX')
      await expectShown(administrationOn(other).title('[GLOBEX] Globex'))
      await page.getByRole('button', { name: /Profile of/ }).click()
      await page.getByRole('menuitem', { name: 'Packages' }).click()
      await expectShown(page.getByRole('heading', { level: 1, name: 'Packages', exact: true }))
      await expectShown(card(page, 'Shop').getByRole('button', { name: 'Upload' }))
      await other.close()
    },
  )

  it('an organisation without packages shows the empty message', holds('M2.221'), async () => {
    // Globex has no builds.
    await page.goto('/admin?org=GLOBEX&tab=packages')
    await expectShown(panel.getByText('No exported Martini packages to display', { exact: true }))
  })

  it(
    'opening the packages page with unsaved changes requires confirmation and loses none of them',
    holds('M2.257', 'M2.258'),
    async () => {
      await servePackages(page, () => [shop])
      const thing = await acme.createEntity({ name: 'Thing' })
      await openInAdmin(page, thing)
      await setText(page, 'Entity', 'Description', 'Changed')
      await page.getByRole('button', { name: 'Packages' }).click()
      const confirmation = question(page, 'Package View')
      await expectShown(
        confirmation.getByText('There are unsaved changes, are you sure you want to proceed to package view?', {
          exact: true,
        }),
      )
      await press(confirmation, 'Cancel')
      expect(new URL(page.url()).pathname).toBe('/admin')
      await page.getByRole('button', { name: 'Packages' }).click()
      await press(confirmation, 'Proceed')
      await expectShown(card(page, 'Shop'))
      await page.getByRole('button', { name: 'Administration' }).click()
      await expectShown(title('[ACME] Acme Trading'))
      await openInAdmin(page, thing)
      await expectShown(page.getByText('Changed', { exact: true }).or(page.locator('textarea')).first())
      await expectShown(page.getByRole('button', { name: 'Save', exact: true }).first())
      await page
        .getByRole('button', { name: /^Discard/ })
        .first()
        .click()
      await expect.poll(() => stored(page, 'workSection')).toBe('/admin')
    },
  )
})

describe('An import in the administration', () => {
  it('Back to another organisation closes the import dialog, unless the import is running', async () => {
    await page.goto('/admin?org=CADMUS')
    await expectShown(title('[CADMUS] Cadmus'))
    await (await nodeAt(page, 'Acme Trading')).click()
    await expectShown(title('[ACME] Acme Trading'))
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Import' }).click()
    await expectShown(dialog(page, 'Import'))
    await page.goBack()
    await dialog(page, 'Import').waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).searchParams.get('org')).toBe('CADMUS')
    await page.goForward()
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
    await expect.poll(() => new URL(page.url()).searchParams.get('org')).toBe('ACME')
    await open.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    arrival.resolve()
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})
