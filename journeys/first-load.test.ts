import { gzipSync } from 'node:zlib'
import { holds } from '@cadmus/testing/holds'
import type { Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, openDesk } from './driver/desk.ts'
import { stored } from './driver/session.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown } from './driver/widgets.ts'

const KILOBYTE = 1000
const BUDGET = 145 * KILOBYTE
const MOST_REQUESTS = 16

const desk = await openDesk()

describe('The first load of the page', () => {
  it('is at most 145 kB of JavaScript (gzip) and 16 requests for the signed-in workspace', async () => {
    const { context, page } = await openPage(desk.browser, desk.console.url, { signedInAs: desk.context })
    const scripts: Response[] = []
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    page.on('response', response => {
      if (response.request().resourceType() === 'script') scripts.push(response)
    })
    // What is fetched once the page is at rest, before anybody asked for it, comes later than this.
    await page.clock.install()
    await page.goto('/')
    await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
    const sizes = await Promise.all(
      scripts.map(async response => ({ url: response.url(), bytes: gzipSync(await response.body()).length })),
    )
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(sizes.length).toBeGreaterThan(1)
    // Nobody drags in the page's first moments; the code for it comes with the pointer.
    expect(asked.filter(url => url.includes('/drag-'))).toEqual([])
    // What is asked before the page's own code is here is taken by it, and not asked again.
    const order = asked.map(url => url.slice(desk.console.url.length))
    expect(order.filter((url, at) => order.indexOf(url) !== at)).toEqual([])
    expect(order).toContain('/1.0/cdm/sso/session')
    if (asked.length > MOST_REQUESTS) throw new Error(asked.join('\n'))
    if (total > BUDGET) throw new Error(sizes.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`).join('\n'))
    await page.getByRole('treeitem', { name: /^Shop/ }).hover()
    await expect.poll(() => asked.some(url => url.includes('/drag-'))).toBe(true)
    await context.close()
  })

  it('sends scripts compressed, and lets no script run that is not a file of the page', async () => {
    const answer = await fetch(`${desk.console.url}/`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? /default-src ([^;]+)/.exec(policy)?.[1] ?? ''
    expect(scripts).toContain("'self'")
    expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:|data:/)
    const html = await answer.text()
    expect(html.match(/<script(?![^>]*\bsrc=)/g) ?? []).toEqual([])
    const src = /<script[^>]+type="module"[^>]+src="([^"]+)"/.exec(html)?.[1] ?? ''
    const file = await fetch(`${desk.console.url}${src}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(file.headers.get('cache-control')).toContain('immutable')
  })
})

describe('The predefined tree', () => {
  const { page } = desk
  const asked: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/1.0/cdm/navigator')) asked.push(pathname.replace('/1.0/cdm/', ''))
  })
  /** The version of the tree that IndexedDB holds. */
  const kept = () =>
    page.evaluate(
      () =>
        new Promise<unknown>((resolve, reject) => {
          const opened = indexedDB.open('cadmus')
          opened.addEventListener('error', () => reject(new Error('IndexedDB failed.')))
          opened.addEventListener('success', () => {
            const read = opened.result.transaction('coreSchema').objectStore('coreSchema').get('nodes')
            read.addEventListener('success', () => resolve(Reflect.get(Object(read.result), 'buildVersion')))
          })
        }),
    )
  const reload = async () => {
    asked.length = 0
    await page.reload()
    await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')
  }

  it(
    'is kept with its version, and fetched again only where the server has another',
    holds('E4.54', 'E4.55', 'M9.18'),
    async () => {
      await page.goto('/')
      await page.getByRole('button', { name: 'CDM Library' }).click()
      await expectShown(page.getByRole('tree', { name: 'CDM Library' }).getByRole('treeitem', { name: /^parties/ }))
      await page.getByRole('button', { name: 'Project Navigator' }).click()
      const headers = { 'X-Organisation-Code': 'ACME' }
      const { buildVersion } = await (await page.request.get('/1.0/cdm/navigator/version', { headers })).json()
      expect(buildVersion).toMatch(/./)
      expect([await kept(), await stored(page, 'coreSchemaVersion')]).toEqual([buildVersion, buildVersion])
      await reload()
      expect(asked).toEqual(['navigator/version'])
      await page.evaluate(() => localStorage.setItem('cadmus.coreSchemaVersion', 'another'))
      await reload()
      expect(asked).toEqual(['navigator/version', 'navigator'])
      await expect.poll(() => stored(page, 'coreSchemaVersion')).toBe(buildVersion)
    },
  )
})
