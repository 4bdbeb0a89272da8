import * as z from 'zod'
import { type Permission, permissionSchema } from '@cadmus/model/contract/sso'
import type { Context } from '../context.ts'
import { membershipsOf } from '../store/membership.ts'
import { organisationByCode, type OrganisationRow } from '../store/organisation.ts'
import type { SessionRow } from '../store/user.ts'

/** The organisation of a request. Id 0 is the library and no tenant. */
export type Organisation = { id: number; code: string; name: string; limits: string }

/** An authenticated caller. */
export type Caller = {
  /** As on the wire and in the audit; 'bootstrap' for the built-in administrator. */
  userId: string
  /** Full name, as shown in the audit. */
  name: string
  email: string
  isAdmin: boolean
  /** The kind of credential. */
  token: 'session' | 'bootstrap' | 'personal'
  /** Null unless authenticated with a personal access token. */
  personalToken: { id: number; name: string; isReadOnly: boolean } | null
  /** Null for calls outside an organisation. */
  organisation: Organisation | null
}

/** The caller before the organisation is resolved. */
export type Identity = {
  who: Caller
  /** Null for the built-in administrator and for personal access tokens. */
  session: SessionRow | null
  isReadOnly: boolean
  /** Returns the organisation with this code if the user may work in it, else null. */
  mayWorkIn: (context: Context, code: string) => Promise<Organisation | null>
  /**
   * Identifies the caller again, with current permissions; null if the session or token was revoked. Needed because
   * bodies may take long to arrive.
   */
  identifyAgain: (context: Context) => Promise<Identity | null>
}

export function organisationOf(row: OrganisationRow): Organisation {
  return { id: row.id, code: row.code, name: row.name, limits: row.licence_limits }
}

/** Returns the organisation with this code, regardless of permissions; null if there is none. */
export async function organisationOfCode(context: Context, code: string): Promise<Organisation | null> {
  const row = await organisationByCode(context.store.shared, code)
  return row === undefined ? null : organisationOf(row)
}

export const permissionsSchema = z.array(permissionSchema).max(10_000)

/**
 * Returns the provider's permissions from the sign-in, or the locally stored memberships if the provider sends none.
 */
export async function permissionsOf(
  context: Context,
  session: Pick<SessionRow, 'permissions' | 'user_id'>,
): Promise<Permission[]> {
  if (session.permissions !== null) return permissionsSchema.parse(JSON.parse(session.permissions))
  const memberships = await membershipsOf(context.store.shared, session.user_id)
  return memberships.map(({ code, name, subscription }) => ({ oc: code, on: name, ng: subscription }))
}
