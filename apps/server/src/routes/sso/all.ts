import type { Route } from '../../http/route.ts'
import { authorizeRoute } from './authorize.ts'
import { logoutRoute } from './logout.ts'
import { refreshRoute } from './refresh.ts'
import { sessionRoute } from './session.ts'
import { signInRoute } from './sign-in.ts'

export const ssoRoutes: Route[] = [authorizeRoute, signInRoute, refreshRoute, sessionRoute, logoutRoute]
