import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { record, refuse } from './driver/document.ts'
import { buttonsOf } from './driver/transfer.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, find, press } from './driver/widgets.ts'

const { page } = await startJourney()

describe('Main toolbar', () => {
  it('Generate Database Schema requests a manifest and opens its export', holds('M2.21'), async () => {
    await page.goto('/')
    const toolbar = page.getByRole('toolbar', { name: 'Main' })
    await toolbar.getByRole('button', { name: 'Generate Database Schema' }).click()
    const manifestDialog = dialog(page, 'Generate Database Schema')
    await find(page, manifestDialog, 'Manifest', 'Shop')
    await press(manifestDialog, 'Next')
    const open = dialog(page, 'Export Database Schema')
    await expectShown(open.getByText('Shop', { exact: true }))
    await press(open, 'Close')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Export Database Schema', () => {
  const start = async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Export > Database Schema')
    return dialog(page, 'Export Database Schema')
  }

  it(
    'the dialog validates first and offers five databases; the zip contains one script',
    holds('E2.13', 'M1.8', 'M2.170', 'M2.173', 'M2.174', 'M2.175', 'M2.176'),
    async () => {
      let release = (): void => undefined
      const held = new Promise<void>(resolve => (release = resolve))
      await page.route('**/validate*', async route => {
        await held
        await route.continue()
      })
      const calls = record(page)
      const open = await start()
      const validating = open.getByText('Validating...', { exact: true })
      await expectShown(validating)
      await expect.poll(() => open.getByRole('combobox').count()).toBe(0)
      await expect.poll(() => buttonsOf(open)).toEqual(['Close', 'Close'])
      const shop = await apiOf(page).manifestNamed('Shop')
      expect(calls.find(({ url }) => url.includes('/validate'))?.url).toContain(`/manifest/${shop}/validate`)
      release()
      await expectShown(open.getByRole('button', { name: 'Export' }))
      await expect.poll(() => validating.count()).toBe(0)
      const box = open.getByRole('checkbox', { name: 'Apply Auto-Increment' })
      await expect.poll(() => box.getAttribute('aria-checked')).toBe('true')
      await open.getByRole('combobox', { name: 'Database Type' }).click()
      await expectShown(page.getByRole('option').first())
      const databases = ['MySQL', 'HSQL', 'Oracle', 'PostgreSQL', 'SQL Server']
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(databases)
      await page.getByRole('option', { name: 'PostgreSQL', exact: true }).click()
      await box.click()
      const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
      expect(name).toBe('Shop-postgresql.zip')
      expect([...readArchive(bytes).keys()]).toEqual(['Shop.sql'])
      const script = readArchive(bytes).get('Shop.sql')
      const text = typeof script === 'string' ? script : new TextDecoder().decode(script)
      expect(text).toContain('CREATE TABLE "Customer"')
      // Only PostgreSQL uses this type for an unbounded text.
      expect(text).toMatch(/^ +"\w+" TEXT\b/m)
      expect(text).not.toMatch(/GENERATED .*AS IDENTITY/i)
      const posts = calls
        .filter(call => call.method === 'POST')
        .map(call => new URL(call.url).pathname.split('/').at(-1))
      expect(posts).toEqual(['validate', 'export'])
    },
  )

  it('a failed validation shows the reason, and Close is the only button', holds('M2.177', 'M2.178'), async () => {
    await refuse(page, 'POST', /\/validate/, 'Thing has no primary key.')
    const open = await start()
    await expectShown(open.getByRole('alert').getByText('Thing has no primary key.', { exact: true }))
    // One button in the title bar, one in the footer.
    await expect.poll(() => buttonsOf(open)).toEqual(['Close', 'Close'])
    await press(open, 'Close')
  })
})
