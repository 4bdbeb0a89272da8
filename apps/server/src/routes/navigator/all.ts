import type { Route } from '../../http/route.ts'
import { generateNavigatorRoute } from './generate-navigator.ts'
import { getNavigatorRoute } from './get-navigator.ts'
import { getNavigatorVersionRoute } from './get-navigator-version.ts'

export const navigatorRoutes: Route[] = [getNavigatorRoute, getNavigatorVersionRoute, generateNavigatorRoute]
