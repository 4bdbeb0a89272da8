import { adminSetMember } from '@cadmus/model/contract/admin-organisation'
import { changeIn } from '../../commands/change.ts'
import { memberTag, setMembership } from '../../commands/organisation/memberships.ts'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { storedMember } from '../../store/membership.ts'
import { requireOrganisation } from './organisation-answer.ts'

export const adminSetMemberRoute = handle(adminSetMember, async ({ params, body }, request) => {
  const { id } = await requireOrganisation(request, params.code)
  const { userId } = params
  await setMembership(changeIn(request, id), { userId, ...body, ifMatch: request.ifMatch ?? '' })
  const member = await storedMember(request.context.store.shared, id, userId)
  if (!member) throw notFound('The membership')
  return { member: { ...member, etag: memberTag(member.subscription) } }
})
