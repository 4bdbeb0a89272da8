import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { enter } from './driver/sign-in.ts'
import { openConfiguration, partTab, showPart, type Part } from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, openManifest } from './driver/document.ts'
import { setText } from './driver/entity.ts'
import { expectAccessible } from './driver/accessible.ts'
import { expectShown } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
await enter(page, 'admin')
await page.getByRole('heading', { name: 'Organisations' }).or(page.getByRole('tree')).first().waitFor()
const cadmus = page.getByRole('listitem').filter({ hasText: 'CADMUS' }).getByRole('button', { name: 'Select' })
if (await cadmus.count()) await cadmus.click()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
const api = apiOf(page, 'CADMUS')
const name = 'A_depot_whose_name_is_as_long_as_names_may_be_here'
const entities: number[] = []
for (let count = 0; count < 40; count += 1) entities.push((await api.createEntity({ name: `Crate${count}` })).id)
const manifest = await api.createManifest(name, entities)
const scopes = ['read:orders', 'write:orders', 'read:customers', 'write:customers', 'everything']
const configurationBuild = {
  apiConfiguration: { type: ['REST', 'SOAP'], security: 'OAUTH2', excludeOperations: ['Crate1.get', 'Gone.get'] },
  serviceConfiguration: { applySot: true, sotEntities: ['Crate1', 'Gone'] },
  aggregateQueries: [{ name: 'count', entity: 'Crate1', columns: [{ field: 'id', type: 'COUNT', alias: 'n' }] }],
  apiScopeConfiguration: { enableRbac: true, scopeDefinitions: scopes, globalScopes: scopes.slice(0, 4) },
}
const packageProperties = { customProperties: [{ name: 'zone', value: 'east', secret: false }] }
await page.request.post(`/1.0/cdm/manifest/${manifest}/configuration`, {
  headers: { 'X-Organisation-Code': 'CADMUS', 'If-Match': '*' },
  data: { configurationBuild, packageProperties },
})

/** Each part with its last element. */
const parts: readonly [Part, (within: Locator) => Locator][] = [
  ['API Configuration', within => within.getByText('GET - /gone')],
  ['SQL Configuration', within => within.getByRole('checkbox', { name: 'Apply Relationship Join' })],
  ['Service Configuration', within => within.getByText('There is no such entity.')],
  ['Property Configuration', within => within.getByRole('button', { name: 'Add Property' })],
  ['Aggregate Queries', within => within.getByText('count', { exact: true })],
  ['API Scopes', within => within.getByRole('combobox', { name: 'Global Scopes' })],
]

/** Whether a point of the element is visible and not covered. */
async function isOnTop(target: Locator): Promise<boolean> {
  return target.evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const topmost = document.elementFromPoint(left + Math.min(width / 2, 8), top + height / 2)
    return topmost !== null && (element.contains(topmost) || topmost.contains(element))
  })
}

describe('The layout of a configuration', () => {
  it('has no accessibility violations in Service Configuration in any display mode', async () => {
    await openConfiguration(page, manifest, name, 'Service Configuration')
    await expectShown(page.getByText('There is no such entity.'))
    await page.mouse.move(2, 2)
    await expectAccessible(page, 'configuration-service')
  })

  it.each([
    ['at 200 %', 720, 450],
    ['at 200 % of a wide window', 960, 540],
  ])('%s scrolls to the end of every part without horizontal overflow', async (_title, width, height) => {
    await page.setViewportSize({ width, height })
    const article = await openConfiguration(page, manifest, name)
    for (const [part, end] of parts) {
      await showPart(page, part)
      const last = end(article).first()
      await last.scrollIntoViewIfNeeded()
      await saveScreenshot(page, `zoom-${width}-${part.replace(/\W/g, '-')}`)
      const sideways = await article.evaluate(element => element.scrollWidth - element.clientWidth)
      expect({ part, onTop: await isOnTop(last), sideways }).toEqual({ part, onTop: true, sideways: 0 })
      await expectShown(partTab(page, part))
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('scrolls to its end in a low window below the errors of a rejected save', async () => {
    await page.setViewportSize({ width: 720, height: 450 })
    const article = await openConfiguration(page, manifest, name, 'SQL Configuration')
    const field = article.getByLabel('Connection Username', { exact: true })
    await field.fill('keeper')
    await field.press('Enter')
    const path = 'packageProperties.connectionPoolInfo.url'
    const errors = Array.from({ length: 9 }, (_, count) => ({ path, message: `No ${count}.` }))
    await page.route(/\/configuration\?/, async route =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { message: 'No.', code: 'invalid', errors } })
        : route.fallback(),
    )
    await page.keyboard.press('Control+s')
    await expectShown(article.getByRole('alert').getByText('and 4 more'))
    const last = page.getByRole('checkbox', { name: 'Apply Relationship Join' })
    await last.scrollIntoViewIfNeeded()
    await saveScreenshot(page, 'low-window-refused')
    await expect.poll(() => isOnTop(last)).toBe(true)
    await page.keyboard.press('Control+z')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('shows outlines of chips and dots of unsaved changes with forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const article = await openConfiguration(page, manifest, name)
    for (const [part] of parts) {
      await showPart(page, part)
      await saveScreenshot(page, `forced-${part.replace(/\W/g, '-')}`)
    }
    const chip = article.getByTitle('write:customers', { exact: true }).first()
    const outlined = await chip.screenshot()
    await chip.evaluate(({ style }: HTMLElement) => style.setProperty('outline', 'none'))
    expect((await chip.screenshot()).equals(outlined)).toBe(false)
    await page.getByRole('checkbox', { name: 'Enable RBAC' }).click()
    const dirty = page.getByRole('tab', { name: /unsaved changes/ }).locator('[data-close]')
    await expectShown(dirty)
    const canvas = await article.evaluate(element => getComputedStyle(element).backgroundColor)
    await expect
      .poll(() => dirty.evaluate(element => getComputedStyle(element, '::after').backgroundColor))
      .not.toBe(canvas)
    await saveScreenshot(page, 'forced-unsaved')
    await page.keyboard.press('Control+z')
    await openEntity(page, { id: entities[0] ?? 0, name: 'Crate0' })
    await setText(page, 'Entity', 'Description', 'unsaved')
    const dot = page.getByRole('treeitem', { selected: true }).locator('[class*="dot"]').first()
    await expectShown(dot)
    await expect.poll(() => dot.evaluate(element => getComputedStyle(element).backgroundColor)).not.toBe(canvas)
    await saveScreenshot(page, 'forced-unsaved-entity')
    await page.keyboard.press('Control+z')
    await page.emulateMedia({ forcedColors: 'none' })
  })
})

it.each([
  [1024, 700],
  [720, 450],
])('the header of a manifest with many entities keeps its height at %i × %i', async (width, height) => {
  await page.setViewportSize({ width, height })
  const article = await openManifest(page, manifest, name)
  const heading = article.getByRole('heading', { level: 1 })
  const boxOf = async (target: Locator) => (await target.boundingBox()) ?? { y: 0, height: 0 }
  const [header, title] = [await boxOf(article.locator('header')), await boxOf(heading)]
  await saveScreenshot(page, `manifest-header-${width}`)
  expect(title.y).toBeGreaterThanOrEqual(header.y)
  const counts = await boxOf(article.getByRole('table', { name: 'Information' }))
  expect(counts.y).toBeGreaterThanOrEqual(header.y + header.height)
  expect(title.y + title.height).toBeLessThanOrEqual(header.y + header.height)
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
