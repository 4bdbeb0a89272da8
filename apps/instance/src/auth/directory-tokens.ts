import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { DirectoryUser, UserDirectory } from './user-directory.ts'

/** Seconds. */
const lifetimes = { access: 3600, refresh: 30 * 24 * 3600 }
type Kind = keyof typeof lifetimes

export type IssuedTokens = {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly refresh_token: string
  readonly expires_in: number
  /** The user's groups, which are the scopes. */
  readonly scope: string
}

const contentSchema = z.object({
  kind: z.enum(['access', 'refresh']),
  name: z.string(),
  expires: z.number(),
  print: z.string(),
})

type TokenContent = z.output<typeof contentSchema>

const maxCached = 10_000

/**
 * Tokens of the instance's users. They carry the name and the expiry, signed with an HMAC. Groups and password are
 * looked up at each use, so a token ends when its user is removed or gets another password. Tokens survive a restart.
 */
export class DirectoryTokens {
  readonly #users: UserDirectory
  readonly #key: Buffer
  readonly #now: () => number
  /** Content of tokens with a verified signature. */
  readonly #verified = new Map<string, TokenContent>()

  constructor(users: UserDirectory, key: Buffer, now: () => number) {
    this.#users = users
    this.#key = key
    this.#now = now
  }

  issue(user: DirectoryUser): IssuedTokens {
    return {
      access_token: this.#write('access', user),
      token_type: 'bearer',
      refresh_token: this.#write('refresh', user),
      expires_in: lifetimes.access,
      scope: user.groups.join(' '),
    }
  }

  /**
   * Returns the user of a token; undefined if the token is forged, expired, of the other kind, or its user has changed.
   */
  read(token: string, kind: Kind): DirectoryUser | undefined {
    const content = this.#contentOf(token)
    if (content?.kind !== kind || content.expires * 1000 <= this.#now()) return undefined
    const user = this.#users.find(content.name)
    return user !== undefined && printOf(user) === content.print ? user : undefined
  }

  #contentOf(token: string): TokenContent | undefined {
    const cached = this.#verified.get(token)
    if (cached !== undefined) return cached
    const [data = '', signature = '', ...rest] = token.split('.')
    if (rest.length > 0 || !timingSafeEqual(digest(signature), digest(this.#signatureOf(data)))) return undefined
    const { success, data: content } = contentSchema.safeParse(
      JSON.parse(Buffer.from(data, 'base64url').toString('utf8')),
    )
    if (!success) return undefined
    if (this.#verified.size >= maxCached) this.#verified.clear()
    this.#verified.set(token, content)
    return content
  }

  #write(kind: Kind, user: DirectoryUser): string {
    const expires = Math.floor(this.#now() / 1000) + lifetimes[kind]
    const content: TokenContent = { kind, name: user.name, expires, print: printOf(user) }
    const data = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${data}.${this.#signatureOf(data)}`
  }

  #signatureOf(data: string): string {
    return createHmac('sha256', this.#key).update(data).digest('base64url')
  }
}

const prints = new WeakMap<DirectoryUser, string>()

/** A fingerprint of the password hash. */
function printOf(user: DirectoryUser): string {
  const cached = prints.get(user) ?? createHash('sha256').update(user.hash).digest('base64url').slice(0, 16)
  prints.set(user, cached)
  return cached
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
