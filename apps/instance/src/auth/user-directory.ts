import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAtomically } from '../data-dir.ts'

/** The cost of one hash: 16 MB and about a tenth of a second. Stored hashes carry their own parameters. */
const cost = { N: 16_384, r: 8, p: 5 }
const length = 32

/** Returns `scrypt$N$r$p$salt$hash` with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await deriveKey(password, salt, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Compares in constant time. Returns false for a malformed hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{8,100})\$([\w-]{43})$/.exec(stored)
  if (parts === null) return false
  const [, N, r, p, salt = '', hash = ''] = parts
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  return timingSafeEqual(await deriveKey(password, Buffer.from(salt, 'base64url'), parameters), expected)
}

function deriveKey(password: string, salt: Buffer, parameters: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 64 * 1024 * 1024
  return new Promise((resolve, reject) => {
    // Unicode normalisation: keyboards compose characters differently.
    scrypt(password.normalize('NFC'), salt, length, { ...parameters, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** A user of the instance. Groups are scopes; members of `administrators` may manage the instance. */
export type DirectoryUser = {
  readonly name: string
  readonly hash: string
  readonly groups: readonly string[]
  /** The tenant whose records the user sees in packages with multi-tenancy; null: none. */
  readonly tenant: string | null
}

export const administrators = 'administrators'

export const userNameRule = 'A user name must have 1 to 100 characters, without colons, spaces or control characters.'

export function isUserName(name: string): boolean {
  return /^[^\p{C}\s:]{1,100}$/u.test(name)
}

export const passwordRule = 'A password must have 8 to 1000 characters.'

export function isGoodPassword(password: string): boolean {
  const { length } = Array.from(password)
  return length >= 8 && length <= 1000
}

/** Minimum interval between checks of the file for external changes, in milliseconds. */
const checkInterval = 500

/**
 * The users of the instance, in a file of lines `name:scrypt-hash:groups:tenant`. It is written by `npm run
 * instance:user` and by management calls, and reread when it changes.
 */
export class UserDirectory {
  readonly #file: string
  #users: ReadonlyMap<string, DirectoryUser> = new Map()
  #state = ''
  #checkedAt = -Infinity

  constructor(file: string) {
    this.#file = file
  }

  find(name: string): DirectoryUser | undefined {
    this.#refresh(checkInterval)
    return this.#users.get(name)
  }

  /** Sorted by name. */
  list(): DirectoryUser[] {
    this.#refresh(0)
    return [...this.#users.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Adds a user or replaces an existing one. */
  async save(user: Omit<DirectoryUser, 'hash'>, password: string): Promise<void> {
    const hash = await hashPassword(password)
    this.#change(users => users.set(user.name, { ...user, hash }))
  }

  /** Returns whether the user existed. */
  remove(name: string): boolean {
    let existed = false
    this.#change(users => (existed = users.delete(name)))
    return existed
  }

  #change(change: (users: Map<string, DirectoryUser>) => unknown): void {
    this.#refresh(0)
    const users = new Map(this.#users)
    change(users)
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    writeAtomically(this.#file, [...users.values()].map(line).join(''))
    this.#refresh(0)
  }

  #refresh(maxAge: number): void {
    const now = performance.now()
    if (now - this.#checkedAt < maxAge) return
    this.#checkedAt = now
    const state = stateOf(this.#file)
    if (state === this.#state) return
    this.#users = new Map(existsSync(this.#file) ? readUsers(readFileSync(this.#file, 'utf8')) : [])
    this.#state = state
  }
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs} ${stats.size}`
}

/** Malformed lines are skipped, so that one mistake does not lock out all users. */
function readUsers(text: string): [string, DirectoryUser][] {
  return text.split('\n').flatMap(row => {
    const [name = '', hash = '', groups = '', tenant = ''] = row.trim().split(':')
    if (!isUserName(name) || hash === '') return []
    const groupNames = groups.split(',').filter(group => group !== '')
    const user = { name, hash, groups: groupNames.map(unescaped), tenant: tenant === '' ? null : unescaped(tenant) }
    return [[name, user]]
  })
}

function line({ name, hash, groups, tenant }: DirectoryUser): string {
  return `${[name, hash, groups.map(escaped).join(','), escaped(tenant ?? '')].join(':')}\n`
}

/** Percent-encodes separators and white space. */
function escaped(text: string): string {
  return text.replaceAll(/[%:,\s]/g, sign =>
    encodeURIComponent(sign) === sign ? `%${sign.charCodeAt(0).toString(16)}` : encodeURIComponent(sign),
  )
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
