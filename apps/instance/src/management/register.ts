import { networkOf } from '@cadmus/model/rate-limit'
import type { FastifyInstance } from 'fastify'
import { admitManager } from '../auth/manager.ts'
import type { Context } from '../context.ts'
import { idOf } from '../http/errors.ts'
import { serveDatabases } from './databases.ts'
import { allowLargeBodies } from '../http/bodies.ts'
import { serveTokens } from './oauth.ts'
import { servePackages } from './packages.ts'
import { serveUsers } from './users.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the log. */
    manager: string
  }
}

/** The management API, compatible with the platform. Callers are admitted before a body is read. */
export async function serveManagement(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(async scope => serveTokens(scope, context))
  await app.register(async scope => {
    scope.decorateRequest('manager', '')
    scope.addHook('onRoute', allowLargeBodies)
    scope.addHook('onRequest', async request => {
      context.rates.take(`address:${networkOf(request.ip)}`)
      const { config, tokens } = context
      request.manager = admitManager({ tokens, consoleSecret: config.consoleSecret }, request.headers.authorization)
    })
    scope.addHook('onResponse', async (request, { statusCode: status }) => {
      const { method, manager } = request
      const path = request.url.split('?')[0]
      context.log.info({ requestId: idOf(request), method, path, manager, status }, 'managed')
    })
    await servePackages(scope, context)
    await serveDatabases(scope, context)
    await serveUsers(scope, context)
  })
}
