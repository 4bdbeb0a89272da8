import type { Locator, Page, Request } from 'playwright-core'
import { holdAll } from './document.ts'
import { expectShown } from './widgets.ts'
import { keys } from './keyboard.ts'

type Session = { eccUser: { permissions: { oc: string; on: string; ng: number }[]; avatar: string | null } }

/** The value of a Cadmus key in local storage. */
export async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate(name => localStorage.getItem(`cadmus.${name}`), key)
}

/** The signed-in user in local storage. */
export async function storedUser(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse((await stored(page, 'login')) ?? '{}')
}

/** The predefined tree that the page has stored in IndexedDB; undefined before that. */
export function storedCoreSchema(page: Page): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise<unknown>((resolve, reject) => {
        const request = indexedDB.open('cadmus')
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
        request.addEventListener('success', () => {
          const entry = request.result.transaction('coreSchema').objectStore('coreSchema').get('nodes')
          entry.addEventListener('success', () => resolve(entry.result))
        })
      }),
  )
}

export async function openProfileMenu(page: Page): Promise<void> {
  await page
    .getByRole('toolbar', { name: 'Main' })
    .getByRole('button', { name: /Profile of/ })
    .click()
  await expectShown(page.getByRole('menu'))
}

/** The current organisation in the profile menu. */
export async function organisationInMenu(page: Page): Promise<string> {
  await openProfileMenu(page)
  const words = await page.getByRole('menuitem', { name: /^Organizations/ }).textContent()
  await keys(page, 'Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  return /\((.*)\)/.exec(words ?? '')?.[1] ?? ''
}

/** Changes the session in the responses of the server from now on. */
export async function changeSession(page: Page, change: (session: Session) => void): Promise<void> {
  await page.route(/\/1\.0\/cdm\/sso\/(session|signin)/, async route => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const session: Session = await response.json()
    change(session)
    return route.fulfill({ response, json: session })
  })
}

/** Records the navigations of the page to the identity provider from now on. */
export function recordProviderNavigations(page: Page): URL[] {
  const urls: URL[] = []
  page.on('request', (request: Request) => {
    const url = new URL(request.url())
    if (request.isNavigationRequest() && url.pathname.startsWith('/oidc/')) urls.push(url)
  })
  return urls
}

/** Marks the loaded page; the returned function reports whether it is still the same page. */
export async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.setAttribute('data-mark', ''))
  return () => page.evaluate(() => document.documentElement.hasAttribute('data-mark'))
}

/** The text of each organisation in the list: initials, name and button. */
export async function organisationLines(within: Pick<Locator, 'getByRole'>): Promise<string[]> {
  return within
    .getByRole('list', { name: 'Organisations' })
    .getByRole('listitem')
    .evaluateAll(all => all.map(item => [...item.children].map(part => part.firstChild?.textContent ?? '').join(' | ')))
}

/** The headers of a call that name its organisation. */
type OrganisationHeaders = {
  method: string
  path: string
  organisation?: string
  adminOrganisation?: string
  signIn?: string
}

/** Records the organisation headers of every call from now on. */
export function recordOrganisationHeaders(page: Page): OrganisationHeaders[] {
  const calls: OrganisationHeaders[] = []
  page.on('request', (request: Request) => {
    const { pathname: path } = new URL(request.url())
    if (!path.startsWith('/1.0/') && !path.startsWith('/api/')) return
    const headers = request.headers()
    calls.push({
      method: request.method(),
      path,
      ...('x-organisation-code' in headers ? { organisation: headers['x-organisation-code'] } : {}),
      ...('x-admin-organisation' in headers ? { adminOrganisation: headers['x-admin-organisation'] } : {}),
      ...('x-cadmus' in headers ? { signIn: headers['x-cadmus'] } : {}),
    })
  })
  return calls
}

/** Ends the session while the calls of an action wait: otherwise a call that the page sends by itself might show the dialog before. */
export async function expireDuring(page: Page, cookies: RegExp, action: () => Promise<unknown>): Promise<void> {
  const release = await holdAll(page, '**/1.0/**')
  await action()
  await page.context().clearCookies({ name: cookies })
  release()
}
