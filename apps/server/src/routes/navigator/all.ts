import type { Route } from '../../http/route.ts'
import { generateNavigatorRoute } from './generate-navigator.ts'
import { getLibraryProgressRoute } from './get-library-progress.ts'
import { getNavigatorRoute } from './get-navigator.ts'
import { getNavigatorVersionRoute } from './get-navigator-version.ts'

export const navigatorRoutes: Route[] = [
  getNavigatorRoute,
  getNavigatorVersionRoute,
  generateNavigatorRoute,
  getLibraryProgressRoute,
]
