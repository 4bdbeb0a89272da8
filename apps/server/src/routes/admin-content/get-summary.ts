import { adminGetOrganisationSummary } from '@cadmus/model/contract/admin-content'
import { handle } from '../../http/route.ts'
import { historyOf } from '../../store/history.ts'
import { organisationTotals } from '../../store/organisation-totals.ts'
import { requireOrganisation } from '../admin-organisation/organisation-answer.ts'

export const adminGetOrganisationSummaryRoute = handle(
  adminGetOrganisationSummary,
  async ({ params, query: { days } }, request) => {
    const { id, code, name } = await requireOrganisation(request, params.code)
    const { store, now } = request.context
    const totals = await organisationTotals(store, id)
    const organisation = { id, code, name, ...totals }
    return { organisation, history: await historyOf(store.of(id), id, totals, { days, now: now() }) }
  },
)
