import { isEqual } from '@cadmus/model/equal'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db } from '../../store/database.ts'
import type { OrganisationRow } from '../../store/organisation.ts'
import { fieldsOf, type OrganisationFields } from './organisation-fields.ts'

type Whose = { who: string; when: string }
const nobody: Whose = { who: '', when: '' }

/** Of each of the fields who gave it the value that it has, and when. Nobody where that was the provider, which changes names without an entry. */
export async function whoChangedFields(
  db: Db,
  row: OrganisationRow,
  fields: readonly (keyof OrganisationFields)[],
): Promise<(field: keyof OrganisationFields) => Whose> {
  const found = new Map<keyof OrganisationFields, Whose>()
  const present = fieldsOf(row)
  let after = row.licence_limits
  for (const { at: when, user_name: who, name, restoration } of await restorationsOf(
    db,
    row.id,
    row.id,
    'organisation',
  )) {
    if (!restoration.organisation) continue
    const [was, is] = [fieldsOf(restoration.organisation), fieldsOf({ name, licence_limits: after })]
    for (const field of fields) {
      const isThis = !isEqual(was[field], is[field]) && isEqual(is[field], present[field])
      if (isThis && !found.has(field)) found.set(field, { who, when })
    }
    after = restoration.organisation.licence_limits
  }
  return field => found.get(field) ?? nobody
}

/** Who changed that user's membership last, and when. */
export async function whoChangedMember(db: Db, organisationId: number, userId: string): Promise<Whose> {
  const entries = await restorationsOf(db, organisationId, organisationId, 'organisation')
  const entry = entries.find(({ restoration: { memberships } }) => {
    return memberships?.drop.includes(userId) || memberships?.put.some(({ user_id }) => user_id === userId)
  })
  return entry ? { who: entry.user_name, when: entry.at } : nobody
}
