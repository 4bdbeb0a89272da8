import { readArchive } from '@cadmus/formats/archive'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { record, refuse } from './driver/document.ts'
import { buttonsOf } from './driver/transfer.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, downloaded, expectShown, find, press } from './driver/widgets.ts'

const { page } = await openDesk()

describe('Main toolbar', () => {
  it('Generate Database Schema asks for which manifest and opens its export', holds('M2.21'), async () => {
    await page.goto('/')
    const toolbar = page.getByRole('toolbar', { name: 'Main' })
    await toolbar.getByRole('button', { name: 'Generate Database Schema' }).click()
    const asked = dialog(page, 'Generate Database Schema')
    await find(page, asked, 'Manifest', 'Shop')
    await press(asked, 'Next')
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
    'validates first, then offers five databases and Apply Auto-Increment; the zip holds one script',
    holds('E2.13', 'M1.8', 'M2.170', 'M2.173', 'M2.174', 'M2.175', 'M2.176'),
    async () => {
      let goOn = (): void => undefined
      const held = new Promise<void>(resolve => (goOn = resolve))
      await page.route('**/validate*', async route => {
        await held
        await route.continue()
      })
      const calls = record(page)
      const open = await start()
      const validating = open.getByText('Validating...', { exact: true })
      await expectShown(validating)
      expect(await open.getByRole('combobox').count()).toBe(0)
      expect(await buttonsOf(open)).toEqual(['Close', 'Close'])
      const shop = await apiOf(page).manifestNamed('Shop')
      expect(calls.find(({ url }) => url.includes('/validate'))?.url).toContain(`/manifest/${shop}/validate`)
      goOn()
      await expectShown(open.getByRole('button', { name: 'Export' }))
      expect(await validating.count()).toBe(0)
      const box = open.getByRole('checkbox', { name: 'Apply Auto-Increment' })
      await expect.poll(() => box.getAttribute('aria-checked')).toBe('true')
      await open.getByRole('combobox', { name: 'Database Type' }).click()
      await expectShown(page.getByRole('option').first())
      const databases = ['MySQL', 'HSQL', 'Oracle', 'PostgreSQL', 'SQL Server']
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(databases)
      await page.getByRole('option', { name: 'PostgreSQL', exact: true }).click()
      await box.click()
      const { name, bytes } = await downloaded(page, () => press(open, 'Export'))
      expect(name).toBe('Shop-postgresql.zip')
      expect([...readArchive(bytes).keys()]).toEqual(['Shop.sql'])
      const script = readArchive(bytes).get('Shop.sql')
      const text = typeof script === 'string' ? script : new TextDecoder().decode(script)
      expect(text).toContain('CREATE TABLE "Customer"')
      // The type of an unbounded text on PostgreSQL alone.
      expect(text).toMatch(/^ +"\w+" TEXT\b/m)
      expect(text).not.toMatch(/GENERATED .*AS IDENTITY/i)
      const posts = calls
        .filter(call => call.method === 'POST')
        .map(call => new URL(call.url).pathname.split('/').at(-1))
      expect(posts).toEqual(['validate', 'export'])
    },
  )

  it('a manifest that is refused shows why, and only Close is left', holds('M2.177', 'M2.178'), async () => {
    await refuse(page, 'POST', /\/validate/, 'Thing has no primary key.')
    const open = await start()
    await expectShown(open.getByRole('alert').getByText('Thing has no primary key.', { exact: true }))
    // That of the title, and that of the footer.
    expect(await buttonsOf(open)).toEqual(['Close', 'Close'])
    await press(open, 'Close')
  })
})
