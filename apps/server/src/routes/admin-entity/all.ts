import type { Route } from '../../http/route.ts'
import { adminCreateEntityRoute } from './create-entity.ts'
import { adminReloadEntityRoute } from './reload-entity.ts'
import { adminUpdateEntityContentRoute } from './update-content.ts'
import { adminValidateEntityContentRoute } from './validate-content.ts'

export const adminEntityRoutes: Route[] = [
  adminCreateEntityRoute,
  adminValidateEntityContentRoute,
  adminUpdateEntityContentRoute,
  adminReloadEntityRoute,
]
