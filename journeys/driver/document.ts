import type { Locator, Page, Request, Route } from 'playwright-core'
import { entityDocument, manifestDocument } from './entity.ts'
import { dialog, expectShown } from './widgets.ts'

/**
 * Goes on to an address within the page, where the workspace is shown, by a step in its history: a sixth of the work of loading it. What the page
 * has read already it does not read again: for documents that it has not shown yet.
 */
export async function goOn(page: Page, address: string): Promise<void> {
  const isThere = await page.evaluate(to => {
    if (location.pathname !== '/' || document.querySelector('[role=tree]') === null) return false
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    return true
  }, address)
  if (!isThere) await page.goto(address)
}

/** Opens an entity that the page has not shown yet, without loading the page; what earlier messages said goes. */
export async function showEntity(page: Page, { id, name }: { id: number; name: string }): Promise<Locator> {
  await page.evaluate(() => {
    for (const dismiss of document.querySelectorAll<HTMLElement>('[data-snackbar] [aria-label=Dismiss]'))
      dismiss.click()
  })
  await page.locator('[data-snackbar]').first().waitFor({ state: 'detached' })
  await goOn(page, `/?entity=${id}`)
  await expectShown(entityDocument(page, name))
  return entityDocument(page, name)
}

/** Opens an entity at its address, as a link would. */
export async function openEntity(page: Page, { id, name }: { id: number; name: string }): Promise<Locator> {
  await page.goto(`/?entity=${id}`)
  await expectShown(entityDocument(page, name))
  return entityDocument(page, name)
}

export async function openManifest(page: Page, id: number, name: string): Promise<Locator> {
  await page.goto(`/?manifest=${id}`)
  await expectShown(manifestDocument(page, name))
  return manifestDocument(page, name)
}

/** A button of the document's toolbar. */
export function tool(page: Page, name: string): Locator {
  return page.getByRole('toolbar', { name: /^(Entity|Manifest)$/ }).getByRole('button', { name, exact: true })
}

/** Presses a button of the toolbar; answers the dialog that it opens. */
export async function toolDialog(page: Page, button: string, title: string): Promise<Locator> {
  await tool(page, button).click()
  const open = dialog(page, title)
  await expectShown(open)
  return open
}

/** The heads of a table's columns, without the one of the checkboxes. */
export async function heads(page: Page, table: string): Promise<string[]> {
  const found = page.getByRole('grid', { name: table, exact: true }).getByRole('columnheader')
  return (await found.allTextContents()).filter(text => text !== '')
}

/** The numbers of rows per page that a table offers. */
export async function pageSizes(page: Page): Promise<number[]> {
  await page.getByRole('combobox', { name: 'Rows per page' }).click()
  const options = page.getByRole('option')
  await options.first().waitFor()
  const texts = await options.allTextContents()
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  return texts.map(text => Number.parseInt(text, 10))
}

/** A call that the driver has no word for. */
export async function send(page: Page, method: 'POST' | 'PUT' | 'DELETE', path: string, data?: object): Promise<void> {
  const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
  const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) })
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
}

/** Comes back to the page after a while: it reads again what it shows. */
export async function lookAgain(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.setFixedTime(now + 20_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

/** The server refuses what fits, with a message or without one. Undone by `page.unrouteAll()`. */
export async function refuse(page: Page, method: string, path: RegExp, message?: string): Promise<void> {
  await page.route(path, async route => {
    if (route.request().method() !== method) await route.fallback()
    else if (message === undefined) await route.fulfill({ status: 500, body: '' })
    else await route.fulfill({ status: 400, json: { message, code: 'invalid' } })
  })
}

/** Holds the first call that fits until it is let go; `answered`: as the server saw it then. Answers what lets it go. */
export async function hold(
  page: Page,
  path: RegExp,
  method: string,
  answered = false,
): Promise<{ asked: Promise<void>; letGo: () => void }> {
  const free = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let held = false
  await page.route(path, async (route: Route) => {
    if (held || route.request().method() !== method) return route.fallback()
    held = true
    const response = answered ? await route.fetch() : null
    asked.resolve()
    await free.promise
    await (response ? route.fulfill({ response }) : route.fallback()).catch(() => undefined)
  })
  return { asked: asked.promise, letGo: free.resolve }
}

/** Holds every call that fits, whatever its method, until they are let go: what shows meanwhile shows for as long as it is looked at. */
export async function holdAll(page: Page, path: RegExp | string): Promise<() => void> {
  const free = Promise.withResolvers<void>()
  await page.route(path, async route => {
    await free.promise
    // One that the page gave up meanwhile is let go by that.
    await route.fallback().catch(() => undefined)
  })
  return free.resolve
}

/** Every request of the API from now on, with the moment at which it was sent. */
export function record(page: Page): { method: string; url: string; at: number; body: string | null }[] {
  const found: { method: string; url: string; at: number; body: string | null }[] = []
  page.on('request', (request: Request) => {
    if (!request.url().includes('/1.0/')) return
    found.push({ method: request.method(), url: request.url(), at: Date.now(), body: request.postData() })
  })
  return found
}

/**
 * The searches that are sent while somebody types, each with the milliseconds since the last key. Both by the page's own clock: what a
 * busy machine adds on the way to the test is not the page's.
 */
export async function searchesWhile(
  page: Page,
  path: string,
  typing: () => Promise<void>,
): Promise<{ search: string; after: number }[]> {
  await page.evaluate(() => {
    performance.clearResourceTimings()
    document.addEventListener('input', () => performance.mark('typed'), { capture: true })
  })
  await typing()
  const { typed, sent } = await page.evaluate(() => ({
    typed: performance.getEntriesByName('typed').at(-1)?.startTime ?? 0,
    sent: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
  }))
  return sent.flatMap(({ name, startTime }) => {
    const { pathname, searchParams } = new URL(name)
    const search = searchParams.get('search')
    return pathname === path && search !== null ? [{ search, after: startTime - typed }] : []
  })
}

/** What a picker offers, once it has found something; the picker stays open. */
export async function offers(page: Page, within: Locator, label: string, search = ''): Promise<string[]> {
  await within.getByRole('combobox', { name: label, exact: true }).click()
  if (search !== '') await page.getByRole('combobox', { name: `Search ${label}` }).fill(search)
  // What stands there while it is busy was found for something else.
  await page.locator('[role=listbox][aria-busy=true]').waitFor({ state: 'detached' })
  await page.getByRole('option').first().or(page.getByText('Nothing found')).first().waitFor()
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' })
  return page.getByRole('option').allTextContents()
}
