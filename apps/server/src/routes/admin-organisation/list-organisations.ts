import { adminListOrganisations, type OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { handle } from '../../http/route.ts'
import { searchOrganisations } from '../../store/organisation.ts'
import { listFrame } from '../manifest/list-items.ts'
import { organisationTotals } from '../../store/organisation-totals.ts'

export const adminListOrganisationsRoute = handle(adminListOrganisations, async ({ query }, { context }) => {
  const { store } = context
  const { rows, total, next } = await searchOrganisations(store.shared, query)
  const organisations: OrganisationItem[] = []
  for (const { id, code, name } of rows)
    // One by one, because the guard restricts a query to one organisation.
    organisations.push({ id, code, name, ...(await organisationTotals(store, id)) })
  return { ...listFrame({ rows, total, next }, query), organisations }
})
