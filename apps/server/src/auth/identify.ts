import { foldName } from '@cadmus/model/paths'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { organisationByCode } from '../store/organisation.ts'
import { type SessionRow, sessionByTokenHash } from '../store/session.ts'
import { userById } from '../store/user.ts'
import { identifyBearer } from './bearer.ts'
import { cookieNames } from './session.ts'
import { organisationOf } from './organisation.ts'
import { permissionsOf } from './permissions.ts'
import { hashToken } from './tokens.ts'
import type { Organisation, Who } from './who.ts'

export type Identity = {
  who: Who
  /** Null for scripts. */
  session: SessionRow | null
  /** The organisation of that code when this user may work in it, else null. */
  mayWorkIn(context: Context, code: string): Promise<Organisation | null>
}

/** Who makes a request: by the token of a script or the cookie of the page; null when it shows neither or an ended session. */
export async function identify(context: Context, request: FastifyRequest): Promise<Identity | null> {
  const { authorization } = request.headers
  if (authorization !== undefined) return identifyBearer(context, authorization)
  const token = request.cookies[cookieNames.session]
  if (token === undefined || token === '') return null
  const { shared } = context.store
  const session = await sessionByTokenHash(shared, hashToken(token), new Date(context.now()).toISOString())
  const user = session === undefined ? undefined : await userById(shared, session.user_id)
  if (session === undefined || user === undefined) return null
  return {
    who: {
      userId: user.id,
      name: user.fullname,
      email: user.email,
      isAdmin: session.is_admin === 1,
      token: 'session',
      organisation: null,
    },
    session,
    mayWorkIn: (_context, code) => organisationOfSession(context, session, code),
  }
}

async function organisationOfSession(
  context: Context,
  session: SessionRow,
  code: string,
): Promise<Organisation | null> {
  const permissions = await permissionsOf(context, session)
  if (!permissions.some(({ oc, ng }) => ng > 0 && foldName(oc) === foldName(code))) return null
  const row = await organisationByCode(context.store.shared, code)
  return row === undefined ? null : organisationOf(row)
}
