import type { TextPieces } from '@cadmus/model/text-pieces'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admitted, Need } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/served-package.ts'

/**
 * The instance as the protocols see it. Protocols are registered once and look up the running package per request.
 */
export type ProtocolHost<Running extends ServedPackage = ServedPackage> = {
  byNamespace(namespace: string): Running | undefined
  /** All running packages, ordered by name. */
  running(): readonly Running[]
  /** The issuer of tokens for packages with the identity provider CADMUS; null without one. */
  readonly issuer: URL | null
  /**
   * Sends text with status 200 (`isAway`: 503) and the common headers; synchronously if it is small. Throws an
   * `HttpError` if the text is too large, too many answers wait, or the caller has disconnected.
   */
  send(
    reply: FastifyReply,
    contentType: string,
    text: TextPieces,
    isAway?: boolean,
  ): FastifyReply | Promise<FastifyReply>
  /** Throws an `HttpError` 401, 403 or 429. Synchronous unless credentials must be checked, for speed. */
  admit(request: FastifyRequest, running: Running, need: Need): Admitted | Promise<Admitted>
}

/** Admits a caller with all permissions. Throws an `HttpError` 401, 403 or 429. */
export function admitToAll<Running extends ServedPackage>(
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

/**
 * Checks further permissions of an admitted caller. The gate is called only to refuse, so that its message is used.
 */
export function admitFurther<Running extends ServedPackage>(
  host: Pick<ProtocolHost<Running>, 'admit'>,
  request: FastifyRequest,
  running: Running,
  caller: Admitted,
  needs: readonly Need[],
): Admitted | Promise<Admitted> {
  const lacking = needs.find(need => !caller.may(need))
  return lacking === undefined ? caller : host.admit(request, running, lacking)
}

/** Content type parser that keeps the body as text, since bodies are parsed after the caller is admitted. */
export function keepBodyText(_request: FastifyRequest, body: string, done: (error: null, body: string) => void): void {
  done(null, body)
}
