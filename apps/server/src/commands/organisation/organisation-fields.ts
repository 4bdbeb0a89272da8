import { isEqual } from '@cadmus/model/equal'
import { type Licence, parseLicence, writeLicence } from '@cadmus/model/licence'
import { createHash } from 'node:crypto'
import type { OrganisationRow } from '../../store/organisation.ts'

export type OrganisationFields = Licence & { name: string }
const fieldNames = [
  'name',
  'manifestLimit',
  'rest',
  'graphql',
  'databaseTypes',
] as const satisfies readonly (keyof OrganisationFields)[]

type Row = Pick<OrganisationRow, 'name' | 'licence_limits'>

export function fieldsOf({ name, licence_limits }: Row): OrganisationFields {
  return { name, ...parseLicence(licence_limits) }
}

/** The row with these fields; other parts of the licence text are unchanged. */
export function rowWith(row: Row, fields: OrganisationFields): Row {
  return { name: fields.name, licence_limits: writeLicence(row.licence_limits, fields) }
}

/** Tag of the state of each field, so that changes of different fields can be merged. */
export function tagOf(row: Row): string {
  const fields = fieldsOf(row)
  return fieldNames.map(field => markOf(fields[field])).join('.')
}

export type FieldConflict = { field: keyof OrganisationFields; mine: unknown; theirs: unknown }

/** The current fields with the changes of a save, by the tag of its base. Different changes of the same field are a conflict. */
export function mergedFields(
  row: Row,
  requested: Partial<OrganisationFields>,
  tag: string,
): { fields: OrganisationFields; conflicts: FieldConflict[] } {
  const theirs = fieldsOf(row)
  const marks = tag.split('.')
  const conflicts: FieldConflict[] = []
  const mine: Partial<OrganisationFields> = {}
  for (const [at, field] of fieldNames.entries()) {
    const value = requested[field]
    if (value === undefined || isEqual(value, theirs[field])) continue
    const isMine = tag === '*' || marks[at] !== markOf(value)
    const isTheirs = tag !== '*' && marks[at] !== markOf(theirs[field])
    if (isMine && isTheirs) conflicts.push({ field, mine: jsonValue(value), theirs: jsonValue(theirs[field]) })
    if (isMine) Object.assign(mine, { [field]: value })
  }
  return { fields: { ...theirs, ...mine }, conflicts }
}

/** A short hash. */
export function markOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(jsonValue(value)))
    .digest('base64url')
    .slice(0, 12)
}

/** An unlimited number has no JSON form. */
function jsonValue(value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? null : value
}
