import { createToken } from '@cadmus/model/contract/token'
import { Browser } from './browser.ts'
import { ConsoleClient } from './client.ts'

type TokenOptions = { name?: string; access?: 'read' | 'read-write'; isAdmin?: boolean; days?: number; now?: number }

const day = 24 * 60 * 60 * 1000
let tokenCount = 0

/** A valid request body for a token. */
export function tokenBody({
  name,
  access = 'read-write',
  isAdmin = false,
  days = 300,
  now = Date.now(),
}: TokenOptions = {}) {
  const expiresAt = new Date(now + days * day).toISOString()
  return { name: name ?? `Script ${++tokenCount}`, access, isAdmin, expiresAt }
}

/** Creates a token and a client that uses only it: no cookie, and no other header but the organisation's. */
export async function scriptOf(client: ConsoleClient, options: TokenOptions = {}) {
  const { token, secret } = await client.call(createToken, { body: tokenBody(options) })
  return { id: token.id, secret, script: withSecret(client, secret) }
}

export function withSecret({ browser, userId, organisation }: ConsoleClient, secret: string): ConsoleClient {
  return new ConsoleClient(new Browser(browser.origin), userId, organisation, { authorization: `Bearer ${secret}` })
}
