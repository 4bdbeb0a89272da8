import { adminRemoveMember } from '@cadmus/model/contract/admin-organisation'
import { messages } from '@cadmus/model/messages'
import { changeIn } from '../../commands/change.ts'
import { removeMembership } from '../../commands/organisation/memberships.ts'
import { handle } from '../../http/route.ts'
import { requireOrganisation } from './organisation-answer.ts'

export const adminRemoveMemberRoute = handle(adminRemoveMember, async ({ params }, request) => {
  const { id } = await requireOrganisation(request, params.code)
  await removeMembership(changeIn(request, id), { userId: params.userId, ifMatch: request.ifMatch ?? '' })
  return { result: 'OK' as const, message: messages.administration.memberRemoved }
})
