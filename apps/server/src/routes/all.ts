import type { Route } from '../http/route.ts'
import { adminContentRoutes, adminEntityRoutes, adminManifestRoutes } from './admin-documents.ts'
import { auditRoutes } from './audit.ts'
import { adminOrganisationRoutes } from './admin-organisation.ts'
import { biographyRoutes } from './biography.ts'
import { comparisonRoutes } from './comparison.ts'
import { diagramRoutes } from './diagram.ts'
import { editRoutes } from './edits.ts'
import { entityRoutes } from './entity.ts'
import { impactRoutes } from './impact.ts'
import { instanceRoutes } from './instance.ts'
import { manifestConfigurationRoutes } from './manifest-configuration.ts'
import { importReviewRoutes } from './import-review.ts'
import { manifestTransferRoutes } from './manifest-transfer.ts'
import { manifestRoutes } from './manifest.ts'
import { navigatorRoutes } from './navigator.ts'
import { packageRoutes } from './package.ts'
import { problemRoutes } from './problems.ts'
import { searchRoutes } from './search.ts'
import { publishRoutes } from './publish.ts'
import { onboardingRoutes, ssoRoutes } from './sso.ts'
import { scopeMatrixRoutes } from './scope-matrix.ts'
import { textRoutes } from './text.ts'
import { tokenRoutes } from './token.ts'

/** All handlers. A test compares this list with the contract in both directions. */
export const allRoutes: Route[] = [
  ...ssoRoutes,
  ...textRoutes,
  ...tokenRoutes,
  ...onboardingRoutes,
  ...navigatorRoutes,
  ...manifestRoutes,
  ...manifestConfigurationRoutes,
  ...importReviewRoutes,
  ...manifestTransferRoutes,
  ...entityRoutes,
  ...editRoutes,
  ...biographyRoutes,
  ...diagramRoutes,
  ...comparisonRoutes,
  ...problemRoutes,
  ...scopeMatrixRoutes,
  ...searchRoutes,
  ...impactRoutes,
  ...auditRoutes,
  ...adminEntityRoutes,
  ...adminManifestRoutes,
  ...adminOrganisationRoutes,
  ...adminContentRoutes,
  ...packageRoutes,
  ...publishRoutes,
  ...instanceRoutes,
]
