import { isEqual } from '@cadmus/model/equal'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db } from '../../store/database.ts'
import type { OrganisationRow } from '../../store/organisation.ts'
import { fieldsOf, type OrganisationFields } from './organisation-fields.ts'

/** Limit of log entries to search. */
const maxEntries = 200

type Author = { who: string; when: string }
const nobody: Author = { who: '', when: '' }

/**
 * Author and time of the current value by field. Empty if the identity provider set it, which writes no entry, or if the log does not reach
 * back.
 */
export async function fieldAuthors(
  db: Db,
  row: OrganisationRow,
  fields: readonly (keyof OrganisationFields)[],
): Promise<(field: keyof OrganisationFields) => Author> {
  const authors = new Map<keyof OrganisationFields, Author>()
  const present = fieldsOf(row)
  let after = row.licence_limits
  for await (const { at: when, user_name: who, name, restoration } of changesOf(db, row.id)) {
    if (!restoration.organisation) continue
    const [was, is] = [fieldsOf(restoration.organisation), fieldsOf({ name, licence_limits: after })]
    for (const field of fields) {
      const isThis = !isEqual(was[field], is[field]) && isEqual(is[field], present[field])
      if (isThis && !authors.has(field)) authors.set(field, { who, when })
    }
    if (authors.size === fields.length) break
    after = restoration.organisation.licence_limits
  }
  return field => authors.get(field) ?? nobody
}

/** Author and time of the last change of a membership. */
export async function memberAuthor(db: Db, organisationId: number, userId: string): Promise<Author> {
  for await (const { at: when, user_name: who, restoration } of changesOf(db, organisationId)) {
    const { put, drop } = restoration.memberships ?? { put: [], drop: [] }
    if (drop.includes(userId) || put.some(({ user_id }) => user_id === userId)) return { who, when }
  }
  return nobody
}

async function* changesOf(db: Db, organisationId: number) {
  let read = 0
  for await (const entry of restorationsOf(db, organisationId, organisationId, 'organisation')) {
    yield entry
    if (++read === maxEntries) return
  }
}
