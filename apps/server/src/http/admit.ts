import { type Call, allowsOtherOrganisation, onlyReads, worksInOrganisation } from '@cadmus/model/contract/call'
import { isRecord } from '@cadmus/model/equal'
import { networkOf } from '@cadmus/model/rate-limit'
import { adminOrganisationHeader, organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { userIdQuery } from '@cadmus/model/contract/shared'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { identify } from '../auth/identify.ts'
import { type Caller, type Identity, type Organisation, organisationOfCode } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../store/user.ts'
import { ApiError, forbidden, notFound, unauthenticated } from '../errors/api-error.ts'
import { ifMatchOf } from './headers.ts'

/**
 * An admitted caller and organisation. `who` is null on public calls without a session; `isOtherOrganisation` marks an
 * administrator in an organisation that need not be their own.
 */
export type Admission = {
  who: Caller | null
  organisation: Organisation | null
  isOtherOrganisation: boolean
  session: SessionRow | null
  /**
   * Throws if the caller would no longer be admitted. Called again after the body has arrived, which can take any time.
   */
  recheck: () => Promise<void>
}

/**
 * The single gate of all calls, run before the body is read: rate, origin, identity, organisation and permission.
 * Handlers rely on it and check none of this again.
 */
export async function admit(context: Context, call: Call, request: FastifyRequest): Promise<Admission> {
  const identity = await identify(context, request).catch((error: unknown) => {
    // Invalid tokens cost a lookup too, so callers that try many are limited like any visitor.
    context.rates.requests.take(`address:${networkOf(request.ip)}`)
    throw error
  })
  limitRate(context, call, request, identity)
  // No stored text contains a NUL, and PostgreSQL rejects comparisons with one.
  if (request.url.includes('%00')) throw new ApiError(400, 'malformed', 'The URL contains a NUL character.')
  checkOrigin(context, call, request, identity)
  checkContentType(call, request)
  checkToken(call, request, identity)
  if (call.access === 'public') return admitToSignIn(context, request, identity)
  if (identity === null) throw unauthenticated()
  const { isOtherOrganisation, organisation } = await admitTo(context, call, request, identity)
  checkUserId(call, request, identity.who)
  if (call.concurrency === 'if-match' && ifMatchOf(request.headers) === undefined) {
    throw new ApiError(
      428,
      'base_required',
      'A save requires If-Match: the ETag of the state it is based on, or * to overwrite.',
    )
  }
  const who = { ...identity.who, organisation }
  const { session } = identity
  const recheck = async () => void (await admitTo(context, call, request, await identifyAgain(context, identity)))
  return { who, organisation, isOtherOrganisation, session, recheck }
}

/** Resolves the organisation of a call and checks the permission to work in it. */
async function admitTo(
  context: Context,
  call: Call,
  request: FastifyRequest,
  identity: Identity,
): Promise<Pick<Admission, 'isOtherOrganisation' | 'organisation'>> {
  const isOtherOrganisation = namesAnyOrganisation(call, request, identity.who)
  const organisation = isOutsideOrganisations(call, request)
    ? null
    : await (isOtherOrganisation ? admitToAnyOrganisation : admitToOrganisation)(context, request, identity)
  requireAdministrator(call, identity.who)
  return { isOtherOrganisation, organisation }
}

function limitRate(context: Context, call: Call, request: FastifyRequest, identity: Identity | null): void {
  if (call.id === 'signIn') context.rates.signIns.take(networkOf(request.ip))
  context.rates.requests.take(identity === null ? `address:${networkOf(request.ip)}` : `user:${identity.who.userId}`)
}

/**
 * Blocks forms and scripts of other sites. They cannot set custom headers, and browsers send the origin of a change.
 */
function checkOrigin(context: Context, call: Call, request: FastifyRequest, identity: Identity | null): void {
  // Browsers and forms never send these tokens by themselves.
  if (call.method === 'GET' || identity?.who.token === 'bootstrap' || identity?.who.token === 'personal') return
  const { origin, host } = request.headers
  if (origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).origin !== originOf(context, host)) {
    throw forbidden('Changes from another site are not accepted.', 'foreign_origin')
  }
}

/** The expected origin of our own pages under a host: the public address, or this machine without a proxy. */
function originOf({ publicUrl }: Context, host: string | undefined): string | null {
  if (host?.toLowerCase() === publicUrl.host) return publicUrl.origin
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).origin : null
}

/** Restrictions of a token that apply whatever its user may do. */
function checkToken(call: Call, request: FastifyRequest, identity: Identity | null): void {
  if (identity === null || identity.who.token === 'session') return
  // A personal token is bound to its organisation, so calls outside an organisation are not available to it.
  if (call.by === 'session' || (identity.who.token === 'personal' && !worksInOrganisation(call))) {
    throw forbidden('This call requires a signed-in session, not an access token.', 'session_required')
  }
  if (!identity.isReadOnly) return
  if (!onlyReads(call)) throw forbidden('This access token is read-only.', 'read_only')
}

function checkContentType(call: Call, request: FastifyRequest): void {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (call.files !== undefined && type !== 'multipart/form-data') {
    throw new ApiError(415, 'unsupported_media_type', 'This call requires a form (multipart/form-data).')
  }
  if (call.files === undefined && type !== '' && type !== 'application/json') {
    throw new ApiError(415, 'unsupported_media_type', 'This call requires JSON (application/json).')
  }
}

/** Identifies the caller again; throws 401 if the session or token has ended. */
async function identifyAgain(context: Context, identity: Identity): Promise<Identity> {
  const present = await identity.identifyAgain(context)
  if (present !== null) return present
  throw identity.who.token === 'session' ? unauthenticated() : unauthenticated('The access token is not valid.')
}

function admitToSignIn(context: Context, request: FastifyRequest, identity: Identity | null): Admission {
  if (request.headers[signInHeader.toLowerCase()] !== '1') {
    throw forbidden(`The header ${signInHeader}: 1 is missing.`, 'header_missing')
  }
  const [who, session] = [identity?.who ?? null, identity?.session ?? null]
  const recheck = async () => void (identity && (await identifyAgain(context, identity)))
  return { who, organisation: null, isOtherOrganisation: false, session, recheck }
}

/**
 * Administrators set up the console without an organisation. The sign-in header then proves that the request comes from
 * our page.
 */
function isOutsideOrganisations(call: Call, request: FastifyRequest): boolean {
  const { [organisationHeader.toLowerCase()]: code, [signInHeader.toLowerCase()]: own } = request.headers
  return call.access === 'console' && (code === undefined || code === '') && own === '1'
}

/** The only check of the administrator permission; routes do not repeat it. */
function requireAdministrator({ access }: Call, who: Caller): void {
  if ((access === 'admin' || access === 'console') && !who.isAdmin)
    throw forbidden('Only administrators may make this call.')
}

async function admitToOrganisation(
  context: Context,
  request: FastifyRequest,
  identity: Identity,
): Promise<Organisation> {
  const code = codeIn(request, organisationHeader) ?? ''
  if (code === '') throw forbidden(`The header ${organisationHeader} is missing.`, 'header_missing')
  const organisation = await identity.mayWorkIn(context, code)
  if (organisation === null) throw noSubscription(code)
  return organisation
}

/**
 * True if an administrator names any organisation. An empty header counts too: a change must not reach the caller's own
 * organisation because a header was lost.
 */
function namesAnyOrganisation(call: Call, request: FastifyRequest, who: Caller): boolean {
  if (!worksInOrganisation(call) || codeIn(request, adminOrganisationHeader) === undefined) return false
  if (!who.isAdmin) throw forbidden('Only an administrator may act in any organisation.')
  if (!allowsOtherOrganisation(call))
    throw forbidden('This call is available in your own organisations only.', 'foreign_organisation')
  return true
}

/** A personal access token is bound to its organisation; no header overrides that. */
async function admitToAnyOrganisation(
  context: Context,
  request: FastifyRequest,
  identity: Identity,
): Promise<Organisation> {
  const code = codeIn(request, adminOrganisationHeader) ?? ''
  const isBound = identity.who.token === 'personal'
  const organisation = await (isBound ? identity.mayWorkIn : organisationOfCode)(context, code)
  if (organisation !== null) return organisation
  throw isBound ? noSubscription(code) : notFound('The organisation')
}

function noSubscription(code: string): ApiError {
  return forbidden(`You have no subscription in the organisation ${code.slice(0, 60)}.`, 'no_subscription')
}

/** Rejects a repeated header: the choice between its values would be arbitrary. */
function codeIn(request: FastifyRequest, header: string): string | undefined {
  const [code, ...others] = request.raw.headersDistinct[header.toLowerCase()] ?? []
  if (others.length > 0) throw new ApiError(400, 'malformed', `The header ${header} is sent more than once.`)
  return code
}

/** Compares the schema too: in log calls `userId` is a filter and not the caller. */
function checkUserId(call: Call, request: FastifyRequest, who: Caller): void {
  const parameter = declaredParameter(call, request, 'userId', userIdQuery)
  if (parameter && parameter.value !== who.userId)
    throw forbidden('userId must be the id of the signed-in user.', 'foreign_user')
}

/** Returns the query parameter if the call declares it with this very schema; undefined if not declared or not sent. */
function declaredParameter<N extends string>(
  { query: declared }: Call,
  { query }: FastifyRequest,
  name: N,
  { shape }: z.ZodObject<Record<N, z.ZodType>>,
): { value: unknown } | undefined {
  if (!(declared instanceof z.ZodObject) || declared.shape[name] !== shape[name]) return undefined
  return isRecord(query) && Object.hasOwn(query, name) ? { value: query[name] } : undefined
}
