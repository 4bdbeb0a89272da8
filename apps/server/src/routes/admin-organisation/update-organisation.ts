import { adminUpdateOrganisation, organisationAsAnswered } from '@cadmus/model/contract/admin-organisation'
import { asAnswered, changedAnswers } from '@cadmus/model/contract/request-fields'
import { changeIn } from '../../commands/change.ts'
import { tagOf } from '../../commands/organisation/organisation-fields.ts'
import { updateOrganisation } from '../../commands/organisation/update-organisation.ts'
import { refuseFields } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import { answerOrganisation, requireOrganisation } from './organisation-answer.ts'

export const adminUpdateOrganisationRoute = handle(adminUpdateOrganisation, async ({ params, body }, request) => {
  const row = await requireOrganisation(request, params.code)
  const { id, uid, code } = row
  refuseFields(changedAnswers(organisationAsAnswered, body.organisation, { id, uid, code }, 'organisation'))
  // Derived from the current state only if the body is based on it.
  if (request.ifMatch === tagOf(row)) {
    const fields = { licenceLimits: asAnswered, serviceOptions: asAnswered }
    const answered = {
      licenceLimits: row.licence_limits,
      serviceOptions: hasServiceOptions(request.context.config, row),
    }
    refuseFields(changedAnswers(fields, body.organisation, answered, 'organisation'))
  }
  const { name, licence: { manifestLimit, ...licence } = {} } = body
  const requested = {
    ...(name === undefined ? {} : { name }),
    ...(manifestLimit === undefined ? {} : { manifestLimit: manifestLimit ?? Number.POSITIVE_INFINITY }),
    ...licence,
  }
  await updateOrganisation(changeIn(request, id), { requested: requested, ifMatch: request.ifMatch ?? '' })
  return answerOrganisation(request, code)
})
