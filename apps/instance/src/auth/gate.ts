import type { Api } from '@cadmus/model/api/api'
import type { FastifyRequest } from 'fastify'
import { HttpError } from '../http-error.ts'
import type { Admitted, Need } from './admitted.ts'
import type { Credentials } from './credentials.ts'
import type { DirectoryTokens } from './directory-tokens.ts'
import type { Issuer } from './issuer.ts'
import type { DirectoryUser } from './user-directory.ts'

/** Who knows callers by what they show. */
export type Doors = {
  readonly credentials: Credentials
  readonly tokens: DirectoryTokens
  /** Null: the instance has none. */
  readonly issuer: Issuer | null
  /** Where callers reach the instance: what tokens are made for. */
  readonly publicUrl: () => URL
}

const anybody: Admitted = { name: 'anonymous', tenant: null, may: () => true }

type Guest = { readonly name: string; readonly tenant: string | null; readonly scopes: ReadonlySet<string> }

/**
 * The one gate of every call of a package, whatever its protocol: who calls, and whether they may. Throws an HttpError 401, 403, 429, or
 * 503 where it cannot be told.
 */
export function admit(doors: Doors, request: FastifyRequest, api: Api, need: Need): Admitted | Promise<Admitted> {
  if (api.security.kind === 'NONE') return anybody
  const guest = guestOf(doors, request, api)
  return guest instanceof Promise ? guest.then(one => admitted(api, one, need)) : admitted(api, guest, need)
}

function admitted(api: Api, { name, tenant, scopes }: Guest, need: Need): Admitted {
  const { security } = api
  const may = (other: Need) => other === 'any' || !security.rbac || hasScope(api, other, scopes)
  if (need !== 'any' && !may(need)) throw lacksScope(api, need)
  return { name, tenant, may }
}

/** The token of `Authorization: Bearer …`; null for any other header. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([\w.~+/=-]{1,16000}) *$/i.exec(authorization ?? '')?.[1] ?? null
}

function guestOf(doors: Doors, request: FastifyRequest, api: Api): Guest | Promise<Guest> {
  if (api.security.kind === 'BASIC') return guestByPassword(doors, request, api)
  const token = bearerToken(request.headers.authorization)
  if (token === null) throw unknown(api, 'Bearer', 'Show an access token to go on.')
  return api.security.identityProvider === 'CADMUS'
    ? issued(doors, token).then(guest => mustBeKnown(api, guest))
    : mustBeKnown(api, ofDirectory(doors.tokens.read(token, 'access')))
}

function mustBeKnown(api: Api, guest: Guest | undefined): Guest {
  if (guest !== undefined) return guest
  throw unknown(api, 'Bearer', 'The access token is not valid here, or no longer.', 'invalid_token')
}

async function guestByPassword({ credentials }: Doors, request: FastifyRequest, api: Api): Promise<Guest> {
  const shown = basicCredentials(request.headers.authorization)
  if (shown === null) throw unknown(api, 'Basic', 'Show a user name and password to go on.')
  const guest = ofDirectory(await credentials.verify(shown.name, shown.password, request.ip))
  if (guest === undefined) throw unknown(api, 'Basic', 'The user name or the password is wrong.')
  return guest
}

function basicCredentials(authorization: string | undefined): { name: string; password: string } | null {
  const encoded = /^Basic +([\w+/=-]{1,8000}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return name === undefined || password === undefined ? null : { name, password }
}

async function issued({ issuer, publicUrl }: Doors, token: string): Promise<Guest | undefined> {
  if (issuer === null) throw new HttpError(503, 'This instance has no identity provider.')
  return issuer.read(token, publicUrl())
}

const guests = new WeakMap<DirectoryUser, Guest>()

/** Made once for each state of a user. */
function ofDirectory(user: DirectoryUser | undefined): Guest | undefined {
  if (user === undefined) return undefined
  const known = guests.get(user) ?? { name: user.name, tenant: user.tenant, scopes: new Set(user.groups) }
  guests.set(user, known)
  return known
}

function hasScope(api: Api, need: Exclude<Need, 'any'>, scopes: ReadonlySet<string>): boolean {
  const accepted = acceptedScopes(api, need)
  return accepted.length === 0 || accepted.some(scope => scopes.has(scope))
}

function lacksScope(api: Api, need: Exclude<Need, 'any'>): HttpError {
  const accepted = acceptedScopes(api, need).slice(0, 20)
  return new HttpError(403, `This needs one of the scopes: ${accepted.join(', ')}.`, {
    'www-authenticate': challenge(api, 'Bearer', 'insufficient_scope'),
  })
}

const remembered = new WeakMap<Api, Map<string, readonly string[]>>()

/** The entity's own scopes for the operation and the global ones, any of which will do; none: whoever is known may. */
export function acceptedScopes(api: Api, { entity, operation }: Exclude<Need, 'any'>): readonly string[] {
  const known = remembered.get(api) ?? new Map<string, readonly string[]>()
  remembered.set(api, known)
  const key = `${operation} ${entity}`
  const found = known.get(key)
  if (found !== undefined) return found
  const own = api.entities.find(({ name }) => name === entity)?.operations[operation]?.scopes ?? []
  const all = [...own, ...api.security.globalScopes]
  known.set(key, all)
  return all
}

function unknown(api: Api, scheme: 'Basic' | 'Bearer', message: string, error?: string): HttpError {
  return new HttpError(401, message, { 'www-authenticate': challenge(api, scheme, error) })
}

/** A package's name has no sign that a header could not have. */
function challenge({ name }: Api, scheme: 'Basic' | 'Bearer', error?: string): string {
  const realm = `${scheme} realm="${name}"`
  if (scheme === 'Basic') return `${realm}, charset="UTF-8"`
  return error === undefined ? realm : `${realm}, error="${error}"`
}
