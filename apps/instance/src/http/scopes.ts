import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { type LargeAnswers, RequestScope } from '../request-scope.ts'
import type { Unread } from './unread.ts'

type PackageRequest = FastifyRequest<{ Params: { readonly ns?: string } }>

/** Creates the scope of a request. It ends when the answer is sent or the connection closes. */
export function openScope(
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
