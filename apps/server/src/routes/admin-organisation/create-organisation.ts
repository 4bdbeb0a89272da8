import { adminCreateOrganisation } from '@cadmus/model/contract/admin-organisation'
import { changeIn } from '../../commands/change.ts'
import { createOrganisation } from '../../commands/organisation/create-organisation.ts'
import { handle } from '../../http/route.ts'
import { answerOrganisation } from './organisation-answer.ts'

export const adminCreateOrganisationRoute = handle(adminCreateOrganisation, async ({ body }, request) => {
  const id = await request.context.store.ids.one()
  await createOrganisation(changeIn(request, id), body)
  return answerOrganisation(request, body.code)
})
