import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeWhole } from '../data-dir.ts'
import { hashPassword } from './passwords.ts'

/** Somebody whom the instance knows itself. The groups are the scopes that the user has; `administrators` may manage the instance. */
export type DirectoryUser = {
  readonly name: string
  readonly hash: string
  readonly groups: readonly string[]
  /** Whose records the user sees where a package keeps tenants apart; null: none's. */
  readonly tenant: string | null
}

export const administrators = 'administrators'

/** What a user may be called; sentences name it. */
export const userNameRule = 'A user name has 1 to 100 characters and neither a colon, a space nor a control character.'

export function isUserName(name: string): boolean {
  return /^[^\p{C}\s:]{1,100}$/u.test(name)
}

export const passwordRule = 'A password has 8 to 1000 characters.'

export function isGoodPassword(password: string): boolean {
  const { length } = Array.from(password)
  return length >= 8 && length <= 1000
}

/** Milliseconds within which a change of the file by somebody else is seen. */
const glance = 500

/**
 * The users in a file of lines `name:scrypt-hash:groups:tenant`, which the command `npm run instance:user` and an administration call
 * write. A change by either is seen by the running instance at once.
 */
export class UserDirectory {
  readonly #file: string
  #users: ReadonlyMap<string, DirectoryUser> = new Map()
  #state = ''
  #looked = -Infinity

  constructor(file: string) {
    this.#file = file
  }

  find(name: string): DirectoryUser | undefined {
    this.#refresh(glance)
    return this.#users.get(name)
  }

  /** By name. */
  list(): DirectoryUser[] {
    this.#refresh(0)
    return [...this.#users.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Adds a user, or gives one that is there another password, groups and tenant. */
  async save(user: Omit<DirectoryUser, 'hash'>, password: string): Promise<void> {
    const hash = await hashPassword(password)
    this.#change(users => users.set(user.name, { ...user, hash }))
  }

  /** Whether there was one. */
  remove(name: string): boolean {
    let wasThere = false
    this.#change(users => (wasThere = users.delete(name)))
    return wasThere
  }

  #change(change: (users: Map<string, DirectoryUser>) => unknown): void {
    this.#refresh(0)
    const users = new Map(this.#users)
    change(users)
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    writeWhole(this.#file, [...users.values()].map(line).join(''))
    this.#refresh(0)
  }

  #refresh(patience: number): void {
    const now = performance.now()
    if (now - this.#looked < patience) return
    this.#looked = now
    const state = stateOf(this.#file)
    if (state === this.#state) return
    this.#users = new Map(existsSync(this.#file) ? readUsers(readFileSync(this.#file, 'utf8')) : [])
    this.#state = state
  }
}

function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? '' : `${found.ino} ${found.mtimeNs} ${found.size}`
}

/** Lines that are none are passed over: one mistake locks nobody else out. */
function readUsers(text: string): [string, DirectoryUser][] {
  return text.split('\n').flatMap(row => {
    const [name = '', hash = '', groups = '', tenant = ''] = row.trim().split(':')
    if (!isUserName(name) || hash === '') return []
    const known = groups.split(',').filter(group => group !== '')
    const user = { name, hash, groups: known.map(unescaped), tenant: tenant === '' ? null : unescaped(tenant) }
    return [[name, user]]
  })
}

function line({ name, hash, groups, tenant }: DirectoryUser): string {
  return `${[name, hash, groups.map(escaped).join(','), escaped(tenant ?? '')].join(':')}\n`
}

/** Scopes often have colons: what separates, and lines, are written as addresses have them. */
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
