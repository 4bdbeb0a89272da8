import { adminGetOrganisationSummary } from '@cadmus/model/contract/admin-documents'
import { handle } from '../../http/route.ts'
import { historyOf } from '../../store/history.ts'
import { organisationTotals } from '../../store/organisation-totals.ts'
import { requireOrganisation } from '../admin-organisation/organisation-answer.ts'

export const adminGetOrganisationSummaryRoute = handle(
  adminGetOrganisationSummary,
  async ({ params, query: { days } }, request) => {
    const { id, code, name } = await requireOrganisation(request, params.code)
    const { context, signal } = request
    const { store, now, summaries } = context
    const summary = async () => {
      const totals = await organisationTotals(store, id)
      const history = await historyOf(store.of(id), id, totals, { days, now: now(), signal })
      return { organisation: { id, code, name, ...totals }, history }
    }
    return summaries.run(id, summary, { signal })
  },
)
