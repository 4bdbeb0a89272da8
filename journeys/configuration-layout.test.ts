import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import {
  configurationTool,
  openConfiguration,
  partTab,
  saveAndReload,
  showPart,
  stored,
  type Part,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, openManifest } from './driver/document.ts'
import { names, setText } from './driver/entity.ts'
import { expectAccessible } from './driver/accessible.ts'
import { expectShown } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
await enter(page, 'admin')
await page.getByRole('listitem').filter({ hasText: 'CADMUS' }).getByRole('button', { name: 'Select' }).click()
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

  it('at 200 % scrolls to the end of every part without horizontal overflow', async () => {
    await page.setViewportSize({ width: 720, height: 450 })
    const article = await openConfiguration(page, manifest, name)
    for (const [part, end] of parts) {
      await showPart(page, part)
      const last = end(article).first()
      await last.scrollIntoViewIfNeeded()
      await saveScreenshot(page, `zoom-${part.replace(/\W/g, '-')}`)
      const sideways = () => article.evaluate(element => element.scrollWidth - element.clientWidth)
      await expect.poll(async () => [part, await isOnTop(last), await sideways()]).toEqual([part, true, 0])
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
    await page.route(/\/configuration\/edits\?/, async route =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { message: 'No.', code: 'invalid', errors } })
        : route.fallback(),
    )
    await keys(page, 'Control+s')
    await expectShown(article.getByRole('alert').getByText('and 4 more'))
    const last = page.getByRole('checkbox', { name: 'Apply Relationship Join' })
    await last.scrollIntoViewIfNeeded()
    await saveScreenshot(page, 'low-window-refused')
    await expect.poll(() => isOnTop(last)).toBe(true)
    await keys(page, 'Control+z')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('shows outlines of chips and dots of unsaved changes with forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const article = await openConfiguration(page, manifest, name)
    await showPart(page, 'API Scopes')
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
    await keys(page, 'Control+z')
    await openEntity(page, { id: entities[0] ?? 0, name: 'Crate0' })
    await setText(page, 'Entity', 'Description', 'unsaved')
    const dot = page.getByRole('treeitem', { selected: true }).locator('[class*="dot"]').first()
    await expectShown(dot)
    await expect.poll(() => dot.evaluate(element => getComputedStyle(element).backgroundColor)).not.toBe(canvas)
    await saveScreenshot(page, 'forced-unsaved-entity')
    await keys(page, 'Control+z')
    await page.emulateMedia({ forcedColors: 'none' })
  })
})

it('the header of a manifest with many entities keeps its height at 720 × 450', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  const article = await openManifest(page, manifest, name)
  const heading = article.getByRole('heading', { level: 1 })
  const boxOf = async (target: Locator) => (await target.boundingBox()) ?? { y: 0, height: 0 }
  await expect
    .poll(async () => {
      const [header, title] = [await boxOf(article.locator('header')), await boxOf(heading)]
      const tabs = await boxOf(article.getByRole('tablist'))
      const end = header.y + header.height
      return [title.y >= header.y, tabs.y >= end, title.y + title.height <= end]
    })
    .toEqual([true, true, true])
  await saveScreenshot(page, 'manifest-header')
})

const depot = await api.createManifest('Depot')
await api.createEntity({ name: 'Crate' }, depot)
await api.createEntity({ name: 'Pallet' }, depot)
await api.createEntity({ name: 'Stray' })

const check = (name: string) => page.getByRole('checkbox', { name, exact: true })

describe('Service Configuration', () => {
  it(
    'is one of six parts and saves its options and entities',
    holds('M1.6', 'M2.126', 'M2.154', 'M2.155', 'M2.156', 'M3.24', 'M3.25'),
    async () => {
      await openConfiguration(page, depot, 'Depot')
      const parts = page.getByRole('tablist', { name: 'Parts of the configuration of Depot' }).getByRole('tab')
      const labels = async () => (await parts.allTextContents()).map(text => text.replace(/\d+$/, ''))
      await expect
        .poll(labels)
        .toEqual([
          'API Configuration',
          'SQL Configuration',
          'Service Configuration',
          'Property Configuration',
          'Aggregate Queries',
          'API Scopes',
        ])
      await showPart(page, 'Service Configuration')
      const checklist = page.getByRole('grid', { name: 'Source of Truth Entities' })
      await expect.poll(() => checklist.count()).toBe(0)
      for (const name of ['Apply Multi-Tenancy', 'Apply Custom Fields', 'Apply Source of Truth']) {
        await expect.poll(() => check(name).isChecked()).toBe(false)
        await check(name).click()
      }
      await expect.poll(() => names(page, 'Source of Truth Entities')).toEqual(['Crate', 'Pallet'])
      const warning = page.getByRole('note').filter({ hasText: 'no entity is selected: nothing is recorded' })
      await expectShown(warning)
      await saveScreenshot(page, 'configuration-service-warned')
      await check('Choose Pallet').click()
      await expect.poll(() => warning.count()).toBe(0)
      await saveScreenshot(page, 'configuration-service')
      await saveAndReload(page, 'Depot')
      for (const name of ['Apply Multi-Tenancy', 'Apply Custom Fields', 'Apply Source of Truth']) {
        await expect.poll(() => check(name).isChecked()).toBe(true)
      }
      await expect.poll(() => check('Choose Pallet').isChecked()).toBe(true)
      await expect.poll(() => check('Choose Crate').isChecked()).toBe(false)
      expect((await stored(page, depot, 'CADMUS')).configurationBuild['serviceConfiguration']).toEqual({
        applyMultiTenancy: true,
        applyCustomField: true,
        applySot: true,
        sotEntities: ['Pallet'],
      })
      await check('Apply Source of Truth').click()
      await expect.poll(() => checklist.count()).toBe(0)
      await configurationTool(page, 'Discard changes').click()
    },
  )

  it('a missing entity is reported in the list and by validation, and can be removed', async () => {
    const sotEntities = ['Crate', 'Nope']
    const body = { configurationBuild: { serviceConfiguration: { applySot: true, sotEntities } } }
    const headers = { 'X-Organisation-Code': 'CADMUS', 'If-Match': '*' }
    const path = `/1.0/cdm/manifest/${depot}`
    await page.request.post(`${path}/configuration`, { headers, data: body })
    const { problems } = await (await page.request.post(`${path}/validate`, { headers })).json()
    expect(problems).toContainEqual(expect.objectContaining({ code: 'sotEntity', severity: 'error' }))
    await openConfiguration(page, depot, 'Depot', 'Service Configuration')
    const checklist = page.getByRole('grid', { name: 'Source of Truth Entities' })
    await expectShown(checklist.getByRole('row').filter({ hasText: 'Nope' }).getByText('There is no such entity.'))
    await check('Choose Nope').click()
    await expect.poll(() => checklist.getByText('Nope').count()).toBe(0)
    await saveAndReload(page, 'Depot')
    const { serviceConfiguration } = (await stored(page, depot, 'CADMUS')).configurationBuild
    expect(serviceConfiguration).toMatchObject({ sotEntities: ['Crate'] })
  })

  it('is hidden if the session reports no service options for the organisation', holds('M2.126'), async () => {
    await openConfiguration(page, depot, 'Depot')
    await expectShown(partTab(page, 'Service Configuration'))
    await page.route('**/1.0/cdm/sso/session', async route => {
      const answer = await route.fetch()
      const session = await answer.json()
      await route.fulfill({ json: { ...session, organisation: { ...session.organisation, serviceOptions: false } } })
    })
    await page.reload()
    await expectShown(partTab(page, 'API Configuration'))
    await expect.poll(() => partTab(page, 'Service Configuration').count()).toBe(0)
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
