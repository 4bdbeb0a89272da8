import type { Call, CallAnswer } from '@cadmus/model/contract/call'
import { beginOnboarding } from '@cadmus/model/contract/onboarding'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, signIn } from '@cadmus/model/contract/sso'
import type { APIResponse, Page } from 'playwright-core'

export type User = 'admin' | 'designer' | 'newcomer'

/**
 * Opens an address as somebody who is signed in already, to whom the first tour was shown. The calls are those of the provider's pages, which only
 * journeys about signing in need to show.
 */
export async function enter(page: Page, user: User, address = '/'): Promise<void> {
  const { url } = await call(page, authorize)
  const { searchParams } = await clickThrough(page, url, user)
  const { onboarded, eccUser } = await call(page, signIn, Object.fromEntries(searchParams))
  const code = eccUser.permissions[0]?.oc
  if (!onboarded && code !== undefined) await call(page, beginOnboarding, {}, { 'X-Organisation-Code': code })
  // What a page that came back from the provider notes, before the first one looks for it.
  await page.goto('/health')
  await page.evaluate(() => localStorage.setItem('cadmus.sync', '1'))
  await page.goto(address)
}

async function call<C extends Call>(
  page: Page,
  { method, path }: C,
  params: Record<string, string> = {},
  named: Record<string, string> = {},
): Promise<CallAnswer<C>> {
  const headers = { [signInHeader]: '1', ...named }
  return (await checked(page.request.fetch(path, { method, headers, params }))).json()
}

/** Where the provider leads to once the user was chosen, where it asks for one. */
async function clickThrough(page: Page, url: string, user: User): Promise<URL> {
  // As a browser asks: the page that is led to is there for nobody else.
  const headers = { accept: 'text/html' }
  const arrived = await checked(page.request.get(url, { headers }))
  if (new URL(arrived.url()).pathname === '/sso/login') return new URL(arrived.url())
  const action = new RegExp(`action="([^"]*/${user})"`).exec(await arrived.text())?.[1]
  if (action === undefined) throw new Error(`The provider does not offer ${user}.`)
  return new URL((await checked(page.request.post(new URL(action, arrived.url()).href, { headers }))).url())
}

async function checked(asked: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await asked
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return answer
}
