import type { FastifyRequest } from 'fastify'
import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { isoTime } from '../clock.ts'
import type { Context } from '../context.ts'
import { ApiError, forbidden, unauthenticated } from '../errors/api-error.ts'
import { organisationByCode } from '../store/organisation.ts'
import {
  openSession,
  type PersonalTokenRow,
  recordTokenUse,
  sessionByTokenHash,
  type SessionRow,
  userById,
  type UserRow,
  validTokenByHash,
} from '../store/user.ts'
import { bearerToken, bootstrapIdentity, isBootstrapToken } from './bearer.ts'
import { type Identity, type Organisation, organisationOf, organisationOfCode, permissionsOf } from './caller.ts'
import { cookieNames, hashToken, isPersonalToken } from './session.ts'

/**
 * Identifies the caller by bearer token or session cookie. Null without either, or with the cookie of an ended session.
 */
export async function identify(context: Context, request: FastifyRequest): Promise<Identity | null> {
  const { authorization } = request.headers
  rejectRepeatedHeader(request)
  if (authorization !== undefined) return identifyScript(context, authorization)
  const token = request.cookies[cookieNames.session]
  return token === undefined || token === '' ? null : identifySession(context, token)
}

/** With several headers, a proxy in front may have checked a different one. */
function rejectRepeatedHeader({ raw: { rawHeaders } }: FastifyRequest): void {
  const result = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization')
  if (result.length > 1) throw new ApiError(400, 'malformed', 'The request has more than one Authorization header.')
}

/** The only dispatch over bearer token kinds. An invalid token is an error, never an anonymous caller. */
async function identifyScript(context: Context, authorization: string): Promise<Identity> {
  const token = bearerToken(authorization)
  if (isBootstrapToken(context, token)) return bootstrapIdentity
  const identity =
    token === null ? null : ((await identifyPersonal(context, token)) ?? (await identifySession(context, token)))
  if (identity === null) throw unauthenticated('The access token is not valid.')
  return identity
}

async function identifySession(context: Context, token: string): Promise<Identity | null> {
  const { shared } = context.store
  const session = await sessionByTokenHash(shared, hashToken(token), new Date(context.now()).toISOString())
  return session === undefined ? null : identityOf(context, session)
}

async function identityOf(context: Context, session: SessionRow): Promise<Identity | null> {
  const { shared } = context.store
  const user = await userById(shared, session.user_id)
  if (user === undefined) return null
  return {
    who: {
      userId: user.id,
      name: user.fullname,
      email: user.email,
      isAdmin: session.is_admin === 1,
      token: 'session',
      personalToken: null,
      organisation: null,
    },
    session,
    isReadOnly: false,
    mayWorkIn: (_context, code) => organisationOfSession(context, session, code),
    // The session is opened by id, because a concurrent renewal replaces the tokens.
    identifyAgain: async () => {
      const present = await openSession(shared, session.id)
      return present === undefined ? null : identityOf(context, present)
    },
  }
}

async function organisationOfSession(
  context: Context,
  session: SessionRow,
  code: string,
): Promise<Organisation | null> {
  const permissions = await permissionsOf(context, session)
  if (!permissions.some(({ oc, ng }) => ng > 0 && foldName(oc) === foldName(code))) return null
  return organisationOfCode(context, code)
}

/**
 * Returns the user of a personal access token; null if it is unknown, expired or revoked, or its user was deleted.
 * Permissions are current at each use: memberships, or the provider's claims from the user's last sign-in or renewal.
 */
async function identifyPersonal(context: Context, secret: string): Promise<Identity | null> {
  if (!isPersonalToken(secret)) return null
  const { shared } = context.store
  const token = await validTokenByHash(shared, hashToken(secret), isoTime(context, 0))
  const user = token === undefined ? undefined : await userById(shared, token.user_id)
  if (token === undefined || user === undefined) return null
  recordUse(context, token)
  const isReadOnly = token.access !== 'read-write'
  return {
    who: {
      userId: user.id,
      name: user.fullname,
      email: user.email,
      isAdmin: token.is_admin === 1 && user.is_admin === 1,
      token: 'personal',
      personalToken: { id: token.id, name: token.name, isReadOnly },
      organisation: null,
    },
    session: null,
    isReadOnly,
    mayWorkIn: (_context, code) => organisationOfToken(context, token, user, code),
    identifyAgain: async () => identifyPersonal(context, secret),
  }
}

async function organisationOfToken(
  context: Context,
  token: PersonalTokenRow,
  user: UserRow,
  code: string,
): Promise<Organisation | null> {
  const row = await organisationByCode(context.store.shared, code)
  if (row?.id !== token.organisation_id) {
    throw forbidden('This access token is for another organisation.', 'foreign_organisation')
  }
  const permissions = await permissionsOf(context, { permissions: user.permissions, user_id: user.id })
  return permissions.some(({ oc, ng }) => ng > 0 && foldName(oc) === row.code_folded) ? organisationOf(row) : null
}

/** Runs in the background: a read request must neither fail nor wait because the store accepts no writes. */
function recordUse(context: Context, token: PersonalTokenRow): void {
  const since = isoTime(context, -limits.token.useInterval)
  if (token.last_used_at !== null && token.last_used_at > since) return
  recordTokenUse(context.store.shared, token.id, { now: isoTime(context, 0), since }).catch((error: unknown) => {
    context.log.warn({ err: error, token: token.id }, 'failed to record the use of an access token')
  })
}
