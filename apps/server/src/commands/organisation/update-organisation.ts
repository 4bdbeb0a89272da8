import { messages } from '@cadmus/model/messages'
import { notFound, staleSave } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { changeOrganisation, organisationById, type OrganisationRow } from '../../store/organisation.ts'
import { organisationEntry } from '../audit.ts'
import { type Change, WriteConflict, transact, type Work } from '../change.ts'
import { fieldAuthors } from './last-change.ts'
import { mergedFields, rowWith, tagOf, type FieldConflict, type OrganisationFields } from './organisation-fields.ts'

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
  const { renamed, licensed } = messages.administration.audit
  const restoration = { organisation: { name: row.name, licence_limits: row.licence_limits } }
  const descriptions = [
    ...(next.name === row.name ? [] : [renamed(row.code, row.name, next.name)]),
    ...(next.licence_limits === row.licence_limits
      ? []
      : [licensed(row.code, row.licence_limits, next.licence_limits)]),
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
