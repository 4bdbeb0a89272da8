import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage, saveScreenshot, signIn } from './driver/journey.ts'
import { record, refuse } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { dialog, captureDownload, expectShown, pick, press } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const parcel = await api.createEntity({ name: 'Parcel', typeAttributes: [{ name: 'weight', dataType: 'double' }] })
for (let number = 1; number <= 32; number++) await api.createManifest(`Depot${number}`)
await page.reload()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()

const logs = page.getByRole('article', { name: 'Audit Logs' })
const rows = logs
  .getByRole('grid', { name: 'Audit Logs' })
  .getByRole('row')
  .filter({ hasNot: page.getByRole('columnheader') })
const field = (name: string): Locator => logs.getByLabel(name, { exact: true })
/** The distinct texts of a column. */
const inColumn = (at: number) =>
  rows.evaluateAll((all, column) => [...new Set(all.map(row => row.children[column]?.textContent ?? ''))], at)
const detailsOf = (row: Locator) => row.getByRole('gridcell').last()

async function open(): Promise<void> {
  await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Audit Logs' }).click()
  await logs.waitFor()
}
async function clear(): Promise<void> {
  const button = logs.getByRole('button', { name: 'Clear Filters' })
  if (await button.isEnabled()) await button.click()
  await expectShown(rows.first())
}
async function expectFirst(text: string | RegExp): Promise<void> {
  await expectShown(rows.first().filter({ hasText: text }))
}
/** The date that many days from today, in the page's time zone. */
const day = (days: number) =>
  page.evaluate(add => {
    const at = new Date(Date.now() + add * 86_400_000)
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(part => String(part).padStart(2, '0')).join('-')
  }, days)

describe('Audit Logs', () => {
  it(
    'opens a single tab from the toolbar, with a loading indicator and fifteen rows',
    holds('M2.26', 'M2.48', 'M2.232', 'M7.54', 'M9.3', 'M2.230'),
    async () => {
      let release = (): void => undefined
      const released = new Promise<void>(resolve => (release = resolve))
      const urls: string[] = []
      await page.route('**/manifest/logs?*', async route => {
        urls.push(route.request().url())
        await released
        await route.continue()
      })
      await open()
      await expectShown(logs.getByText('Loading audit logs...', { exact: true }))
      release()
      await expectShown(rows.first())
      await expect.poll(() => rows.count()).toBe(15)
      expect(new URL(urls[0] ?? '').searchParams.get('limit')).toBe('15')
      const columnHeaders = await logs.getByRole('columnheader').allTextContents()
      expect(columnHeaders).toEqual(['Timestamp', 'User', 'Action', 'Details'])
      await open()
      await expect.poll(() => page.getByRole('tab', { name: 'Audit Logs' }).count()).toBe(1)
      await expect.poll(() => page.getByRole('tab', { name: 'Audit Logs' }).getAttribute('aria-selected')).toBe('true')
    },
  )

  it(
    'lists who changed which manifest or entity and when',
    holds('M1.18', 'M1.19', 'M2.224', 'M3.87', 'M9.5'),
    async () => {
      await expectFirst('Created manifest Depot32.')
      await field('Log Type').click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Manifest', 'Entity'])
      await page.getByRole('option', { name: 'Entity', exact: true }).click()
      await expectFirst('Created entity Parcel.')
      await api.describe(parcel.id, 'What is sent.')
      await logs.getByRole('button', { name: 'Refresh' }).click()
      await expectFirst('Update')
      const times = await rows.evaluateAll(all => all.map(row => row.firstElementChild?.textContent ?? ''))
      expect(times.filter(time => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time))).toEqual([])
      await clear()
    },
  )

  it('filters by action and shows each action in its own colour', holds('M2.225', 'M2.231', 'M2.233'), async () => {
    await field('Action Type').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['All', 'Create', 'Update', 'Delete'])
    await page.getByRole('option', { name: 'Delete', exact: true }).click()
    await expectShown(logs.getByText('No records found', { exact: true }))
    await clear()
    await expect.poll(() => field('Action Type').textContent()).toBe('All')
    await expect.poll(() => rows.count()).toBe(15)
    await field('Log Type').click()
    await page.getByRole('option', { name: 'Entity', exact: true }).click()
    const envelope = await api.createEntity({ name: 'Envelope' })
    await api.describe(envelope.id, 'Of paper.')
    await api.deleteEntity(envelope.id)
    const colours = new Map<string, string>()
    for (const action of ['Create', 'Update', 'Delete']) {
      await pick(page, logs, 'Action Type', action)
      await expectShown(rows.first().getByText(action, { exact: true }))
      await expect.poll(() => inColumn(2)).toEqual([action])
      const chip = rows.first().getByText(action, { exact: true })
      colours.set(action, await chip.evaluate(element => getComputedStyle(element).color))
    }
    const hue = (action: string) => (colours.get(action)?.match(/\d+/g) ?? []).map(Number)
    const strongest = (action: string) => ['red', 'green', 'blue'][hue(action).indexOf(Math.max(...hue(action)))]
    expect(['Create', 'Update', 'Delete'].map(strongest)).toEqual(['green', 'blue', 'red'])
    await clear()
  })

  it('filters by the beginning of the user name', holds('M2.226'), async () => {
    const other = await openPage(journey.browser, journey.console.url)
    await signIn(other.page, 'newcomer')
    await apiOf(other.page).createManifest('Elsewhere')
    await other.context.close()
    await logs.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => inColumn(1)).toEqual(['Nia Newcomer', 'Dan Designer'])
    await field('User').fill('DAN')
    await expect.poll(() => inColumn(1)).toEqual(['Dan Designer'])
    await field('User').fill('Nia Newcomer')
    await expect.poll(() => inColumn(1)).toEqual(['Nia Newcomer'])
    await expect.poll(() => rows.count()).toBe(1)
    await field('User').fill('nobody at all')
    await expectShown(logs.getByText('No records found', { exact: true }))
    await clear()
    await expect.poll(() => field('User').inputValue()).toBe('')
    await expect.poll(async () => (await inColumn(1)).length).toBe(2)
  })

  it(
    'filters by date range, with the end date disabled until a start date is set',
    holds('M2.227', 'M2.228', 'M5.62', 'M5.63', 'M5.64'),
    async () => {
      await expect.poll(() => field('End Date').isDisabled()).toBe(true)
      const [yesterday, today, tomorrow] = [await day(-1), await day(0), await day(1)]
      await field('Start Date').fill(tomorrow)
      await expect.poll(() => field('End Date').inputValue()).toBe(tomorrow)
      await expect.poll(() => field('End Date').isEnabled()).toBe(true)
      await expectShown(logs.getByText('No records found', { exact: true }))
      await field('Start Date').fill(yesterday)
      await expect.poll(() => field('End Date').inputValue()).toBe(tomorrow)
      await expect.poll(() => field('End Date').getAttribute('min')).toBe(yesterday)
      await expectShown(rows.first())
      await field('End Date').fill(yesterday)
      await expectShown(logs.getByText('No records found', { exact: true }))
      await field('End Date').fill(today)
      await expectShown(rows.first())
      await field('Start Date').fill(tomorrow)
      await expectShown(logs.getByText('The end date is before the start date.'))
      await clear()
      await expect.poll(() => field('Start Date').inputValue()).toBe('')
    },
  )

  it(
    'shows pages of 15, 30 or 75 rows and returns to the first page when the log type changes',
    holds('M4.46', 'M9.4'),
    async () => {
      // A pending request of the cleared filter would return to the first page.
      await page.reload()
      await expectShown(rows.first())
      await logs.getByRole('button', { name: 'Next page' }).click()
      await expectShown(logs.getByText('Page 2 of', { exact: false }))
      await field('Log Type').click()
      await page.getByRole('option', { name: 'Entity', exact: true }).click()
      // The entity log has several pages too.
      await expectShown(logs.getByText(/^Page 1 of ([2-9]|\d\d)/))
      await clear()
      await expectShown(logs.getByText('Page 1 of', { exact: false }))
      await logs.getByRole('combobox', { name: 'Rows per page' }).click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['15 rows', '30 rows', '75 rows'])
      await page.getByRole('option', { name: '30 rows' }).click()
      await expect.poll(() => rows.count()).toBe(30)
    },
  )

  it('shows an empty list without an error message if the request fails', holds('M7.105'), async () => {
    await page.getByRole('tab', { name: 'Audit Logs' }).press('Delete')
    await refuse(page, 'GET', /\/manifest\/logs\?/)
    await open()
    await expectShown(logs.getByText('No records found', { exact: true }))
    await expect.poll(() => page.getByRole('region', { name: 'Messages' }).textContent()).toBe('')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await logs.getByRole('button', { name: 'Refresh' }).click()
    await expectShown(rows.first())
  })

  it('opens the differences of an entry by mouse and by keyboard, with a link to the changed object', async () => {
    await field('Log Type').click()
    await page.getByRole('option', { name: 'Entity', exact: true }).click()
    await pick(page, logs, 'Action Type', 'Update')
    await expect.poll(() => rows.count()).toBe(2)
    const row = rows.filter({ hasText: 'Parcel' })
    await detailsOf(row).getByRole('button').click()
    const entry = page.getByRole('dialog')
    await expectShown(entry.getByRole('table', { name: 'Differences' }))
    const cells = await entry.getByRole('row').filter({ hasText: 'What is sent.' }).locator('th, td').allTextContents()
    expect(cells).toEqual(['Description', 'nothing', 'What is sent.'])
    await expectAccessible(page, 'audit-entry')
    await entry.getByRole('link', { name: 'user-defined/Parcel' }).click()
    await expectShown(page.getByRole('tab', { name: 'Parcel' }))
    await open()
    await expect.poll(() => rows.count()).toBe(2)
    await tabTo(page, rows.first())
    await keys(page, 'ArrowDown')
    await keys(page, 'Enter')
    await expectShown(page.getByRole('dialog').getByRole('cell', { name: 'What is sent.' }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(row)).toBe(true)
    await clear()
  })

  it('downloads the filtered entries as CSV', async () => {
    await pick(page, logs, 'Log Type', 'Manifest')
    await pick(page, logs, 'Action Type', 'Create')
    const { name, bytes } = await captureDownload(page, () => press(logs, 'Download CSV'))
    expect(name).toBe('manifest-logs.csv')
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n')
    expect(lines[0]).toBe('"Timestamp","User","E-mail","Action","Name","Path","Version","Details"')
    expect(lines.filter(line => line.includes('Created manifest Depot'))).toHaveLength(32)
    await clear()
  })

  it('has no accessibility violations and fits a narrow window', async () => {
    // Rows are dimmed while a request of the cleared filters is pending.
    await page.reload()
    await expectShown(rows.first())
    await expectAccessible(page, 'audit-logs')
    await page.setViewportSize({ width: 1024, height: 700 })
    await saveScreenshot(page, 'audit-logs-1024')
    await expect.poll(() => logs.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
  })

  it('restores the selected log type after a reload', async () => {
    await field('Log Type').click()
    await page.getByRole('option', { name: 'Entity', exact: true }).click()
    await expect.poll(() => page.url()).toContain('logs=1')
    await page.reload()
    await expectShown(logs)
    await expect.poll(() => field('Log Type').textContent()).toBe('Entity')
    await expectFirst(/Parcel|Envelope/)
    await expect.poll(() => dialog(page, 'Audit Logs').count()).toBe(0)
  })

  // Must be the last test, because it replaces the clock of the page.
  it(
    'sends one request 400 ms after the last of several filter changes, and Clear Filters resets them all',
    holds('M2.229', 'M4.45'),
    async () => {
      await clear()
      await pick(page, logs, 'Action Type', 'Create')
      const today = await day(0)
      const calls = record(page)
      const logQueries = () =>
        calls.filter(({ url }) => url.includes('/logs?')).map(({ url }) => new URL(url).searchParams)
      await expect.poll(() => logQueries().length).toBe(1)
      await page.clock.install()
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
      await field('User').fill('Dan')
      await field('Start Date').fill(today)
      await field('End Date').fill(today)
      await page.clock.runFor(399)
      expect(logQueries()).toHaveLength(1)
      await page.clock.runFor(1)
      await expect.poll(() => logQueries().length).toBe(2)
      await page.clock.resume()
      await expect.poll(() => inColumn(1)).toEqual(['Dan Designer'])
      expect(logQueries()).toHaveLength(2)
      const { actionType, userName, startDate, endDate } = Object.fromEntries(logQueries()[1] ?? [])
      expect([actionType, userName]).toEqual(['CREATE', 'Dan'])
      expect(Date.parse(endDate ?? '') - Date.parse(startDate ?? '')).toBe(86_400_000 - 1)
      await press(logs, 'Clear Filters')
      await expect.poll(() => field('Action Type').textContent()).toBe('All')
      for (const name of ['User', 'Start Date', 'End Date']) await expect.poll(() => field(name).inputValue()).toBe('')
      await expect.poll(() => inColumn(1)).toEqual(['Nia Newcomer', 'Dan Designer'])
      await expect.poll(() => rows.count()).toBe(15)
    },
  )
})
