import { adminListMembers } from '@cadmus/model/contract/admin-organisation'
import { memberTag } from '../../commands/organisation/memberships.ts'
import { handle } from '../../http/route.ts'
import { listMembers } from '../../store/membership.ts'
import { listFrame } from '../manifest/list-items.ts'
import { requireOrganisation } from './organisation-answer.ts'

export const adminListMembersRoute = handle(adminListMembers, async ({ params, query }, request) => {
  const { id } = await requireOrganisation(request, params.code)
  const { rows, total } = await listMembers(request.context.store.shared, id, query)
  const members = rows.map(row => ({ ...row, etag: memberTag(row) }))
  return { ...listFrame({ rows, total, next: null }, query), members }
})
