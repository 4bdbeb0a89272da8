import type { Route } from '../../http/route.ts'
import { createTokenRoute } from './create-token.ts'
import { listTokensRoute } from './list-tokens.ts'
import { revokeTokenRoute } from './revoke-token.ts'

export const tokenRoutes: Route[] = [listTokensRoute, createTokenRoute, revokeTokenRoute]
