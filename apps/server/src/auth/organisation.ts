import type { Context } from '../context.ts'
import { organisationByCode, type OrganisationRow } from '../store/organisation.ts'
import type { Organisation } from './caller.ts'

export function organisationOf(row: OrganisationRow): Organisation {
  return { id: row.id, code: row.code, name: row.name, limits: row.licence_limits }
}

/** Returns the organisation with this code, regardless of permissions; null if there is none. */
export async function organisationOfCode(context: Context, code: string): Promise<Organisation | null> {
  const row = await organisationByCode(context.store.shared, code)
  return row === undefined ? null : organisationOf(row)
}
