import { adminGetOrganisation } from '@cadmus/model/contract/admin-organisation'
import { handle } from '../../http/route.ts'
import { answerOrganisation } from './organisation-answer.ts'

export const adminGetOrganisationRoute = handle(adminGetOrganisation, async ({ params }, request) =>
  answerOrganisation(request, params.code),
)
