import { adminListOrganisationEntities } from '@cadmus/model/contract/admin-documents'
import { organisationOf } from '../../auth/organisation.ts'
import { handle } from '../../http/route.ts'
import { requireOrganisation } from '../admin-organisation/organisation-answer.ts'
import { entityListAnswer } from '../entity/list-answer.ts'

export const adminListOrganisationEntitiesRoute = handle(
  adminListOrganisationEntities,
  async ({ params, query }, request) => {
    const organisation = organisationOf(await requireOrganisation(request, params.code))
    const place = { context: request.context, organisation }
    const { entity: entities, ...frame } = await entityListAnswer(place, { ...query, filter: 'PRIVATE' })
    return { ...frame, entities }
  },
)
