import type { Api } from '@cadmus/model/api/api'
import { admits, type Requirement, requirementOf, scopesIn } from '@cadmus/model/required-scopes'
import type { FastifyRequest } from 'fastify'
import { HttpError } from '../http-error.ts'
import type { Admitted, Need } from './admitted.ts'
import type { Credentials } from './credentials.ts'
import type { DirectoryTokens } from './directory-tokens.ts'
import type { Issuer } from './issuer.ts'
import type { DirectoryUser } from './user-directory.ts'

/** The authenticators of callers. */
export type Authenticators = {
  readonly credentials: Credentials
  readonly tokens: DirectoryTokens
  /** Null: no issuer is configured. */
  readonly issuer: Issuer | null
  /** The address of the instance, which is the audience of tokens. */
  readonly publicUrl: () => URL
}

const anonymous: Admitted = { name: 'anonymous', tenant: null, may: () => true }

type Principal = { readonly name: string; readonly tenant: string | null; readonly scopes: ReadonlySet<string> }

/**
 * Authenticates and authorises a call of a package, for every protocol. Throws an `HttpError` 401, 403, 429, or 503 if
 * the issuer is unavailable.
 */
export function admit(
  authenticators: Authenticators,
  request: FastifyRequest,
  api: Api,
  need: Need,
): Admitted | Promise<Admitted> {
  if (api.security.kind === 'NONE') return anonymous
  const principal = principalOf(authenticators, request, api)
  return principal instanceof Promise
    ? principal.then(one => authorise(api, one, need))
    : authorise(api, principal, need)
}

function authorise(api: Api, { name, tenant, scopes }: Principal, need: Need): Admitted {
  const may = (other: Need) => other === 'any' || admits(requirementIn(api, other), scopes)
  if (need !== 'any' && !may(need)) throw missingScope(api, need)
  return { name, tenant, may }
}

/** The token of `Authorization: Bearer …`; null for any other header. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([\w.~+/=-]{1,16000}) *$/i.exec(authorization ?? '')?.[1] ?? null
}

function principalOf(
  authenticators: Authenticators,
  request: FastifyRequest,
  api: Api,
): Principal | Promise<Principal> {
  if (api.security.kind === 'BASIC') return principalByPassword(authenticators, request, api)
  const token = bearerToken(request.headers.authorization)
  if (token === null) throw unauthenticated(api, 'Bearer', 'Send an access token.')
  return api.security.identityProvider === 'CADMUS'
    ? principalByIssuer(authenticators, token).then(principal => requirePrincipal(api, principal))
    : requirePrincipal(api, directoryPrincipal(authenticators.tokens.read(token, 'access')))
}

function requirePrincipal(api: Api, principal: Principal | undefined): Principal {
  if (principal !== undefined) return principal
  throw unauthenticated(api, 'Bearer', 'The access token is invalid or has expired.', 'invalid_token')
}

async function principalByPassword(
  { credentials }: Authenticators,
  request: FastifyRequest,
  api: Api,
): Promise<Principal> {
  const login = basicCredentials(request.headers.authorization)
  if (login === null) throw unauthenticated(api, 'Basic', 'Send a user name and a password.')
  const principal = directoryPrincipal(await credentials.verify(login.name, login.password, request.ip))
  if (principal === undefined) throw unauthenticated(api, 'Basic', 'The user name or the password is wrong.')
  return principal
}

function basicCredentials(authorization: string | undefined): { name: string; password: string } | null {
  const encoded = /^Basic +([\w+/=-]{1,8000}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return name === undefined || password === undefined ? null : { name, password }
}

async function principalByIssuer({ issuer, publicUrl }: Authenticators, token: string): Promise<Principal | undefined> {
  if (issuer === null) throw new HttpError(503, 'This instance has no identity provider.')
  return issuer.read(token, publicUrl())
}

const principals = new WeakMap<DirectoryUser, Principal>()

/** Cached by user. */
function directoryPrincipal(user: DirectoryUser | undefined): Principal | undefined {
  if (user === undefined) return undefined
  const cached = principals.get(user) ?? { name: user.name, tenant: user.tenant, scopes: new Set(user.groups) }
  principals.set(user, cached)
  return cached
}

function missingScope(api: Api, need: Exclude<Need, 'any'>): HttpError {
  const accepted = acceptedScopes(api, need).slice(0, 20)
  return new HttpError(403, `This operation requires one of the scopes: ${accepted.join(', ')}.`, {
    'www-authenticate': challenge(api, 'Bearer', 'insufficient_scope'),
  })
}

/** The scopes one of which is enough; empty if every authenticated caller is admitted. */
export function acceptedScopes(api: Api, need: Exclude<Need, 'any'>): readonly string[] {
  return scopesIn(requirementIn(api, need)) ?? []
}

const requirements = new WeakMap<Api, Map<string, Requirement>>()

function requirementIn(api: Api, { entity, operation }: Exclude<Need, 'any'>): Requirement {
  const cached = requirements.get(api) ?? new Map<string, Requirement>()
  requirements.set(api, cached)
  const key = `${operation} ${entity}`
  const known = cached.get(key)
  if (known !== undefined) return known
  const own = api.entities.find(({ name }) => name === entity)?.operations[operation]?.scopes ?? []
  const requirement = requirementOf(api.security, own)
  cached.set(key, requirement)
  return requirement
}

function unauthenticated(api: Api, scheme: 'Basic' | 'Bearer', message: string, error?: string): HttpError {
  return new HttpError(401, message, { 'www-authenticate': challenge(api, scheme, error) })
}

/** Package names need no escaping in headers. */
function challenge({ name }: Api, scheme: 'Basic' | 'Bearer', error?: string): string {
  const realm = `${scheme} realm="${name}"`
  if (scheme === 'Basic') return `${realm}, charset="UTF-8"`
  return error === undefined ? realm : `${realm}, error="${error}"`
}
