import { foldName } from '@cadmus/model/paths'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError, unauthenticated } from '../errors/api-error.ts'
import { openSession, sessionByTokenHash, type SessionRow, userById } from '../store/user.ts'
import { bearerToken, bootstrapIdentity, isBootstrapToken } from './bearer.ts'
import { type Identity, type Organisation, organisationOfCode, permissionsOf } from './caller.ts'
import { identifyPersonal } from './personal-token.ts'
import { cookieNames, hashToken } from './session.ts'

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
