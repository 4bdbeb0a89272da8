import type { Route } from '../../http/route.ts'
import { adminCreateOrganisationRoute } from './create-organisation.ts'
import { adminGetOrganisationRoute } from './get-organisation.ts'
import { adminListMembersRoute } from './list-members.ts'
import { adminListOrganisationLogsRoute } from './list-organisation-logs.ts'
import { adminListOrganisationsRoute } from './list-organisations.ts'
import { adminListUsersRoute } from './list-users.ts'
import { adminRemoveMemberRoute } from './remove-member.ts'
import { adminSetMemberRoute } from './set-member.ts'
import { adminUpdateOrganisationRoute } from './update-organisation.ts'

export const adminOrganisationRoutes: Route[] = [
  adminListOrganisationsRoute,
  adminCreateOrganisationRoute,
  adminGetOrganisationRoute,
  adminUpdateOrganisationRoute,
  adminListMembersRoute,
  adminSetMemberRoute,
  adminRemoveMemberRoute,
  adminListOrganisationLogsRoute,
  adminListUsersRoute,
]
