import type { Route } from '../http/route.ts'
import { adminContentRoutes } from './admin-content/all.ts'
import { adminEntityRoutes } from './admin-entity/all.ts'
import { adminManifestRoutes } from './admin-manifest/all.ts'
import { adminOrganisationRoutes } from './admin-organisation/all.ts'
import { editRoutes } from './edits/all.ts'
import { entityRoutes } from './entity/all.ts'
import { instanceRoutes } from './instance/all.ts'
import { manifestRoutes } from './manifest/all.ts'
import { navigatorRoutes } from './navigator/all.ts'
import { packageRoutes } from './package/all.ts'
import { ssoRoutes } from './sso/all.ts'
import { onboardingRoutes } from './onboarding/all.ts'
import { tokenRoutes } from './token/all.ts'

/** All handlers. A test compares this list with the contract in both directions. */
export const allRoutes: Route[] = [
  ...ssoRoutes,
  ...tokenRoutes,
  ...onboardingRoutes,
  ...navigatorRoutes,
  ...manifestRoutes,
  ...entityRoutes,
  ...editRoutes,
  ...adminEntityRoutes,
  ...adminManifestRoutes,
  ...adminOrganisationRoutes,
  ...adminContentRoutes,
  ...packageRoutes,
  ...instanceRoutes,
]
