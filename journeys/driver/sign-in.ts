import type { Call, CallAnswer } from '@cadmus/model/contract/call'
import { authorize, beginOnboarding, signIn } from '@cadmus/model/contract/sso'
import { signInHeader } from '@cadmus/model/contract/routes'
import type { APIResponse, Page } from 'playwright-core'

export type User = 'admin' | 'designer' | 'newcomer'

/**
 * Signs a user in by the calls of the provider's pages, without showing them, marks the onboarding tour as shown and opens an
 * address.
 */
export async function enter(page: Page, user: User, address = '/'): Promise<void> {
  const { url } = await call(page, authorize)
  const { searchParams } = await clickThrough(page, url, user)
  const { onboarded, eccUser } = await call(page, signIn, Object.fromEntries(searchParams))
  const code = eccUser.permissions[0]?.oc
  if (!onboarded && code !== undefined) await call(page, beginOnboarding, {}, { 'X-Organisation-Code': code })
  // Set by a page that returns from the provider and checked by the first page.
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

/** The address that the provider redirects to, after choosing the user if required. */
async function clickThrough(page: Page, url: string, user: User): Promise<URL> {
  // The redirect target serves HTML only.
  const headers = { accept: 'text/html' }
  const arrived = await checked(page.request.get(url, { headers }))
  if (new URL(arrived.url()).pathname === '/sso/login') return new URL(arrived.url())
  const action = new RegExp(`action="([^"]*/${user})"`).exec(await arrived.text())?.[1]
  if (action === undefined) throw new Error(`The provider does not offer ${user}.`)
  return new URL((await checked(page.request.post(new URL(action, arrived.url()).href, { headers }))).url())
}

async function checked(response: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await response
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return answer
}
