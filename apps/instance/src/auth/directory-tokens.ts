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

const content = z.object({
  kind: z.enum(['access', 'refresh']),
  name: z.string(),
  expires: z.number(),
  print: z.string(),
})

type Told = z.output<typeof content>

const keptAtMost = 10_000

/**
 * Tokens of the instance's own users. They carry who it is and how long, sealed by an HMAC; what the user may is asked of the directory
 * at each use, so that who is removed or gets another password has none any more. They outlive a restart.
 */
export class DirectoryTokens {
  readonly #users: UserDirectory
  readonly #key: Buffer
  readonly #now: () => number
  /** What tokens tell whose seal was found right. */
  readonly #known = new Map<string, Told>()

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

  /** Whose token it is; undefined for one that is not ours, is over, of the other kind, or whose user has changed since. */
  read(token: string, kind: Kind): DirectoryUser | undefined {
    const told = this.#toldBy(token)
    if (told?.kind !== kind || told.expires * 1000 <= this.#now()) return undefined
    const user = this.#users.find(told.name)
    return user !== undefined && printOf(user) === told.print ? user : undefined
  }

  #toldBy(token: string): Told | undefined {
    const known = this.#known.get(token)
    if (known !== undefined) return known
    const [data = '', seal = '', ...rest] = token.split('.')
    if (rest.length > 0 || !timingSafeEqual(digest(seal), digest(this.#sealOf(data)))) return undefined
    const { success, data: told } = content.safeParse(JSON.parse(Buffer.from(data, 'base64url').toString('utf8')))
    if (!success) return undefined
    if (this.#known.size >= keptAtMost) this.#known.clear()
    this.#known.set(token, told)
    return told
  }

  #write(kind: Kind, user: DirectoryUser): string {
    const expires = Math.floor(this.#now() / 1000) + lifetimes[kind]
    const told: Told = { kind, name: user.name, expires, print: printOf(user) }
    const data = Buffer.from(JSON.stringify(told)).toString('base64url')
    return `${data}.${this.#sealOf(data)}`
  }

  #sealOf(data: string): string {
    return createHmac('sha256', this.#key).update(data).digest('base64url')
  }
}

const prints = new WeakMap<DirectoryUser, string>()

/** Another password has another one. */
function printOf(user: DirectoryUser): string {
  const known = prints.get(user) ?? createHash('sha256').update(user.hash).digest('base64url').slice(0, 16)
  prints.set(user, known)
  return known
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
