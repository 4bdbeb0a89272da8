import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/rate-limit'
import { admit } from '../auth/gate.ts'
import type { Context } from '../context.ts'
import { notFound, rateLimit } from '../http-error.ts'
import type { RunningPackage } from '../packages/open-package.ts'
import type { RequestGate } from '../packages/request-gate.ts'
import type { ProtocolHost } from '../protocols/protocol-host.ts'
import { LargeAnswers, RequestScope } from '../request-scope.ts'
import { allowLargeBodies } from './bodies.ts'
import { sender, Unread } from './sender.ts'

/** Registers the routes of a protocol. */
export type Protocol = (app: FastifyInstance, host: ProtocolHost<RunningPackage>) => void | Promise<void>

/**
 * Serves the calls of packages in every protocol: rate-limited if configured, counted while running, and admitted by
 * one gate.
 */
export async function serveProtocols(
  app: FastifyInstance,
  context: Context,
  protocols: readonly Protocol[],
): Promise<void> {
  const { requestsPerSecond } = context.config
  const rates = requestsPerSecond === null ? null : rateLimit(requestsPerSecond, requestsPerSecond * 4, context.now)
  const { credentials, tokens, issuer, packages } = context
  const authenticators = { credentials, tokens, issuer, publicUrl: () => context.publicUrl }
  const unread = new Unread()
  const largeAnswers = new LargeAnswers()
  const host: ProtocolHost<RunningPackage> = {
    byNamespace: namespace => packages.byNamespace(namespace),
    running: () => packages.running(),
    issuer: context.config.issuer,
    send: sender(context.config.publicUrl?.protocol === 'https:', unread),
    admit: (request, running, need) => admit(authenticators, request, running.api, need),
  }
  await app.register(async scope => {
    scope.addHook('onRoute', allowLargeBodies)
    scope.decorateRequest('scope')
    scope.addHook<{ Params: { readonly ns?: string } }>('onRequest', (request, reply, next) => {
      request.scope = openScope(request, reply.raw, largeAnswers, unread)
      // Errors thrown here become error answers.
      rates?.take(networkOf(request.ip))
      unread.enter(reply)
      enter(context.requestGate, request.url, request.scope, next)
    })
    scope.addHook<{ Params: { readonly ns?: string } }>('onRequest', (request, _reply, next) => {
      const { ns } = request.params
      if (ns === undefined || !hasLargeBody(request.headers)) return next()
      const running = packages.byNamespace(ns)
      if (running === undefined) return next(notFound())
      void runGate(async () => host.admit(request, running, 'any'), next)
    })
    for (const protocol of protocols) await protocol(scope, host)
  })
}

async function runGate(gate: () => Promise<unknown>, next: (error?: Error) => void): Promise<void> {
  try {
    await gate()
  } catch (error) {
    return next(error instanceof Error ? error : new Error('Access refused.', { cause: error }))
  }
  next()
}

/** Large bodies are received only from admitted callers, because slow bodies occupy memory. */
function hasLargeBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.unknownBody
}

/** Continues synchronously unless the gate of the package is closed. */
function enter(requestGate: RequestGate, address: string, scope: RequestScope, next: () => void): void {
  const reopening = requestGate.reopening(address)
  if (reopening === undefined) {
    scope.onEnd(requestGate.enter(address, () => (scope.isRetired = true)))
    return next()
  }
  void reopening.then(() => {
    if (!scope.isGone) enter(requestGate, address, scope, next)
  })
}

type PackageRequest = FastifyRequest<{ Params: { readonly ns?: string } }>

/** Creates the scope of a request. It ends when the answer is sent or the connection closes. */
function openScope(
  { ip, params, raw: { socket } }: PackageRequest,
  answer: FastifyReply['raw'],
  large: LargeAnswers,
  unread: Unread,
): RequestScope {
  const scope = new RequestScope(socket, large, [params.ns ?? '', ip], () => unread.requireRoom(ip))
  if (answer.socket !== null) answer.on('close', () => scope.end())
  else endQueued(scope, socket, answer)
  return scope
}

const queued = new WeakMap<Socket, Set<RequestScope>>()

/** Queued answers of a connection get no close event, so one listener per connection ends their scopes. */
function endQueued(scope: RequestScope, socket: Socket, answer: FastifyReply['raw']): void {
  const scopes = queued.get(socket) ?? new Set()
  if (!queued.has(socket)) {
    queued.set(socket, scopes)
    socket.once('close', () => {
      for (const queuedScope of scopes) queuedScope.end()
    })
  }
  scopes.add(scope)
  answer.once('close', () => {
    scopes.delete(scope)
    scope.end()
  })
}
