import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/network'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit } from '../auth/gate.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http-error.ts'
import type { RunningPackage } from '../packages/running-package.ts'
import type { Visits } from '../packages/visits.ts'
import type { ProtocolHost } from '../protocols/protocol-host.ts'
import { LargeAnswers, type RequestScope } from '../request-scope.ts'
import { takeLargeBodies } from './large-bodies.ts'
import { rateLimit } from './rate-limit.ts'
import { openScope } from './scopes.ts'
import { sender } from './sender.ts'
import { Unread } from './unread.ts'

/** How a protocol puts its addresses into the instance. */
export type Protocol = (app: FastifyInstance, host: ProtocolHost<RunningPackage>) => void | Promise<void>

/** The calls of packages, in every protocol: counted while they are answered, limited where the settings say so, and let in by the one gate. */
export async function serveProtocols(
  app: FastifyInstance,
  context: Context,
  protocols: readonly Protocol[],
): Promise<void> {
  const { requestsPerSecond } = context.config
  const rates = requestsPerSecond === null ? null : rateLimit(requestsPerSecond, requestsPerSecond * 4, context.now)
  const { credentials, tokens, issuer, packages } = context
  const doors = { credentials, tokens, issuer, publicUrl: () => context.publicUrl }
  const unread = new Unread()
  const largeAnswers = new LargeAnswers()
  const host: ProtocolHost<RunningPackage> = {
    byNamespace: namespace => packages.byNamespace(namespace),
    running: () => packages.running(),
    issuer: context.config.issuer,
    send: sender(context.config.publicUrl?.protocol === 'https:', unread),
    admit: (request, running, need) => admit(doors, request, running.api, need),
  }
  await app.register(async scope => {
    scope.addHook('onRoute', takeLargeBodies)
    scope.decorateRequest('scope')
    scope.addHook<{ Params: { readonly ns?: string } }>('onRequest', (request, reply, next) => {
      request.scope = openScope(request, reply.raw, largeAnswers, unread)
      // What it throws is answered as an error.
      rates?.take(networkOf(request.ip))
      unread.enter(reply)
      enter(context.visits, request.url, request.scope, next)
    })
    scope.addHook<{ Params: { readonly ns?: string } }>('onRequest', (request, _reply, next) => {
      const { ns } = request.params
      if (ns === undefined || !bringsMuch(request.headers)) return next()
      const running = packages.byNamespace(ns)
      if (running === undefined) return next(notFound())
      void passed(async () => host.admit(request, running, 'any'), next)
    })
    for (const protocol of protocols) await protocol(scope, host)
  })
}

async function passed(gate: () => Promise<unknown>, next: (error?: Error) => void): Promise<void> {
  try {
    await gate()
  } catch (error) {
    return next(error instanceof Error ? error : new Error('Not let in.', { cause: error }))
  }
  next()
}

/** More is received from those only whom the package lets in: bodies that come slowly are held until they are there. */
function bringsMuch(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.unknownBody
}

/** At once, but for a package whose doors are closed. */
function enter(visits: Visits, address: string, scope: RequestScope, next: () => void): void {
  const door = visits.doorOf(address)
  if (door === undefined) {
    scope.atEnd(visits.enter(address))
    return next()
  }
  void door.then(() => {
    if (!scope.isGone) enter(visits, address, scope, next)
  })
}
