import { adminUpdateOrganisation, organisationAsAnswered } from '@cadmus/model/contract/admin-organisation'
import { changedAnswers } from '@cadmus/model/contract/request-fields'
import { changeIn } from '../../commands/change.ts'
import { updateOrganisation } from '../../commands/organisation/update-organisation.ts'
import { refuseFields } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { answerOrganisation, requireOrganisation } from './organisation-answer.ts'

export const adminUpdateOrganisationRoute = handle(adminUpdateOrganisation, async ({ params, body }, request) => {
  const { id, uid, code } = await requireOrganisation(request, params.code)
  refuseFields(changedAnswers(organisationAsAnswered, body.organisation, { id, uid, code }, 'organisation'))
  const { name, licence: { manifestLimit, ...licence } = {} } = body
  const requested = {
    ...(name === undefined ? {} : { name }),
    ...(manifestLimit === undefined ? {} : { manifestLimit: manifestLimit ?? Number.POSITIVE_INFINITY }),
    ...licence,
  }
  await updateOrganisation(changeIn(request, id), { requested: requested, ifMatch: request.ifMatch ?? '' })
  return answerOrganisation(request, code)
})
