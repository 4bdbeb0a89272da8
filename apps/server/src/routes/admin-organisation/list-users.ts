import { adminListUsers } from '@cadmus/model/contract/admin-organisation'
import { handle } from '../../http/route.ts'
import { listUsers } from '../../store/user.ts'
import { listFrame } from '../manifest/list-items.ts'
import { requireOrganisation } from './organisation-answer.ts'

export const adminListUsersRoute = handle(adminListUsers, async ({ query }, request) => {
  const notIn = query.notIn ? (await requireOrganisation(request, query.notIn)).id : undefined
  const { rows, total } = await listUsers(request.context.store.shared, { ...query, notIn })
  const users = rows.map(({ id: userId, username, fullname, email, isRuled }) => {
    const source = isRuled ? ('provider' as const) : ('console' as const)
    return { userId, username, fullname, email, source }
  })
  return { ...listFrame({ rows, total, next: null }, query), users }
})
