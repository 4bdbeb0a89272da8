import { holds } from '@cadmus/testing/holds'
import { gzipSync } from 'node:zlib'
import type { Locator, Response } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { openTabs, searchesWhile, typeInOneTask } from './driver/document.ts'
import { entityDocument, manifestDocument, property, tab } from './driver/entity.ts'
import { stored, storedCoreSchema } from './driver/session.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { captureDownload, expectShown, restingBox, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const many = await api.createManifest('Many')
for (let at = 1; at <= 25; at++) {
  await api.createEntity({ name: `Thing_${String(at).padStart(2, '0')}` }, many)
}
await page.reload()

const KILOBYTE = 1000
const BUDGET = 145 * KILOBYTE
const MOST_REQUESTS = 16

/** Marks the time at which the tree has its first manifest. */
function noteTree(): void {
  const observer = new MutationObserver(() => {
    const nodes = [...document.querySelectorAll('[role=treeitem]')]
    if (!nodes.some(({ textContent }) => textContent.startsWith('Shop'))) return
    performance.mark('tree')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

const open = async (name: string): Promise<void> => {
  await (await nodeAt(page, 'Custom', 'Manifests', 'Many', 'Entities', name)).dblclick()
  await expectShown(entityDocument(page, name))
}

describe('The first load of the page', () => {
  it('the first load of the workspace takes at most 145 kB of JavaScript (gzip) and 16 requests', async () => {
    const { context, page } = await openPage(journey.browser, journey.console.url, { signedInAs: journey.context })
    const scripts: Response[] = []
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    page.on('response', response => {
      if (response.request().resourceType() === 'script') scripts.push(response)
    })
    await page.addInitScript(noteTree)
    await page.goto('/')
    await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
    // The home screen and what is prefetched come later.
    const early = await page.evaluate(() => {
      const [tree] = performance.getEntriesByName('tree')
      const requests = performance.getEntriesByType('resource')
      return requests.filter(({ startTime }) => tree && startTime < tree.startTime).map(({ name }) => name)
    })
    const first = urls.filter((url, at) => at === 0 || early.includes(url))
    const sizes = await Promise.all(
      scripts
        .filter(response => first.includes(response.url()))
        .map(async response => ({ url: response.url(), bytes: gzipSync(await response.body()).length })),
    )
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(sizes.length).toBeGreaterThan(1)
    expect(first.length).toBeGreaterThan(5)
    expect(first.filter(url => url.includes('/drag-'))).toEqual([])
    // Requests sent before the application code runs are reused, not repeated.
    const order = first.map(url => url.slice(journey.console.url.length))
    expect(order.filter((url, at) => order.indexOf(url) !== at)).toEqual([])
    expect(order).toContain('/1.0/cdm/sso/session')
    if (first.length > MOST_REQUESTS) throw new Error(first.join('\n'))
    if (total > BUDGET) throw new Error(sizes.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`).join('\n'))
    await context.close()
  })

  it('scripts are served compressed and the content security policy allows only script files of the page', async () => {
    const answer = await fetch(`${journey.console.url}/`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? /default-src ([^;]+)/.exec(policy)?.[1] ?? ''
    expect(scripts).toContain("'self'")
    expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:|data:/)
    const html = await answer.text()
    expect(html.match(/<script(?![^>]*\bsrc=)/g) ?? []).toEqual([])
    const src = /<script[^>]+type="module"[^>]+src="([^"]+)"/.exec(html)?.[1] ?? ''
    const file = await fetch(`${journey.console.url}${src}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(file.headers.get('cache-control')).toContain('immutable')
  })
})

describe('Tree navigator', () => {
  it(
    'a tree group of 25 shows 20 items and Load More, which loads the other 5',
    holds('E2.5', 'E2.6', 'E7.89'),
    async () => {
      const requested = page.waitForRequest(/\/manifest\/\d+\/entities\?.*limit=20/)
      const group = await nodeAt(page, 'Custom', 'Manifests', 'Many', 'Entities')
      await expand(group)
      await requested
      await expect
        .poll(async () => (await childrenOf(page, group)).filter(name => name.startsWith('Thing')).length)
        .toBe(20)
      const more = page.getByRole('treeitem', { name: /^Load More/ })
      await more.click()
      await expect.poll(async () => (await childrenOf(page, group)).length).toBe(25)
      await expect.poll(() => more.count()).toBe(0)
    },
  )

  it('the context menu of a manifest offers its commands', holds('E2.8'), async () => {
    await (await nodeAt(page, 'Custom', 'Manifests', 'Many')).click({ button: 'right' })
    await expect
      .poll(() => menuLines(page))
      .toEqual(expect.arrayContaining(['Add Entity', 'Add Sub-Manifest', 'Export', 'Import Entity', 'Delete']))
    await keys(page, 'Escape')
  })

  it(
    'Export Entity saves the response as a JSON file and confirms it',
    holds('E2.8', 'E2.22', 'M2.69', 'E7.68', 'E7.69'),
    async () => {
      const node = await nodeAt(page, 'Custom', 'Manifests', 'Many', 'Entities', 'Thing_01')
      const answered = page.waitForResponse(/\/entity\/\d+\/export/)
      const { name, bytes } = await captureDownload(page, () => menu(page, node, 'Export Entity'))
      const { entityDoc, fileName } = await (await answered).json()
      expect([name, fileName]).toEqual(['Thing_01.json', 'Thing_01.json'])
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(entityDoc)
      expect(entityDoc.entity.name).toBe('Thing_01')
      await expectShown(snackbar(page, 'Exported entity: Thing_01'))
    },
  )

  it(
    'the tree search sends one request 300 ms after the last key',
    holds('M2.41', 'M2.42', 'E9.4', 'M9.1'),
    async () => {
      const search = page.getByRole('textbox', { name: 'Search', exact: true })
      const answered = page.waitForResponse(/\/1\.0\/cdm\/entity\?.*search=thing_2/i)
      const searches = await searchesWhile(page, '/1.0/cdm/entity', async () => {
        await typeInOneTask(search, 'Thing_2')
        await answered
        // The browser records a request once its answer is read.
        await expectShown(page.getByRole('treeitem', { name: /^Thing_25/ }).first())
      })
      const items = page.locator('[role=treeitem][aria-level="3"]')
      const things = [20, 21, 22, 23, 24, 25].map(at => `Thing_${at}`)
      const results = async () => (await items.allTextContents()).filter(text => !text.startsWith('Nothing found'))
      await expect.poll(async () => (await results()).map(text => text.slice(0, 8))).toEqual(things)
      expect(searches.map(call => call.search.toLowerCase())).toEqual(['thing_2'])
      expect(searches[0]?.after).toBeGreaterThanOrEqual(299)
      await search.press('Escape')
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Shop'))
    },
  )
})

describe('Tab bar', () => {
  const names = async (): Promise<string[]> =>
    page
      .getByRole('tablist', { name: 'Open documents' })
      .getByRole('tab')
      .evaluateAll(all => all.map(one => one.querySelector('span')?.textContent ?? ''))
  const choose = async (name: string, line: string): Promise<void> => {
    await tab(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: new RegExp(`^${line}( Alt W)?$`) }).click()
  }
  const lines = async (name: string): Promise<string[]> => {
    await tab(page, name).click({ button: 'right' })
    const items = await menuLines(page)
    await keys(page, 'Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    return items
  }

  it('open documents are tabs with a close button each', holds('E2.26', 'E2.27', 'M2.49'), async () => {
    for (const name of ['Thing_01', 'Thing_02', 'Thing_03']) await open(name)
    await (await nodeAt(page, 'Custom', 'Manifests', 'Many')).dblclick()
    await expectShown(manifestDocument(page, 'Many'))
    await expect.poll(() => names()).toEqual(['Thing_01', 'Thing_02', 'Thing_03', 'Many'])
    await tab(page, 'Thing_01').click()
    await expectShown(entityDocument(page, 'Thing_01'))
    await tab(page, 'Many').click()
    await expectShown(manifestDocument(page, 'Many'))
    await tab(page, 'Many').locator('[data-close]').click()
    await tab(page, 'Thing_01').click()
    await tab(page, 'Thing_03').hover()
    const opacity = () =>
      tab(page, 'Thing_03')
        .locator('[data-close]')
        .evaluate(one => getComputedStyle(one).opacity)
    await expect.poll(opacity).toBe('1')
    // Closing a background tab does not change the active one.
    await tab(page, 'Thing_02').locator('[data-close]').click()
    await expect.poll(names).toEqual(['Thing_01', 'Thing_03'])
    await expect.poll(() => tab(page, 'Thing_01').getAttribute('aria-selected')).toBe('true')
  })

  it('the tab menu offers only commands that close a tab', holds('E2.28', 'E2.34', 'E2.35', 'E2.36'), async () => {
    await expect
      .poll(() => lines('Thing_01'))
      .toEqual(['Close', 'Close All', 'Close Others', 'Close Tabs to the Right'])
    await expect.poll(() => lines('Thing_03')).toEqual(['Close', 'Close All', 'Close Others', 'Close Tabs to the Left'])
    await choose('Thing_03', 'Close')
    await expect.poll(names).toEqual(['Thing_01'])
    await expect.poll(() => lines('Thing_01')).toEqual(['Close'])
  })

  it(
    'a strip of 41 tabs scrolls and shows the active tab, and Close All closes them',
    holds('E2.30', 'M2.50'),
    async () => {
      const more = await Promise.all(Array.from({ length: 16 }, (_, at) => api.createEntity({ name: `More_${at}` })))
      const { entity: things } = await api.members(many)
      const last = await openTabs(page, [...more, ...things])
      await expect.poll(() => page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab').count()).toBe(41)
      const main = await restingBox(page.getByRole('main'))
      const rightEdge = async () => {
        const shown = await box(page.getByRole('tab', { name: last.name, exact: true }))
        return shown.x + shown.width
      }
      await expect.poll(rightEdge).toBeLessThanOrEqual(main.x + main.width + 1)
      await choose(last.name, 'Close All')
      await expect.poll(() => page.getByRole('tablist', { name: 'Open documents' }).count()).toBe(0)
    },
  )
})

describe('Panels', () => {
  const panel = (): Locator => page.getByRole('complementary', { name: 'Properties' })
  const width = async (): Promise<number> => Math.round((await box(panel())).width)
  const drag = async (by: number): Promise<void> => {
    const edge = await restingBox(page.getByRole('separator', { name: 'Width of the properties panel' }))
    const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by, y, { steps: 5 })
    await page.mouse.up()
  }

  it(
    'the navigator is 280 px wide, the properties panel on the right 300 px, and dragging its edge 100 to 800 px',
    holds('E2.37', 'E2.38', 'E2.39', 'E2.40', 'E2.41', 'M2.37', 'M2.54'),
    async () => {
      await open('Thing_01')
      const navigator = page.getByRole('navigation', { name: 'Navigator' })
      await expect.poll(async () => Math.round((await box(navigator)).width)).toBe(280)
      await expect.poll(width).toBe(300)
      await expect.poll(async () => Math.round((await box(panel())).x)).toBe(1140)
      await drag(-100)
      await expect.poll(width).toBe(400)
      await drag(600)
      await expect.poll(width).toBe(100)
      await drag(-1300)
      await expect.poll(width).toBe(800)
      await drag(500)
      await expect.poll(width).toBe(300)
    },
  )

  it(
    'the properties panel is a table of Property and Value for entities and manifests',
    holds('E2.42', 'E2.44', 'E2.45', 'M2.55'),
    async () => {
      await open('Thing_01')
      const entity = panel().getByRole('region', { name: 'Entity', exact: true })
      await expect.poll(() => entity.getByRole('columnheader').allTextContents()).toEqual(['Property', 'Value'])
      const scopes = ['Select Scopes', 'Select All Scopes', 'Delete Scopes', 'Insert Scopes', 'Update Scopes']
      const facts = ['Name', 'Description', 'Path', 'Type', 'Version', 'Extends', 'Primary Key', 'Manifest']
      await expect
        .poll(() => entity.getByRole('rowheader').allTextContents())
        .toEqual([...facts, 'Groups', 'Checks', ...scopes, 'Dependents'])
      await expect.poll(() => property(page, 'Entity', 'Name').getByRole('textbox').inputValue()).toBe('Thing_01')
      await (await nodeAt(page, 'Custom', 'Manifests', 'Many')).dblclick()
      await expectShown(manifestDocument(page, 'Many'))
      const manifest = panel().getByRole('region', { name: 'Manifest', exact: true })
      await expect.poll(() => manifest.getByRole('columnheader').allTextContents()).toEqual(['Property', 'Value'])
      await expect.poll(() => manifest.getByRole('rowheader').allTextContents()).toEqual(['Name', 'Version', 'Path'])
      await expectShown(property(page, 'Manifest', 'Name').getByText('Many', { exact: true }))
      await expectShown(property(page, 'Manifest', 'Version').getByText('1.0.0', { exact: true }))
      await expectShown(property(page, 'Manifest', 'Path').getByText('user-defined/Many', { exact: true }))
    },
  )
})

describe('Drag and drop', () => {
  beforeAll(async () => {
    // Tall enough to show both ends of a drag at once.
    await page.setViewportSize({ width: 1440, height: 1400 })
    await page.evaluate(() => localStorage.clear())
    await page.goto('/')
  })

  it(
    'a manifest document is highlighted during a drag and adds the dropped entity',
    holds('M2.79', 'M2.81', 'M2.82', 'M2.83'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Many')).dblclick()
      const panel = manifestDocument(page, 'Many')
      await expectShown(panel)
      const { entity } = await apiOf(page).members(many)
      const count = entity.length
      const posted = page.waitForRequest(request => request.method() === 'POST' && /\/entities/.test(request.url()))
      const appearance = () => panel.evaluate(one => getComputedStyle(one).boxShadow + getComputedStyle(one).outline)
      const party = await nodeAt(page, 'Standard', 'Entities', 'parties', 'Party')
      // Waits until the tree has settled, otherwise the press may hit another node.
      await party.hover({ position: { x: 60, y: 10 } })
      const before = await appearance()
      const [node, over] = [await restingBox(party), await restingBox(panel)]
      await page.mouse.move(node.x + 60, node.y + 10)
      await page.mouse.down()
      const enter = () => page.mouse.move(over.x + 200, over.y + 300, { steps: 8 })
      await enter()
      await expect.poll(appearance).not.toBe(before)
      await page.mouse.move(node.x + 60, node.y + 40, { steps: 8 })
      await expect.poll(appearance).toBe(before)
      await enter()
      await page.mouse.move(over.x + 210, over.y + 310, { steps: 4 })
      await page.mouse.up()
      const { type, entityIds } = (await posted).postDataJSON()
      expect(type).toMatch(/^exclusive$/i)
      await expectShown(panel.getByRole('row', { name: `Entities ${count + 1}` }))
      const copy = (await api.members(many)).entity.find(item => item.location === 'user-defined/Many/Party')
      expect(copy?.id).toBeGreaterThan(0)
      expect(entityIds).toEqual([await api.entityNamed('Party', 'DEFAULT')])
      expect(entityIds).not.toContain(copy?.id)
      expect((await api.entityOf(entityIds[0])).path).toBe('predefined/parties/Party')
    },
  )
})

describe('The predefined tree', () => {
  const { page } = journey
  const requests: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/1.0/cdm/navigator')) requests.push(pathname.replace('/1.0/cdm/', ''))
  })
  const reload = async () => {
    requests.length = 0
    await page.reload()
    await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')
  }

  it(
    'the predefined tree is stored with its version and reloaded only if the server has another version',
    holds('E4.54', 'E4.55', 'M9.18'),
    async () => {
      await page.getByRole('button', { name: 'CDM Library' }).click()
      await expectShown(page.getByRole('tree', { name: 'CDM Library' }).getByRole('treeitem', { name: /^parties/ }))
      await page.getByRole('button', { name: 'Project Navigator' }).click()
      const headers = { 'X-Organisation-Code': 'ACME' }
      const { buildVersion } = await (await page.request.get('/1.0/cdm/navigator/version', { headers })).json()
      expect(buildVersion).toMatch(/./)
      await expect.poll(() => storedCoreSchema(page)).toMatchObject({ buildVersion })
      await expect.poll(() => stored(page, 'coreSchemaVersion')).toBe(buildVersion)
      await reload()
      await expect.poll(() => requests).toEqual(['navigator/version'])
      await page.evaluate(() => localStorage.setItem('cadmus.coreSchemaVersion', 'another'))
      await reload()
      await expect.poll(() => requests).toEqual(['navigator/version', 'navigator'])
      await expect.poll(() => stored(page, 'coreSchemaVersion')).toBe(buildVersion)
    },
  )
})

async function box(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const bounds = await what.boundingBox()
  if (!bounds) throw new Error('It cannot be seen.')
  return bounds
}
