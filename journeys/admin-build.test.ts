import { holds } from '@cadmus/testing/holds'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { hold, record } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { packageOf, servePackages } from './driver/packages.ts'
import { expectAccessible } from './driver/accessible.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, iconOf, pick, press, snackbar } from './driver/widgets.ts'

const { page, complaints } = await startJourney({ user: 'nobody' })
await enterAdministration(page)
const acme = apiOf(page, 'ACME', 'X-Admin-Organisation')
const shop = packageOf('Shop', 11)
await acme.createManifest('Nothing')

type Built = { version: string; customBuild: boolean; manifestProperties: Properties[] }
type Properties = {
  manifestName: string
  packageProperties: { connectionPoolInfo: Record<string, string>; customProperties: object[] }
  configurationBuild: Record<string, Record<string, unknown>>
}

type Settings = {
  takenVersions?: string[]
  version?: string
  suggestion?: { version: string; reasons: string[] } | null
}

/** Mocks the build settings, taken from the stored configurations, and accepts builds; returns the submitted builds. */
async function serveBuild(
  on: Page,
  { takenVersions = ['1.0.10', '1.0.9'], version = '1.0.11', suggestion = null }: Settings = {},
): Promise<Built[]> {
  const built: Built[] = []
  await servePackages(on, () => [shop])
  await on.route(/\/1\.0\/cdm\/manifest\/\d+\/build/, async (route: Route, request) => {
    if (request.method() === 'POST') {
      built.push(request.postDataJSON())
      return route.fulfill({ json: { result: 'OK', message: '', packageId: 11, packageName: 'Shop', version } })
    }
    const manifestProperties = await Promise.all(
      ['Shop', 'Catalogue'].map(async name => {
        const id = await acme.manifestNamed(name)
        const headers = { 'X-Admin-Organisation': 'ACME' }
        const answer = await on.request.get(`/1.0/cdm/manifest/${id}/configuration`, { headers })
        const { manifestProperties: properties }: { manifestProperties: Properties } = await answer.json()
        return properties
      }),
    )
    const answer = { packageName: 'Shop', version, takenVersions, suggestion, manifestProperties }
    return route.fulfill({ json: { result: 'OK', message: '', ...answer } })
  })
  return built
}

const build = dialog(page, 'Build Manifest')
const field = (label: string) => build.getByLabel(label, { exact: true })
const version = build.getByRole('textbox', { name: 'Martini Package Version', exact: true })
const buildButton = build.getByRole('button', { name: 'Build', exact: true })

async function openBuild(name = 'Shop'): Promise<void> {
  const isThere = page.url().endsWith('/admin?org=ACME') && (await build.count()) === 0
  if (!isThere) await page.goto('/admin?org=ACME')
  await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', name), 'Build Package')
  await expectShown(build)
}

describe('Build Manifest', () => {
  it(
    'validates the manifest, then shows the version and the settings of each manifest',
    holds('M2.276', 'M2.288', 'M2.289', 'M2.290', 'M2.291', 'M2.292', 'M2.295', 'M5.57', 'M5.59'),
    async () => {
      await serveBuild(page)
      const { requested, release } = await hold(page, /\/manifest\/\d+\/validate/, 'POST')
      await openBuild()
      await requested
      await expectShown(build.getByText('Validating...', { exact: true }))
      release()
      await expect.poll(() => version.inputValue()).toBe('1.0.11')
      await expect.poll(() => version.getAttribute('placeholder')).toBe('Enter the build version of package.')
      const nodes = build.getByRole('tree').getByRole('treeitem')
      await expect.poll(() => nodes.allTextContents()).toEqual(['Shop', 'Catalogue'])
      const settings = build.getByRole('region', { name: 'Build settings' })
      const pool = build.getByRole('group', { name: 'Connection Pool' })
      await expectShown(pool)
      await expect
        .poll(async () => {
          const left = await edges(build.getByRole('tree'))
          const right = await edges(settings)
          const isBelow = (await edges(pool)).top > (await edges(version)).bottom
          return [left.right <= right.left, right.bottom - right.top <= 450, isBelow]
        })
        .toEqual([true, true, true])
      // Content that does not fit is reached by scrolling.
      const last = settings.getByRole('button', { name: 'Add Property' })
      await expect.poll(() => isWithin(last, settings)).toBe(false)
      await settings.hover()
      await page.mouse.wheel(0, 5000)
      await expect.poll(() => isWithin(last, settings)).toBe(true)
      await expectAccessible(page, 'build-manifest')
    },
  )

  it('accepts only a semantic version that is not built yet', holds('M5.54', 'M5.55', 'M5.56'), async () => {
    const built = await serveBuild(page)
    await openBuild()
    await version.fill('1.x')
    await expectShown(build.getByText('Invalid version pattern.', { exact: true }))
    await expect.poll(() => buildButton.isDisabled()).toBe(true)
    // The footer shows the error even if the field is scrolled out of view.
    await expectShown(build.getByText('Check the package version.', { exact: true }))
    await version.fill('1.0.9')
    await expectShown(build.getByText('this version is already built', { exact: true }))
    await expect.poll(() => buildButton.isDisabled()).toBe(true)
    await version.fill('2.0.0')
    const { requested, release } = await hold(page, /\/manifest\/\d+\/build/, 'POST')
    await buildButton.click()
    await requested
    await expect.poll(() => buildButton.getAttribute('aria-disabled')).toBe('true')
    await buildButton.click({ force: true })
    release()
    await build.waitFor({ state: 'detached' })
    expect(built).toHaveLength(1)
  })

  it(
    'shows the specified fields and submits their values',
    holds('M2.293', 'M2.296', 'M2.298', 'M2.300', 'M2.303', 'M4.67', 'M4.68', 'M4.69', 'M5.30', 'M5.33', 'M8.47'),
    async () => {
      const built = await serveBuild(page)
      await openBuild()
      // An empty URL stands for the template, which includes the recommended parameters.
      await expect.poll(() => field('Connection Url').inputValue()).toBe('')
      await expect.poll(() => build.getByText(/^Recommended for/).count()).toBe(0)
      await pick(page, build, 'Connection Type', 'PostgreSQL')
      await expect.poll(() => field('Connection Url').inputValue()).toBe('jdbc:postgresql://localhost:5432/database')
      await pick(page, build, 'Connection Type', 'MySQL')
      await expect
        .poll(() => field('Connection Url').inputValue())
        .toBe("jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'")
      const advice = build.getByRole('note').filter({
        hasText: /^Recommended for MySQL: add sessionVariables=sql_mode='ANSI' to the connection URL\.$/,
      })
      await expect.poll(() => advice.count()).toBe(0)
      await expect.poll(() => field('Connection Url').getAttribute('type')).toBe('url')
      await field('Connection Url').fill('jdbc:mysql://db.test:3306/shop')
      await expectShown(advice)
      await field('Connection Url').fill("jdbc:mysql://db.test:3306/shop?sessionVariables=sql_mode='ANSI'")
      await advice.waitFor({ state: 'detached' })
      await field('Connection Url').fill('jdbc:mysql://db.test:3306/shop')
      await expectShown(advice)
      await field('Connection Username').fill('ada')
      await field('Connection Password').fill('s3cret')
      await expect.poll(() => field('Connection Password').getAttribute('type')).toBe('password')
      await field('Database Name').fill('shop')
      for (const label of ['REST API', 'SOAP API', 'GRAPHQL API']) {
        const box = build.getByRole('checkbox', { name: label, exact: true })
        await expect.poll(() => box.isEnabled()).toBe(true)
        await box.setChecked(true)
      }
      for (const label of ['Apply Auto-Increment', 'Apply Coalesce', 'Apply Limit & Offset', 'Apply Relationship Join'])
        await expectShown(build.getByRole('checkbox', { name: label }))
      await build.getByRole('button', { name: 'Add Property' }).click()
      await expect
        .poll(() => build.getByRole('button', { name: 'Delete property 1' }).getAttribute('aria-disabled'))
        .toBe('true')
      await field('Name of property 2').fill('region')
      await field('Value of property 2').fill('eu')
      await build.getByRole('button', { name: 'Add Property' }).click()
      await expectShown(field('Name of property 3'))
      await build.getByRole('button', { name: 'Delete property 3' }).click()
      await field('Name of property 3').waitFor({ state: 'detached' })
      await expect.poll(() => field('Name of property 2').inputValue()).toBe('region')
      const { requested, release } = await hold(page, /\/manifest\/\d+\/build/, 'POST')
      await buildButton.click()
      await requested
      await expect.poll(() => buildButton.getAttribute('aria-busy')).toBe('true')
      await expect.poll(() => iconOf(buildButton)).toBe('loader-circle')
      release()
      await expectShown(snackbar(page, "Manifest 'Shop' successfully built"))
      await build.waitFor({ state: 'detached' })
      const [sent] = built
      expect(sent).toMatchObject({ version: '1.0.11', customBuild: true })
      expect(sent?.manifestProperties.map(({ manifestName }) => manifestName)).toEqual(['Shop', 'Catalogue'])
      expect(sent?.manifestProperties[0]).toMatchObject({
        packageProperties: {
          connectionPoolInfo: {
            type: 'MYSQL',
            url: 'jdbc:mysql://db.test:3306/shop',
            username: 'ada',
            password: 's3cret',
            databaseName: 'shop',
          },
        },
        configurationBuild: { apiConfiguration: { type: ['REST', 'SOAP', 'GRAPHQL'] } },
      })
      expect(sent?.manifestProperties[0]?.packageProperties.customProperties).toContainEqual({
        name: 'region',
        value: 'eu',
        secret: false,
      })
    },
  )

  it('shows why a manifest cannot be built and offers only Close', holds('M2.294', 'M5.60'), async () => {
    await serveBuild(page)
    await openBuild('Nothing')
    await expectShown(build.getByRole('alert').getByText('Nothing has no entity.', { exact: true }))
    await expect.poll(() => version.count()).toBe(0)
    await expect.poll(() => build.getByRole('textbox').count()).toBe(0)
    const footer = build.locator('footer').getByRole('button')
    await expect.poll(() => footer.allTextContents()).toEqual(['Close'])
    await press(build, 'Close')
  })

  it('reports failed loading of the settings and failed builds', holds('M8.13', 'M8.32'), async () => {
    await page.route(/\/manifest\/\d+\/build/, route =>
      route.fulfill({ status: 500, json: { message: 'It broke.', code: 'internal' } }),
    )
    await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
    await expectShown(snackbar(page, 'Unable to open build manifest dialog - It broke.'))
    await page.unrouteAll()
    await serveBuild(page)
    await openBuild()
    await page.route(/\/manifest\/\d+\/build/, route =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
    )
    await buildButton.click()
    await expectShown(snackbar(page, 'Failed to build manifest'))
    await expectShown(version)
  })

  it('the tree, the settings of a sub-manifest and Build are operable by keyboard', async () => {
    const built = await serveBuild(page)
    await openBuild()
    const calls = record(page)
    await expect.poll(() => hasFocus(version)).toBe(true)
    await keys(page, 'Shift+Tab')
    await tabTo(page, build.getByRole('treeitem', { name: 'Shop' }), 'Shift+Tab')
    await keys(page, 'ArrowDown', 'Enter')
    await expect
      .poll(() => build.getByRole('treeitem', { name: 'Catalogue' }).getAttribute('aria-selected'))
      .toBe('true')
    await tabTo(page, build.getByRole('checkbox', { name: 'Apply Coalesce' }))
    await keys(page, 'Space')
    await tabTo(page, buildButton)
    await keys(page, 'Enter')
    await build.waitFor({ state: 'detached' })
    expect(built[0]?.manifestProperties[1]).toMatchObject({
      manifestName: 'Catalogue',
      configurationBuild: { sqlConfiguration: { applyCoalesce: true } },
    })
    expect(calls.some(({ method, url }) => method === 'POST' && url.includes('/build'))).toBe(true)
    expect(complaints).toEqual([])
  })
})

function edges(element: Locator): Promise<Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>> {
  return element.evaluate(one => {
    const { top, bottom, left, right } = one.getBoundingClientRect()
    return { top, bottom, left, right }
  })
}

/** Whether the element lies vertically within the frame. */
async function isWithin(element: Locator, frame: Locator): Promise<boolean> {
  const [inner, outer] = await Promise.all([edges(element), edges(frame)])
  return inner.top >= outer.top && inner.bottom <= outer.bottom
}
