import type { Locator, Page, Request } from 'playwright-core'
import { expectShown } from './widgets.ts'

type Session = { eccUser: { permissions: { oc: string; on: string; ng: number }[]; avatar: string | null } }

/** What local storage holds under one of the product's names. */
export async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate(name => localStorage.getItem(`cadmus.${name}`), key)
}

/** The user as the browser keeps them. */
export async function storedUser(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse((await stored(page, 'login')) ?? '{}')
}

/** Opens the menu of the person who is signed in. */
export async function openProfileMenu(page: Page): Promise<void> {
  await page
    .getByRole('toolbar', { name: 'Main' })
    .getByRole('button', { name: /Profile of/ })
    .click()
  await expectShown(page.getByRole('menu'))
}

/** The organisation that the profile menu names. */
export async function organisationInMenu(page: Page): Promise<string> {
  await openProfileMenu(page)
  const words = await page.getByRole('menuitem', { name: /^Organizations/ }).textContent()
  await page.keyboard.press('Escape')
  return /\((.*)\)/.exec(words ?? '')?.[1] ?? ''
}

/** The user of the page has these organisations, or another picture, in what the server answers from now on. */
export async function changeSession(page: Page, change: (session: Session) => void): Promise<void> {
  await page.route(/\/1\.0\/cdm\/sso\/(session|signin)/, async route => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const session: Session = await response.json()
    change(session)
    return route.fulfill({ response, json: session })
  })
}

/** The addresses of another server's pages, or of the provider's, that the page itself goes to from now on. */
export function departures(page: Page): URL[] {
  const found: URL[] = []
  page.on('request', (request: Request) => {
    const url = new URL(request.url())
    if (request.isNavigationRequest() && url.pathname.startsWith('/oidc/')) found.push(url)
  })
  return found
}

/** Marks the page as it is loaded: what is loaded anew has lost the mark. */
export async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.setAttribute('data-mark', ''))
  return () => page.evaluate(() => document.documentElement.hasAttribute('data-mark'))
}

/** Each organisation of the list as it is read: initials, name, button. */
export async function organisationLines(within: Pick<Locator, 'getByRole'>): Promise<string[]> {
  return within
    .getByRole('list', { name: 'Organisations' })
    .getByRole('listitem')
    .evaluateAll(all => all.map(item => [...item.children].map(part => part.firstChild?.textContent ?? '').join(' | ')))
}

/** What a call says of the organisation that it is made in, by its headers. */
type Naming = { method: string; path: string; organisation?: string; elsewhere?: string; signIn?: string }

/** Every call of the page from now on, and what it names. */
export function namings(page: Page): Naming[] {
  const found: Naming[] = []
  page.on('request', (request: Request) => {
    const { pathname: path } = new URL(request.url())
    if (!path.startsWith('/1.0/') && !path.startsWith('/api/')) return
    const headers = request.headers()
    found.push({
      method: request.method(),
      path,
      ...('x-organisation-code' in headers ? { organisation: headers['x-organisation-code'] } : {}),
      ...('x-admin-organisation' in headers ? { elsewhere: headers['x-admin-organisation'] } : {}),
      ...('x-cadmus' in headers ? { signIn: headers['x-cadmus'] } : {}),
    })
  })
  return found
}
