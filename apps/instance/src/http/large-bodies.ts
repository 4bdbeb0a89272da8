import { limits } from '@cadmus/model/limits'
import type { RouteOptions } from 'fastify'

/** For routes behind a hook that admits the caller before a large body is received. */
export function allowLargeBodies(route: RouteOptions): void {
  route.bodyLimit = limits.requestBody
}
