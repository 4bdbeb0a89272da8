import type { OrganisationAnswer } from '@cadmus/model/contract/admin-organisation'
import { parseLicence } from '@cadmus/model/licence'
import { tagOf } from '../../commands/organisation/organisation-fields.ts'
import { notFound } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import { countMembers } from '../../store/membership.ts'
import { organisationByCode, type OrganisationRow } from '../../store/organisation.ts'
import { organisationTotals } from '../../store/organisation-totals.ts'
import { storable } from '../../store/storable.ts'

/** Throws 404 if no organisation has the code. */
export async function requireOrganisation({ context }: RequestContext, code: string): Promise<OrganisationRow> {
  const row = await organisationByCode(context.store.shared, storable(code))
  if (!row) throw notFound('The organisation')
  return row
}

/** Returns the current state of an organisation and sets its tag. */
export async function answerOrganisation(
  request: RequestContext,
  code: string,
): Promise<{ organisation: OrganisationAnswer }> {
  const row = await requireOrganisation(request, code)
  const { store } = request.context
  const { manifestLimit, rest, graphql, databaseTypes } = parseLicence(row.licence_limits)
  const { members, subscriptions, byProvider } = await countMembers(store.shared, row.id)
  const limit = Number.isFinite(manifestLimit) ? manifestLimit : null
  request.setEtag(tagOf(row))
  return {
    organisation: {
      id: row.id,
      uid: row.uid,
      code: row.code,
      name: row.name,
      ...(await organisationTotals(store, row.id)),
      licenceLimits: row.licence_limits,
      serviceOptions: hasServiceOptions(request.context.config, row),
      licence: { manifestLimit: limit, rest, graphql, databaseTypes: [...databaseTypes] },
      totalMembers: members,
      totalSubscriptions: subscriptions,
      namedByProvider: byProvider,
    },
  }
}
