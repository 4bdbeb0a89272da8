import type { Call } from '@cadmus/model/contract/call'
import type * as z from 'zod'
import type { Organisation, Who } from '../auth/who.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../store/session.ts'
import type { ReadyJson } from './ready-json.ts'
import type { Form } from './upload.ts'
import type { CookieOptions } from './cookies.ts'

/** A download: what a handler of a call with a binary answer gives back, made by `request.sendBinary`. */
export type Download = { bytes: DownloadBytes; fileName: string; contentType: string }

/** All of it, or one part after the other, each asked for when the one before was taken. */
export type DownloadBytes = Uint8Array | AsyncIterable<Uint8Array>

/** Everything of a request that is not its input. */
export type RequestContext = {
  context: Context
  /** Who is asking; on a public call without a session asking for it is a 401. */
  readonly who: Who
  /** The stored session behind the request; null for scripts and visitors. */
  readonly session: SessionRow | null
  /** The organisation that the request names and its user may work in; 403 where there is none. */
  readonly organisation: Organisation
  /** Whether an administrator named it, who need not belong to it. */
  readonly isElsewhere: boolean
  requestId: string
  /** What is asked and with which body, but for headers: the same text where the same is sent again. The body is told by its digest. */
  readonly sent: string
  /** Aborted when the caller goes away before the answer. */
  signal: AbortSignal
  /** The tag of `If-Match` without its quotes, `*` for a deliberate overwrite. Calls with concurrency 'if-match' always have one. */
  ifMatch: string | undefined
  /** Without quotes. */
  setEtag(tag: string): void
  setStatus(status: number): void
  /** One of the call's `answerHeaders`. */
  setHeader(name: string, value: string): void
  /** The parts of a multipart form; each file was checked against the call's declaration. */
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

/** What answers a call: its validated input in, its answer out. */
export type Handler<C> = C extends Call<infer P, infer Q, infer B, infer A> ? HandlerOf<P, Q, B, A> : never

/** A call with its handler, ready for `http/server.ts`. */
export type Route = {
  call: Call
  run(input: { params: unknown; query: unknown; body: unknown }, request: RequestContext): Promise<unknown>
}

export function handle<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType | 'binary'>(
  call: Call<P, Q, B, A>,
  handler: HandlerOf<P, Q, B, A>,
): Route {
  // Safe, though the types of the input are forgotten here: the server runs a route only with what its own call's schemas gave.
  return { call, run: handler }
}
