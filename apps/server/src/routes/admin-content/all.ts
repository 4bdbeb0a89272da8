import type { Route } from '../../http/route.ts'
import { adminGetOrganisationSummaryRoute } from './get-summary.ts'
import { adminListOrganisationEntitiesRoute } from './list-entities.ts'
import { adminListOrganisationManifestsRoute } from './list-manifests.ts'

export const adminContentRoutes: Route[] = [
  adminGetOrganisationSummaryRoute,
  adminListOrganisationEntitiesRoute,
  adminListOrganisationManifestsRoute,
]
