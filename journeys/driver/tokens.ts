import type { Page } from 'playwright-core'
import { dialog, expectShown, press, question } from './widgets.ts'

/** The format of an access token secret. */
export const secretPattern = /^cadmus_pat_[\w-]{43}$/

/** Locators of the access token dialogs. */
export function tokenScreens(page: Page) {
  const tokens = dialog(page, 'Access Tokens')
  return {
    tokens,
    creating: dialog(page, 'Create Access Token'),
    created: dialog(page, 'Access Token Created'),
    revoking: question(page, 'Revoke this access token?'),
    rowOf: (name: string) => tokens.getByRole('row').filter({ hasText: name }),
  }
}

export async function openTokens(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Profile of/ }).click()
  await page.getByRole('menuitem', { name: 'Access Tokens', exact: true }).click()
  await expectShown(dialog(page, 'Access Tokens'))
}

/** Creates a token in the open dialog and returns its secret. */
export async function createToken(page: Page, name: string): Promise<string> {
  const { tokens, creating, created } = tokenScreens(page)
  await press(tokens, 'Create')
  await creating.getByRole('textbox', { name: 'Name' }).fill(name)
  await press(creating, 'Create')
  await expectShown(created)
  const secret = await created.getByLabel('Token', { exact: true }).inputValue()
  await press(created, 'Copy')
  await press(created, 'Done')
  await created.waitFor({ state: 'detached' })
  return secret
}

/** Sends a request with a token outside of the browser, as a script would. */
export function requestWithToken(url: string, secret: string, path: string, body?: object): Promise<Response> {
  return fetch(new URL(`/1.0/cdm/${path}`, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'x-organisation-code': 'ACME',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
