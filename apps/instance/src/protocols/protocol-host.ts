import type { TextPieces } from '@cadmus/model/text-pieces'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admitted, Need } from '../auth/admitted.ts'
import type { Served } from '../engine/served.ts'

/** What protocols ask of the instance. Each is registered once and serves whatever runs when a request comes. */
export type ProtocolHost<Running extends Served = Served> = {
  /** The package that runs under the namespace. */
  byNamespace(namespace: string): Running | undefined
  /** Every package that runs, in the order of their names. */
  running(): readonly Running[]
  /** Who makes tokens for packages with the identity provider CADMUS; null: nobody does. */
  readonly issuer: URL | null
  /**
   * Answers with 200 (`isAway`: 503) and a text of the content type, with the headers of every answer; at once where it is small. Throws an
   * `HttpError` where it is too large, too much waits, or nobody is there to take it.
   */
  send(
    reply: FastifyReply,
    contentType: string,
    text: TextPieces,
    isAway?: boolean,
  ): FastifyReply | Promise<FastifyReply>
  /** Throws an `HttpError` 401, 403 or 429. At once where nobody has to be asked: nearly every call of a package. */
  admit(request: FastifyRequest, running: Running, need: Need): Admitted | Promise<Admitted>
}

/** Lets in whoever may do all of it. Throws an `HttpError` 401, 403 or 429. */
export function admitToAll<Running extends Served>(
  host: Pick<ProtocolHost<Running>, 'admit'>,
  request: FastifyRequest,
  running: Running,
  needs: readonly Need[],
): Admitted | Promise<Admitted> {
  const admitted = host.admit(request, running, needs[0] ?? 'any')
  if (needs.length < 2) return admitted
  return admitted instanceof Promise
    ? admitted.then(caller => admitFurther(host, request, running, caller, needs))
    : admitFurther(host, request, running, admitted, needs)
}

/** Lets somebody who is in do all of it as well: the gate is asked again by those only whom it will refuse, in its own words. */
export function admitFurther<Running extends Served>(
  host: Pick<ProtocolHost<Running>, 'admit'>,
  request: FastifyRequest,
  running: Running,
  caller: Admitted,
  needs: readonly Need[],
): Admitted | Promise<Admitted> {
  const lacking = needs.find(need => !caller.may(need))
  return lacking === undefined ? caller : host.admit(request, running, lacking)
}

/** A body as the text that it came as: it is read when its sender was let in. */
export function asSent(_request: FastifyRequest, body: string, done: (error: null, body: string) => void): void {
  done(null, body)
}
