import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '@cadmus/model/api/api'
import type { TextPieces } from '@cadmus/model/text-pieces'
import type { Admitted, Need } from '../auth/admitted.ts'
import { OperationError } from '../engine/errors.ts'
import type { ServedPackage } from '../engine/engine.ts'
import { HttpError, notFound } from '../http-error.ts'

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

/** Admits a caller who has all of `needs`. Throws an `HttpError` 401, 403 or 429. */
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

/** Keeps bodies of these types as text, since they are parsed after the caller is admitted. */
export function acceptText(app: FastifyInstance, types: readonly string[]): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...types], { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

/** The package of an address. Throws an `HttpError` 404 if it does not serve the protocol. */
export function runningFor<Running extends ServedPackage>(
  host: Pick<ProtocolHost<Running>, 'byNamespace'>,
  { params }: { readonly params: { readonly ns: string } },
  protocol: Api['protocols'][number],
): Running {
  const running = host.byNamespace(params.ns)
  if (!running?.api.protocols.includes(protocol)) throw notFound()
  return running
}

const statuses = { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 } as const

/** Converts an operation error to an HTTP error. Returns other errors unchanged. */
export function toHttpError(error: unknown): unknown {
  if (!(error instanceof OperationError)) return error
  const { kind, message, fields } = error.fault
  const headers: Record<string, string> = kind === 'unavailable' ? { 'retry-after': '2' } : {}
  return new HttpError(statuses[kind], message, headers, { cause: error, fields })
}

/** The explorer's view of a protocol, the redirect target for browsers at the address of the protocol. */
export function explorerAddress({ namespace }: Api, protocol: 'graphql' | 'soap'): string {
  return `/api-explorer?package=${encodeURIComponent(namespace)}&protocol=${protocol}`
}
