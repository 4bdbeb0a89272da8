import type { Call } from '@cadmus/model/contract/call'
import type * as z from 'zod'
import type { Organisation, Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../store/user.ts'
import type { ReadyJson } from './ready-json.ts'
import type { Form } from './upload.ts'
import type { CookieOptions } from './headers.ts'

/** The result of a handler with a binary answer, created by `request.sendBinary`. */
export type Download = { bytes: DownloadBytes; fileName: string; contentType: string }

/** Either the whole file, or its parts; each part is requested after the previous one was sent. */
export type DownloadBytes = Uint8Array | AsyncIterable<Uint8Array>

/** Everything about a request except its input. */
export type RequestContext = {
  context: Context
  /** The caller; throws 401 on a public call without a session. */
  readonly who: Caller
  /** The stored session of the request; null for tokens and visitors. */
  readonly session: SessionRow | null
  /** The organisation named by the request; throws 403 if there is none. */
  readonly organisation: Organisation
  /** Whether an administrator named the organisation, who need not belong to it. */
  readonly isOtherOrganisation: boolean
  requestId: string
  /** Method, URL and body digest, without headers: equal for a repeated request. */
  readonly sent: string
  /** Aborted when the caller disconnects before the answer. */
  signal: AbortSignal
  /**
   * The tag of `If-Match` without quotes, `*` for a deliberate overwrite. Always set for calls with concurrency
   * 'if-match'.
   */
  ifMatch: string | undefined
  setEtag(tag: string): void
  setStatus(status: number): void
  /** `name` must be one of the call's `answerHeaders`. */
  setHeader(name: string, value: string): void
  /** The parts of a multipart form, validated against the call's declared files. */
  files(): Promise<Form>
  sendBinary(bytes: DownloadBytes, fileName: string, contentType: string): Download
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  cookieNames(): string[]
  setCookie(name: string, value: string, options: CookieOptions): void
  clearCookie(name: string, path: string): void
}

type Shape = z.ZodType | undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Answer<A> = A extends z.ZodType ? z.input<A> : Download
type HandlerOf<P, Q, B, A> = (
  input: { params: Output<P>; query: Output<Q>; body: Output<B> },
  request: RequestContext,
) => Promise<Answer<A> | ReadyJson>

/** Takes the validated input of a call and returns its answer. */
export type Handler<C> = C extends Call<infer P, infer Q, infer B, infer A> ? HandlerOf<P, Q, B, A> : never

/** A call with its handler, for `http/server.ts`. */
export type Route = {
  call: Call
  run(input: { params: unknown; query: unknown; body: unknown }, request: RequestContext): Promise<unknown>
}

export function handle<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType | 'binary'>(
  call: Call<P, Q, B, A>,
  handler: HandlerOf<P, Q, B, A>,
): Route {
  // Safe although it drops the input types: the server runs a route only with input parsed by the call's own schemas.
  return { call, run: handler }
}
