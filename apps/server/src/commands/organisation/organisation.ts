import { createHash } from 'node:crypto'
import { isEqual } from '@cadmus/model/equal'
import { describeLicenceChange, defaultLicence, type Licence, parseLicence, writeLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { organisationAuditTexts } from '@cadmus/model/messages/audit'
import { ApiError, notFound, staleSave } from '../../errors/api-error.ts'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  changeOrganisation,
  insertOrganisation,
  organisationByCode,
  organisationById,
  type OrganisationRow,
} from '../../store/organisation.ts'
import { organisationEntry } from '../audit.ts'
import { type Change, transact, type Work, WriteConflict } from '../change.ts'

/** Creates an organisation with the id in the change; the audit entry belongs to the new organisation. */
export async function createOrganisation(
  change: Change,
  { code, name }: { code: string; name: string },
): Promise<void> {
  await transact(change, 2, async (tx, work) => {
    if (await organisationByCode(tx, code)) throw codeTaken(code)
    const organisation = { id: change.organisationId, code, name }
    await insertOrganisation(tx, { ...organisation, licenceLimits: defaultLicence })
    const description = organisationAuditTexts.created(code)
    work.audit(organisationEntry(organisation, { action: 'CREATE', description, restoration: { organisation: null } }))
  })
}

function codeTaken(code: string): ApiError {
  const message = messages.administration.codeExists(code)
  return new ApiError(409, 'conflict', message, { errors: [{ path: 'code', message }] })
}

type Save = { requested: Partial<OrganisationFields>; ifMatch: string }

/** Changes name and licence limits, merged by field with concurrent changes. */
export async function updateOrganisation(change: Change, { requested, ifMatch }: Save): Promise<void> {
  await transact(change, 3, async (tx, work) => {
    const row = await organisationById(tx, change.organisationId)
    if (!row) throw notFound('The organisation')
    const { fields, conflicts } = mergedFields(row, requested, ifMatch)
    if (conflicts.length > 0) throw await stale(tx, row, conflicts)
    const next = rowWith(row, fields)
    if (next.name === row.name && next.licence_limits === row.licence_limits) return
    if (!(await changeOrganisation(tx, row, next))) throw new WriteConflict()
    auditFields(work, row, next)
  })
}

/** One entry each for name and licence. */
function auditFields(work: Work, row: OrganisationRow, next: Pick<OrganisationRow, 'name' | 'licence_limits'>): void {
  const { renamed, licensed } = organisationAuditTexts
  const restoration = { organisation: { name: row.name, licence_limits: row.licence_limits } }
  const descriptions = [
    ...(next.name === row.name ? [] : [renamed(row.code, row.name, next.name)]),
    ...(next.licence_limits === row.licence_limits
      ? []
      : [licensed(row.code, describeLicenceChange(row.licence_limits, next.licence_limits))]),
  ]
  for (const description of descriptions)
    work.audit(organisationEntry({ ...row, name: next.name }, { action: 'UPDATE', description, restoration }))
}

async function stale(tx: Tx, row: OrganisationRow, conflicts: readonly FieldConflict[]) {
  const authorOf = await fieldAuthors(
    tx,
    row,
    conflicts.map(({ field }) => field),
  )
  return staleSave(
    messages.administration.changedConcurrently,
    tagOf(row),
    conflicts.map(conflict => ({ path: '', base: null, ...conflict, ...authorOf(conflict.field) })),
  )
}

type OrganisationFields = Licence & { name: string }
const fieldNames = [
  'name',
  'manifestLimit',
  'rest',
  'graphql',
  'databaseTypes',
] as const satisfies readonly (keyof OrganisationFields)[]

type Row = Pick<OrganisationRow, 'name' | 'licence_limits'>

function fieldsOf({ name, licence_limits }: Row): OrganisationFields {
  return { name, ...parseLicence(licence_limits) }
}

/** The row with these fields; other parts of the licence text are unchanged. */
function rowWith(row: Row, fields: OrganisationFields): Row {
  return { name: fields.name, licence_limits: writeLicence(row.licence_limits, fields) }
}

/** Tag of the state of each field, so that changes of different fields can be merged. */
export function tagOf(row: Row): string {
  const fields = fieldsOf(row)
  return fieldNames.map(field => markOf(fields[field])).join('.')
}

type FieldConflict = { field: keyof OrganisationFields; mine: unknown; theirs: unknown }

/** The current fields with the changes of a save, by the tag of its base. Different changes of the same field are a conflict. */
function mergedFields(
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

/** A short hash of the value as JSON. */
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

/** Limit of log entries to search. */
const maxEntries = 200

type Author = { who: string; when: string }
const nobody: Author = { who: '', when: '' }

/**
 * Author and time of the current value by field. Empty if the identity provider set it, which writes no entry, or if the log does not reach
 * back.
 */
async function fieldAuthors(
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
