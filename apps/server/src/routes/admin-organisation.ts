import {
  adminCreateOrganisation,
  adminGetOrganisation,
  adminListMembers,
  adminListOrganisationLogs,
  adminListOrganisations,
  adminListUsers,
  adminRemoveMember,
  adminSetMember,
  adminUpdateOrganisation,
  memberAsAnswered,
  type MemberItem,
  type OrganisationAnswer,
  organisationAsAnswered,
  type OrganisationItem,
} from '@cadmus/model/contract/admin-organisation'
import { asAnswered, changedAnswers } from '@cadmus/model/contract/request-fields'
import { parseLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { changeIn } from '../commands/change.ts'
import { createOrganisation, tagOf, updateOrganisation } from '../commands/organisation/organisation.ts'
import { hasUserData, memberTag, removeMembership, setMembership } from '../commands/organisation/memberships.ts'
import { invalid, notFound, refuseFields } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { hasServiceOptions } from '../config.ts'
import { listAudit } from '../store/audit-read.ts'
import { countMembers, listMembers, storedMember } from '../store/membership.ts'
import {
  organisationByCode,
  type OrganisationRow,
  organisationTotals,
  searchOrganisations,
} from '../store/organisation.ts'
import { storable } from '../store/statements.ts'
import { listUsers } from '../store/user.ts'
import { auditQuery } from './audit.ts'
import { listFrame } from './list-answers.ts'

export const adminOrganisationRoutes: Route[] = [
  handle(adminListOrganisations, async ({ query }, { context }) => {
    const { store } = context
    const { rows, total, next } = await searchOrganisations(store.shared, query)
    const organisations: OrganisationItem[] = []
    for (const { id, code, name } of rows)
      // One by one, because the guard restricts a query to one organisation.
      organisations.push({ id, code, name, ...(await organisationTotals(store, id)) })
    return { ...listFrame({ total, next }, query), organisations }
  }),
  handle(adminCreateOrganisation, async ({ body }, request) => {
    const id = await request.context.store.ids.one()
    await createOrganisation(changeIn(request, id), body)
    return answerOrganisation(request, body.code)
  }),
  handle(adminGetOrganisation, async ({ params }, request) => answerOrganisation(request, params.code)),
  handle(adminUpdateOrganisation, async ({ params, body }, request) => {
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
  }),
  handle(adminListMembers, async ({ params, query }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    const { rows, total } = await listMembers(request.context.store.shared, id, query)
    const members = rows.map(row => ({ ...row, etag: memberTag(row) }))
    return { ...listFrame({ total, next: null }, query), members }
  }),
  handle(adminSetMember, async ({ params, body }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    const { userId } = params
    const ifMatch = request.ifMatch ?? ''
    const { shared } = request.context.store
    const before = await storedMember(shared, id, userId)
    refuseFields(changedAnswers(memberAsAnswered, body, { userId }))
    if (before && hasUserData(ifMatch, before)) refuseFields(changedAnswers(userData, body, before))
    const subscription = body.subscription ?? before?.subscription
    if (subscription === undefined)
      throw invalid(messages.required, [{ path: 'subscription', message: messages.required }])
    await setMembership(changeIn(request, id), { userId, subscription, ifMatch })
    const member = await storedMember(shared, id, userId)
    if (!member) throw notFound('The membership')
    return { member: memberAnswer(member) }
  }),
  handle(adminRemoveMember, async ({ params }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    await removeMembership(changeIn(request, id), { userId: params.userId, ifMatch: request.ifMatch ?? '' })
    return { result: 'OK' as const, message: messages.administration.memberRemoved }
  }),
  handle(adminListOrganisationLogs, async ({ params, query }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    const { entries, total } = await listAudit(request.context.store.of(id), id, 'ORGANISATION', auditQuery(query))
    return { organisationLogs: entries, totalElements: total }
  }),
  handle(adminListUsers, async ({ query }, request) => {
    const notIn = query.notIn ? (await requireOrganisation(request, query.notIn)).id : undefined
    const { rows, total } = await listUsers(request.context.store.shared, { ...query, notIn })
    const users = rows.map(({ id: userId, username, fullname, email, isRuled }) => {
      const source = isRuled ? ('provider' as const) : ('console' as const)
      return { userId, username, fullname, email, source }
    })
    return { ...listFrame({ total, next: null }, query), users }
  }),
]

/** Compared with a save that is based on the current state. */
const userData = {
  username: asAnswered,
  fullname: asAnswered,
  email: asAnswered,
  source: asAnswered,
  inEffect: asAnswered,
}

function memberAnswer(member: Omit<MemberItem, 'etag'>): MemberItem {
  return { ...member, etag: memberTag(member) }
}

/** Throws 404 if no organisation has the code. */
export async function requireOrganisation({ context }: RequestContext, code: string): Promise<OrganisationRow> {
  const row = await organisationByCode(context.store.shared, storable(code))
  if (!row) throw notFound('The organisation')
  return row
}

/** Returns the current state of an organisation and sets its tag. */
async function answerOrganisation(
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
