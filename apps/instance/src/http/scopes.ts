import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { type LargeAnswers, RequestScope } from '../request-scope.ts'
import type { Unread } from './unread.ts'

type Called = FastifyRequest<{ Params: { readonly ns?: string } }>

/** The scope of a request, which ends when its answer was taken or its connection is closed. */
export function openScope(
  { ip, params, raw: { socket } }: Called,
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

/** Answers that stand in a connection's queue are not told when it closes: one listener for all of them is. */
function endQueued(scope: RequestScope, socket: Socket, answer: FastifyReply['raw']): void {
  const scopes = queued.get(socket) ?? new Set()
  if (!queued.has(socket)) {
    queued.set(socket, scopes)
    socket.once('close', () => {
      for (const one of scopes) one.end()
    })
  }
  scopes.add(scope)
  answer.once('close', () => {
    scopes.delete(scope)
    scope.end()
  })
}
