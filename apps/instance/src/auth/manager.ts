import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError } from '../http-error.ts'
import type { DirectoryTokens } from './directory-tokens.ts'
import { bearerToken } from './gate.ts'
import { administrators } from './user-directory.ts'

export type ManagerAuthenticators = {
  readonly tokens: DirectoryTokens
  /** The secret of the console that manages this instance; null without one. */
  readonly consoleSecret: string | null
}

/** Admits the console by its secret or an administrator by token. Throws 401 or 403. Returns the name for the log. */
export function admitManager(
  { tokens, consoleSecret }: ManagerAuthenticators,
  authorization: string | undefined,
): string {
  const token = bearerToken(authorization)
  if (token === null) throw unauthenticated('Send an access token.', '')
  if (consoleSecret !== null && isSame(token, consoleSecret)) return 'console'
  const user = tokens.read(token, 'access')
  if (user === undefined)
    throw unauthenticated('The access token is invalid or has expired.', ', error="invalid_token"')
  if (user.groups.includes(administrators)) return user.name
  throw new HttpError(403, `Only users in the group '${administrators}' may manage this instance.`)
}

function unauthenticated(message: string, error: string): HttpError {
  return new HttpError(401, message, { 'www-authenticate': `Bearer realm="cadmus-instance"${error}` })
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
