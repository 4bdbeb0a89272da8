import type { OrganisationRow } from '../store/organisation.ts'
import type { Organisation } from './who.ts'

export function organisationOf(row: OrganisationRow): Organisation {
  return { id: row.id, code: row.code, name: row.name, limits: row.licence_limits }
}
