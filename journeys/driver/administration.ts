import type { Locator, Page } from 'playwright-core'
import { enter, type User } from './sign-in.ts'
import { expectShown } from './widgets.ts'

/** Locators of the administration on a page, and API calls of an administrator at another machine. */
export function administrationOn(page: Page) {
  const tree = page.getByRole('tree', { name: 'Organisations' })
  const panel = page.getByRole('main')
  async function callApi(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, data?: object): Promise<unknown> {
    const headers = { 'X-Cadmus': '1', 'If-Match': '*' }
    const answer = await page.request.fetch(`/1.0/cdm/admin/${path}`, { method, headers, ...(data ? { data } : {}) })
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
  async function memberPath(username: string, code: string): Promise<string> {
    const users: unknown = Reflect.get(Object(await callApi('GET', `user?search=${username}`)), 'users')
    const user: unknown = Array.isArray(users)
      ? users.find(one => Reflect.get(Object(one), 'username') === username)
      : null
    return `org/${code}/members/${String(Reflect.get(Object(user), 'userId'))}`
  }
  return {
    tree,
    panel,
    title: (text: string): Locator => panel.getByRole('heading', { level: 1, name: text, exact: true }),
    rowOf: (name: string): Locator =>
      panel.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: name }),
    nodeOf: (name: string): Locator => tree.getByRole('treeitem', { name: new RegExp(`^${name}`) }),
    async open(code: string, tab = 'Members'): Promise<void> {
      await page.goto(`/admin?org=${code}`)
      await panel.getByRole('tab', { name: tab }).click()
    },
    callApi,
    async setMember(username: string, subscription: number, code = 'ACME'): Promise<void> {
      await callApi('PUT', await memberPath(username, code), { subscription })
    },
    async removeMember(username: string, code = 'ACME'): Promise<void> {
      await callApi('DELETE', await memberPath(username, code))
    },
  }
}

/** Signs in a user without a last organisation, which leads to the organisation picker. */
export async function signInToPicker(page: Page, user: User): Promise<void> {
  await enter(page, user)
  await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
}

/** Signs the administrator in and opens the administration without choosing an organisation. */
export async function enterAdministration(page: Page): Promise<void> {
  await enter(page, 'admin', '/admin')
  await expectShown(page.getByRole('tree', { name: 'Organisations' }).getByRole('treeitem').first())
}
