import type { Route } from '../../http/route.ts'
import { adminCreateManifestRoute } from './create-manifest.ts'
import { adminReloadManifestRoute } from './reload-manifest.ts'

export const adminManifestRoutes: Route[] = [adminCreateManifestRoute, adminReloadManifestRoute]
