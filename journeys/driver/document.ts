import type { Locator, Page, Request, Route } from 'playwright-core'
import { entityDocument, manifestDocument } from './entity.ts'
import { dialog, dismissMessages, expectShown, openDropdown } from './widgets.ts'
import { keys, menuLine } from './keyboard.ts'

/** Addresses that a page has shown: it caches their documents. */
const visited = new WeakMap<Page, Set<string>>()

/**
 * Goes to an address by a history entry, which takes a quarter of the processor time of loading the page. Loads the page if it shows
 * another section or a dialog, or has shown the address before, since cached documents are not read again.
 */
export async function navigate(page: Page, address: string): Promise<void> {
  const addresses = visited.get(page) ?? new Set()
  visited.set(page, addresses)
  const isThere =
    !addresses.has(address) &&
    (await page.evaluate(to => {
      const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
      if (location.pathname !== new URL(to, 'http://page').pathname) return false
      return document.querySelector('[role=tree]') !== null && document.querySelector(overlays) === null
    }, address))
  addresses.add(address)
  if (!isThere) return void (await page.goto(address))
  // Before the page shows the address, which may report an error.
  await dismissMessages(page)
  await page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}

/** Opens an entity by its address. */
export async function openEntity(page: Page, { id, name }: { id: number; name: string }): Promise<Locator> {
  await navigate(page, `/?entity=${id}`)
  await expectShown(entityDocument(page, name))
  return entityDocument(page, name)
}

/** Loads the page with tabs of these entities alone, and shows the last one, which is returned. */
export async function openTabs<T extends { id: number; name: string }>(page: Page, entities: readonly T[]): Promise<T> {
  const last = entities.at(-1)
  if (!last) throw new Error('There are no entities.')
  // Set outside the workspace, which would store its own tabs again.
  await page.goto('/openapi.json')
  await page.evaluate(
    tabs => {
      const desk = JSON.parse(localStorage.getItem('cadmus.desk') ?? '{}')
      localStorage.setItem('cadmus.desk', JSON.stringify({ ...desk, tabs }))
    },
    entities.map(({ id, name }) => ({ kind: 'entity', id, name })),
  )
  await page.goto(`/?entity=${last.id}`)
  await entityDocument(page, last.name).waitFor()
  return last
}

/** Opens the lists of a manifest. */
export async function openManifest(page: Page, id: number, name: string): Promise<Locator> {
  await navigate(page, `/?manifest=${id}&tab=entities`)
  await expectShown(manifestDocument(page, name))
  return manifestDocument(page, name)
}

const toolbars = /^(Entity|Manifest|Configuration)$/

/** A command of the document's toolbar, which has a button or stands in the menu *More*. */
export type Tool = {
  click(): Promise<void>
  waitFor(): Promise<void>
  count(): Promise<number>
  getAttribute(name: string): Promise<string | null>
  isDisabled(): Promise<boolean>
}

export function tool(page: Page, name: string | RegExp): Tool {
  const bar = page.getByRole('toolbar', { name: toolbars })
  const button = bar.getByRole('button', { name, exact: true })
  const line = menuLine(page, name)
  /** The button, or the line of the opened menu. */
  async function reveal(): Promise<Locator> {
    await bar.waitFor()
    if ((await button.count()) > 0) return button
    await openMore(page)
    return line
  }
  /** Closes the menu afterwards. */
  async function look<T>(read: (shown: Locator) => Promise<T>): Promise<T> {
    const shown = await reveal()
    const result = await read(shown)
    if (shown !== line) return result
    await keys(page, 'Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    return result
  }
  return {
    // Save is in the toolbar as soon as there are unsaved changes.
    click: async () => (name === 'Save' ? button : await reveal()).click(),
    waitFor: () => look(shown => shown.waitFor()),
    count: () => look(shown => shown.count()),
    getAttribute: attribute => look(shown => shown.getAttribute(attribute)),
    isDisabled: () => look(shown => shown.isDisabled()),
  }
}

/** Opens the menu *More* of the document's toolbar. */
export async function openMore(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: toolbars }).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menu').waitFor()
}

/** Runs a command of the toolbar; returns the dialog that it opens. */
export async function toolDialog(page: Page, button: string, title: string): Promise<Locator> {
  await tool(page, button).click()
  const open = dialog(page, title)
  await expectShown(open)
  return open
}

/** The column headers of a table, without that of the checkboxes. */
export async function columnHeaders(page: Page, table: string): Promise<string[]> {
  const headers = page.getByRole('grid', { name: table, exact: true }).getByRole('columnheader')
  return (await headers.allTextContents()).filter(text => text !== '')
}

/** The page sizes that a table offers. */
export async function pageSizes(page: Page): Promise<number[]> {
  await openDropdown(page, page.getByRole('combobox', { name: 'Rows per page' }))
  const options = page.getByRole('option')
  await options.first().waitFor()
  const texts = await options.allTextContents()
  await keys(page, 'Escape')
  await options.first().waitFor({ state: 'detached' })
  return texts.map(text => Number.parseInt(text, 10))
}

/** Sends an API call that has no function in the driver. */
export async function send(page: Page, method: 'POST' | 'PUT' | 'DELETE', path: string, data?: object): Promise<void> {
  const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
  const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) })
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
}

/** Simulates returning to the page after 20 seconds, which makes it reload its data. */
export async function returnToPage(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.setFixedTime(now + 20_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

/** Fails matching calls, with a message or with an empty 500 response. Undone by `page.unrouteAll()`. */
export async function refuse(page: Page, method: string, path: RegExp, message?: string): Promise<void> {
  await page.route(path, async route => {
    if (route.request().method() !== method) await route.fallback()
    else if (message === undefined) await route.fulfill({ status: 500, body: '' })
    else await route.fulfill({ status: 400, json: { message, code: 'invalid' } })
  })
}

/** Holds the first matching call until it is released; with `answered` the server processes it before. */
export async function hold(
  page: Page,
  path: RegExp,
  method: string,
  answered = false,
): Promise<{ requested: Promise<void>; release: () => void }> {
  const released = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  let isHolding = false
  await page.route(path, async (route: Route) => {
    if (isHolding || route.request().method() !== method) return route.fallback()
    isHolding = true
    const response = answered ? await route.fetch() : null
    requested.resolve()
    await released.promise
    await (response ? route.fulfill({ response }) : route.fallback()).catch(() => undefined)
  })
  return { requested: requested.promise, release: released.resolve }
}

/** Holds all matching calls until the returned function releases them. */
export async function holdAll(page: Page, path: RegExp | string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(path, async route => {
    await released.promise
    // The page may have aborted the call.
    await route.fallback().catch(() => undefined)
  })
  return released.resolve
}

/** Reads with a body that the page sends by itself: problems, the impact of unsaved changes, and what instances run. */
const background = /\/(manifest\/\d+\/problems|impact|instance\/packages)$/

/** Waits until the open document has no unsaved changes: Save is in its toolbar until they are stored. */
export async function expectSaved(page: Page): Promise<void> {
  const bar = page.getByRole('toolbar', { name: 'Entity', exact: true })
  await bar.waitFor()
  await bar.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
}

/** The next POST, except those that the page sends by itself. */
export function nextChange(page: Page): Promise<Request> {
  return page.waitForRequest(request => request.method() === 'POST' && !background.test(request.url()))
}

/** Records every API request from now on, except those that the page sends by itself; `at` is its time in milliseconds. */
export function record(page: Page): { method: string; url: string; at: number; body: string | null }[] {
  const calls: { method: string; url: string; at: number; body: string | null }[] = []
  page.on('request', (request: Request) => {
    if (!request.url().includes('/1.0/') || background.test(request.url())) return
    calls.push({ method: request.method(), url: request.url(), at: Date.now(), body: request.postData() })
  })
  return calls
}

/** Types a text letter by letter in one task: between keys sent one by one a busy machine may pause for longer than a delay. */
export async function typeInOneTask(field: Locator, text: string): Promise<void> {
  await field.evaluate(
    (input, all) => {
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      for (const at of all.keys()) {
        setValue?.call(input, all.slice(0, at + 1).join(''))
        input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
    },
    [...text],
  )
}

/**
 * The searches sent during `typing`, each with the milliseconds since the last key. Measured by the clock of the page, so that delays
 * between page and test do not count.
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
  // The browser records a request once its answer is read.
  await page.waitForFunction(
    to => performance.getEntriesByType('resource').some(({ name }) => new URL(name).pathname === to),
    path,
  )
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

/** Opens a picker, optionally searches, and returns the options; the picker remains open. */
export async function pickerOptions(page: Page, within: Locator, label: string, search = ''): Promise<string[]> {
  await openDropdown(page, within.getByRole('combobox', { name: label, exact: true }))
  if (search !== '') await page.getByRole('combobox', { name: `Search ${label}` }).fill(search)
  // A busy list still shows the options of the previous search.
  await page.locator('[role=listbox][aria-busy=true]').waitFor({ state: 'detached' })
  await page
    .getByRole('option')
    .first()
    .or(page.getByText(/^Nothing found$|^An entity cannot /))
    .first()
    .waitFor()
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' })
  return page.getByRole('option').allTextContents()
}

/** Reads the stored drafts of all users as JSON. */
export function readStoredDrafts(on: Page): Promise<string> {
  return on.evaluate(
    () =>
      new Promise<string>(resolve => {
        const request = indexedDB.open('cadmus')
        request.addEventListener('success', () => {
          const all = request.result.transaction('drafts').objectStore('drafts').getAll()
          all.addEventListener('success', () => {
            request.result.close()
            resolve(JSON.stringify(all.result))
          })
        })
      }),
  )
}

/** The number of open pages by their locks. The browser releases that of a closed page a moment after closing it. */
export function countOpenPages(on: Page): Promise<number> {
  return on.evaluate(async () => {
    if (!('locks' in navigator)) return 0
    const { held = [] } = await navigator.locks.query()
    return held.filter(({ name }) => name?.startsWith('cadmus-page ')).length
  })
}
