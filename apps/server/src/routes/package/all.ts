import type { Route } from '../../http/route.ts'
import { adminListPackagesRoute } from './admin-list-packages.ts'
import { buildManifestRoute } from './build-manifest.ts'
import { compareBuildRoute } from './compare-build.ts'
import { deletePackageRoute } from './delete-package.ts'
import { downloadPackageRoute } from './download-package.ts'
import { getBuildSettingsRoute } from './get-build-settings.ts'
import { getPackageStatusRoute } from './get-package-status.ts'
import { listPackagesRoute } from './list-packages.ts'
import { uploadPackageRoute } from './upload-package.ts'

export const packageRoutes: Route[] = [
  buildManifestRoute,
  getBuildSettingsRoute,
  compareBuildRoute,
  listPackagesRoute,
  getPackageStatusRoute,
  downloadPackageRoute,
  deletePackageRoute,
  uploadPackageRoute,
  adminListPackagesRoute,
]
