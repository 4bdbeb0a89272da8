import { adminSetMember, memberAsAnswered, type MemberItem } from '@cadmus/model/contract/admin-organisation'
import { asAnswered, changedAnswers } from '@cadmus/model/contract/request-fields'
import { messages } from '@cadmus/model/messages'
import { changeIn } from '../../commands/change.ts'
import { hasUserData, memberTag, setMembership } from '../../commands/organisation/memberships.ts'
import { invalid, notFound, refuseFields } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { storedMember } from '../../store/membership.ts'
import { requireOrganisation } from './organisation-answer.ts'

/** Compared with a save that is based on the current state. */
const userData = {
  username: asAnswered,
  fullname: asAnswered,
  email: asAnswered,
  source: asAnswered,
  inEffect: asAnswered,
}

export const adminSetMemberRoute = handle(adminSetMember, async ({ params, body }, request) => {
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
})

function memberAnswer(member: Omit<MemberItem, 'etag'>): MemberItem {
  return { ...member, etag: memberTag(member) }
}
