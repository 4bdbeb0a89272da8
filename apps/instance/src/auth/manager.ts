import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError } from '../http-error.ts'
import type { DirectoryTokens } from './directory-tokens.ts'
import { bearerToken } from './gate.ts'
import { administrators } from './user-directory.ts'

export type ManagerDoors = {
  readonly tokens: DirectoryTokens
  /** What a console shows that manages this instance; null: none does. */
  readonly consoleSecret: string | null
}

/** Who manages the instance: a console by its secret, or an administrator of the user directory. Throws 401 or 403. Answers the name for the log. */
export function admitManager({ tokens, consoleSecret }: ManagerDoors, authorization: string | undefined): string {
  const token = bearerToken(authorization)
  if (token === null) throw unknown('Show an access token to go on.', '')
  if (consoleSecret !== null && isSame(token, consoleSecret)) return 'console'
  const user = tokens.read(token, 'access')
  if (user === undefined) throw unknown('The access token is not valid here, or no longer.', ', error="invalid_token"')
  if (user.groups.includes(administrators)) return user.name
  throw new HttpError(403, `Only users in the group '${administrators}' may manage this instance.`)
}

function unknown(message: string, error: string): HttpError {
  return new HttpError(401, message, { 'www-authenticate': `Bearer realm="cadmus-instance"${error}` })
}

/** Compares in a time that does not tell how much was right. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
