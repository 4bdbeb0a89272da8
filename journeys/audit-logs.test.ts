import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { enter } from './driver/sign-in.ts'
import { record, refuse } from './driver/document.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import { violations } from './driver/axe.ts'
import { captureDownload, expectShown, pick, press } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const parcel = await api.createEntity({ name: 'Parcel', typeAttributes: [{ name: 'weight', dataType: 'double' }] })
await api.describe(parcel.id, 'What is sent.')
const envelope = await api.createEntity({ name: 'Envelope' })
await api.describe(envelope.id, 'Of paper.')
await api.deleteEntity(envelope.id)
const other = await openPage(journey.browser, journey.console.url)
await enter(other.page, 'newcomer', '/health')
await apiOf(other.page).createManifest('Elsewhere')
await other.context.close()
for (let number = 1; number <= 32; number++) await api.createManifest(`Depot${number}`)

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

/** Texts of the elements whose content is clipped. */
const clipped = (all: Locator) =>
  all.evaluateAll(elements =>
    elements.filter(one => one.scrollWidth > one.clientWidth + 1).map(({ textContent }) => textContent),
  )

/** Texts of the elements that overlap another one. */
const overlapping = (all: Locator) =>
  all.evaluateAll(elements => {
    const boxes = elements.map(element => ({ text: element.textContent, box: element.getBoundingClientRect() }))
    const meet = (a: DOMRect, b: DOMRect) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    return boxes.flatMap(({ text, box }, at) => (boxes.slice(at + 1).some(other => meet(box, other.box)) ? [text] : []))
  })

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
      await expect
        .poll(() => logs.getByRole('columnheader').allTextContents())
        .toEqual(['Timestamp', 'User', 'Action', 'Details'])
      await open()
      await expect.poll(() => page.getByRole('tab', { name: 'Audit Logs' }).count()).toBe(1)
      await expect.poll(() => page.getByRole('tab', { name: 'Audit Logs' }).getAttribute('aria-selected')).toBe('true')
    },
  )

  it(
    'shows pages of 15, 30 or 75 rows and returns to the first page when the log type changes',
    holds('M4.46', 'M9.4'),
    async () => {
      const size = logs.getByRole('combobox', { name: 'Rows per page' })
      await size.click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['15 rows', '30 rows', '75 rows'])
      await page.getByRole('option', { name: '30 rows' }).click()
      await expect.poll(() => rows.count()).toBe(30)
      await size.click()
      await page.getByRole('option', { name: '15 rows' }).click()
      await expect.poll(() => rows.count()).toBe(15)
      await logs.getByRole('button', { name: 'Next page' }).click()
      await expectShown(logs.getByText('Page 2 of', { exact: false }))
      await field('Log Type').click()
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Manifest', 'Entity'])
      await page.getByRole('option', { name: 'Entity', exact: true }).click()
      // The entity log has several pages too.
      await expectShown(logs.getByText(/^Page 1 of ([2-9]|\d\d)/))
    },
  )

  it(
    'lists who changed which manifest or entity and when, with each action in its own colour',
    holds('M1.18', 'M1.19', 'M2.224', 'M2.231', 'M2.233', 'M3.87', 'M9.5'),
    async () => {
      await expectFirst('Deleted entity Envelope.')
      const isTime = (text: string) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
      await expect.poll(async () => (await inColumn(0)).filter(text => !isTime(text))).toEqual([])
      const strongest = async (action: string) => {
        const chip = rows.getByText(action, { exact: true }).first()
        const colour = await chip.evaluate(element => getComputedStyle(element).color)
        const hue = (colour.match(/\d+/g) ?? []).map(Number)
        return ['red', 'green', 'blue'][hue.indexOf(Math.max(...hue))]
      }
      await expect
        .poll(() => Promise.all(['Create', 'Update', 'Delete'].map(strongest)))
        .toEqual(['green', 'blue', 'red'])
      await api.describe(parcel.id, 'What is carried.')
      await logs.getByRole('button', { name: 'Refresh' }).click()
      await expectFirst('Update')
      await clear()
      await expectFirst('Created manifest Depot32.')
    },
  )

  it('filters by action and by the beginning of the user name', holds('M2.225', 'M2.226'), async () => {
    await field('Action Type').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['All', 'Create', 'Update', 'Delete'])
    await page.getByRole('option', { name: 'Delete', exact: true }).click()
    await expectShown(logs.getByText('No records found', { exact: true }))
    await clear()
    await expect.poll(() => field('Action Type').textContent()).toBe('All')
    await expect.poll(() => inColumn(1)).toEqual(['Dan Designer'])
    await field('User').fill('NIA')
    await expect.poll(() => inColumn(1)).toEqual(['Nia Newcomer'])
    await expect.poll(() => rows.count()).toBe(1)
    await field('User').fill('newcomer')
    await expectShown(logs.getByText('No records found', { exact: true }))
    await clear()
    await expect.poll(() => field('User').inputValue()).toBe('')
    await expect.poll(() => rows.count()).toBe(15)
  })

  it(
    'filters by date range, with the end date disabled until a start date is set',
    holds('M2.227', 'M2.228', 'M5.62', 'M5.63', 'M5.64'),
    async () => {
      await expect.poll(() => field('End Date').isDisabled()).toBe(true)
      const [yesterday, tomorrow] = [await day(-1), await day(1)]
      await field('Start Date').fill(tomorrow)
      await expect.poll(() => field('End Date').inputValue()).toBe(tomorrow)
      await expect.poll(() => field('End Date').isEnabled()).toBe(true)
      await expectShown(logs.getByText('No records found', { exact: true }))
      await field('Start Date').fill(yesterday)
      await expect.poll(() => field('End Date').inputValue()).toBe(tomorrow)
      await expectShown(rows.first())
      await field('End Date').fill(yesterday)
      await expectShown(logs.getByText('No records found', { exact: true }))
      await clear()
      await expect.poll(() => field('Start Date').inputValue()).toBe('')
    },
  )

  it('opens the differences of an entry by mouse and by keyboard, with a link to the changed object', async () => {
    await pick(page, logs, 'Log Type', 'Entity')
    await pick(page, logs, 'Action Type', 'Update')
    await expect.poll(() => rows.count()).toBe(3)
    const row = rows.filter({ hasText: 'Parcel' }).last()
    await detailsOf(row).getByRole('button').click()
    const entry = page.getByRole('dialog')
    await expectShown(entry.getByRole('table', { name: 'Differences' }))
    await expect
      .poll(() => entry.getByRole('row').filter({ hasText: 'What is sent.' }).locator('th, td').allTextContents())
      .toEqual(['Description', 'nothing', 'What is sent.'])
    expect(await violations(page)).toEqual([])
    await entry.getByRole('link', { name: 'user-defined/Parcel' }).click()
    await expectShown(page.getByRole('tab', { name: 'Parcel' }))
    await open()
    await expect.poll(() => rows.count()).toBe(3)
    await rows.first().focus()
    await keys(page, 'Enter')
    await expectShown(page.getByRole('dialog').getByRole('cell', { name: 'What is carried.' }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(rows.first())).toBe(true)
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

  it(
    'a reload restores the selected log type; a failed request shows an empty list without an error message',
    holds('M7.105'),
    async () => {
      await pick(page, logs, 'Log Type', 'Entity')
      await expect.poll(() => page.url()).toContain('logs=1')
      await refuse(page, 'GET', /\/entity\/logs\?/)
      await page.reload()
      await expectShown(logs.getByText('No records found', { exact: true }))
      await expect.poll(() => field('Log Type').textContent()).toBe('Entity')
      await expect.poll(() => page.getByRole('region', { name: 'Messages' }).textContent()).toBe('')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await logs.getByRole('button', { name: 'Refresh' }).click()
      await expectFirst(/Parcel|Envelope/)
    },
  )

  it('has no clipped or overlapping content at a width of 1024 and no accessibility violations', async () => {
    await clear()
    await expectFirst('Created manifest Depot32.')
    await page.setViewportSize({ width: 1024, height: 768 })
    const uncut = 'h1, label:not(.visually-hidden), header button, input:not([aria-hidden]), th, td, td button'
    await expect.poll(() => clipped(logs.locator(uncut))).toEqual([])
    await expect.poll(() => overlapping(logs.locator('header > *, fieldset > div, th, td'))).toEqual([])
    await expect.poll(() => clipped(logs)).toEqual([])
    await expect.poll(() => clipped(logs.locator('[data-scroller]'))).toEqual([])
    await expectAccessible(page, 'audit-logs-1024')
    await page.setViewportSize({ width: 1440, height: 900 })
    const tops = () =>
      logs.getByRole('columnheader').evaluateAll(all => all.map(head => head.getBoundingClientRect().top))
    await expect.poll(async () => new Set(await tops()).size).toBe(1)
  })

  // Must be the last test, because it replaces the clock of the page.
  it(
    'sends one request 400 ms after the last of several filter changes, and Clear Filters resets them all',
    holds('M2.229', 'M4.45'),
    async () => {
      await clear()
      // The day of the newest entry, also shortly after midnight.
      const today = ((await inColumn(0))[0] ?? '').slice(0, 10)
      const calls = record(page)
      const logQueries = () =>
        calls
          .filter(({ url }) => url.includes('/logs?'))
          .map(({ url }) => new URL(url).searchParams)
          .filter(query => query.get('actionType') === 'CREATE')
      await pick(page, logs, 'Action Type', 'Create')
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
      const { userName, startDate, endDate } = Object.fromEntries(logQueries()[1] ?? [])
      expect(userName).toBe('Dan')
      expect(Date.parse(endDate ?? '') - Date.parse(startDate ?? '')).toBe(86_400_000 - 1)
      await press(logs, 'Clear Filters')
      await expect.poll(() => field('Action Type').textContent()).toBe('All')
      for (const name of ['User', 'Start Date', 'End Date']) await expect.poll(() => field(name).inputValue()).toBe('')
      await expectFirst('Created manifest Depot32.')
      await expect.poll(() => rows.count()).toBe(15)
    },
  )
})
