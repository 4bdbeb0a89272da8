import { forbidden, notFound } from '../../errors/api-error.ts'
import { entityById } from '../../store/entity.ts'
import { listOrganisations, organisationByCode, type OrganisationRow } from '../../store/organisation.ts'
import { storable } from '../../store/statements.ts'
import type { Change } from '../change.ts'

const bearers = { token: 'access token', request: 'request' }

/** The administrator's change in the organisation with that code; 404 for an unknown one. */
export async function changeInOrganisation(
  change: Change,
  code: string,
): Promise<{ change: Change; organisation: OrganisationRow }> {
  const row = await organisationByCode(change.store.shared, storable(code))
  if (change.bound !== undefined && row?.id !== change.organisationId) {
    throw forbidden(`This ${bearers[change.bound]} is for another organisation.`, 'foreign_organisation')
  }
  if (!row) throw notFound('The organisation')
  return { change: { ...change, organisationId: row.id }, organisation: row }
}

/** The administrator's change in the organisation of the entity, unless the change is bound to its own. */
export async function changeOfEntity(change: Change, id: number): Promise<Change> {
  const { store } = change
  if (await entityById(store.of(change.organisationId), change.organisationId, id)) return change
  if (change.bound !== undefined) throw notFound('The entity')
  for (const { id: organisationId } of await listOrganisations(store.shared)) {
    const entity = await entityById(store.of(organisationId), organisationId, id)
    if (entity) return { ...change, organisationId }
  }
  throw notFound('The entity')
}
