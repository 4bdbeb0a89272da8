import type { Route } from '../http/route.ts'
import { adminContentRoutes, adminEntityRoutes, adminManifestRoutes } from './admin-documents.ts'
import { auditRoutes } from './audit.ts'
import { adminOrganisationRoutes } from './admin-organisation.ts'
import { editRoutes } from './edits.ts'
import { entityRoutes } from './entity.ts'
import { instanceRoutes } from './instance.ts'
import { manifestConfigurationRoutes } from './manifest-configuration.ts'
import { manifestTransferRoutes } from './manifest-transfer.ts'
import { manifestRoutes } from './manifest.ts'
import { navigatorRoutes } from './navigator.ts'
import { packageRoutes } from './package.ts'
import { onboardingRoutes, ssoRoutes } from './sso.ts'
import { tokenRoutes } from './token.ts'

/** All handlers. A test compares this list with the contract in both directions. */
export const allRoutes: Route[] = [
  ...ssoRoutes,
  ...tokenRoutes,
  ...onboardingRoutes,
  ...navigatorRoutes,
  ...manifestRoutes,
  ...manifestConfigurationRoutes,
  ...manifestTransferRoutes,
  ...entityRoutes,
  ...editRoutes,
  ...auditRoutes,
  ...adminEntityRoutes,
  ...adminManifestRoutes,
  ...adminOrganisationRoutes,
  ...adminContentRoutes,
  ...packageRoutes,
  ...instanceRoutes,
]
