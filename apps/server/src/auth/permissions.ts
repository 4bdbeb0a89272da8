import { permissionSchema } from '@cadmus/model/contract/sso'
import * as z from 'zod'
import type { Context } from '../context.ts'
import type { SessionRow } from '../store/session.ts'
import { membershipsOf } from '../store/membership.ts'
import type { Permission } from './caller.ts'

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
