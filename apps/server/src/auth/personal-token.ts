import { foldName } from '@cadmus/model/paths'
import { limits } from '@cadmus/model/limits'
import type { Context } from '../context.ts'
import { forbidden } from '../errors/api-error.ts'
import { organisationByCode } from '../store/organisation.ts'
import { type PersonalTokenRow, recordTokenUse, userById, type UserRow, validTokenByHash } from '../store/user.ts'
import { type Identity, type Organisation, organisationOf, permissionsOf } from './caller.ts'
import { hashToken, isoTime, isPersonalToken } from './session.ts'

/**
 * Returns the user of a personal access token; null if it is unknown, expired or revoked, or its user was deleted.
 * Permissions are current at each use: memberships, or the provider's claims from the user's last sign-in or renewal.
 */
export async function identifyPersonal(context: Context, secret: string): Promise<Identity | null> {
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
