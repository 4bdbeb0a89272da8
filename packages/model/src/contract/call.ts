import type * as z from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: anybody; a signed-in user in an organisation of theirs; an administrator in an organisation of theirs; an administrator of
 * the console, who need not work in any: it is with these calls that the first one gets one.
 */
export type Access = 'public' | 'user' | 'admin' | 'console'

/** A file part of a multipart form, as the handler gets it. */
export type FilePart = { kind: 'file'; part: string; extensions: readonly string[] }

type Shape = z.ZodType | undefined

/**
 * One call, declared once: the server's route, the page's client, the tests and openapi.json all come from it.
 * `answer` is the JSON of a success, or 'binary' for a download. `concurrency` says which side of the save protocol it is on:
 * 'etag' answers carry an ETag, 'if-match' calls must send one.
 */
export type Call<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  A extends z.ZodType | 'binary' = z.ZodType | 'binary',
> = {
  id: string
  method: Method
  /** With `{name}` for parameters, as the documents print it. */
  path: string
  summary: string
  tag: string
  access: Access
  /** 'session': only who signed in, no token of a script. */
  by?: 'session'
  /** True where a call changes nothing though its method is none of reading: what it is asked about does not fit into an address. */
  reads?: true
  params?: P
  query?: Q
  body?: B
  files?: readonly FilePart[]
  answer: A
  concurrency?: 'etag' | 'if-match'
  /** What a download may be, as media types without parameters. */
  mediaTypes?: readonly string[]
  /** Headers of a success beside the usual ones, each with what it says. */
  answerHeaders?: Readonly<Record<string, string>>
}

export function defineCall<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  A extends z.ZodType | 'binary' = z.ZodType,
>(call: Call<P, Q, B, A>): Call<P, Q, B, A> {
  return call
}

/** Whether a call changes nothing: all that a read-only token may make. */
export function onlyReads(call: Pick<Call, 'method' | 'reads'>): boolean {
  return call.method === 'GET' || call.reads === true
}

/** Whether a call works in an organisation, so that its request must name one. */
export function worksInOrganisation({ access }: Pick<Call, 'access'>): boolean {
  return access === 'user' || access === 'admin'
}

/** Whether an administrator may make it in any organisation: in one, and not about who makes it. */
export function mayBeElsewhere(call: Pick<Call, 'access' | 'by'>): boolean {
  return worksInOrganisation(call) && call.by !== 'session'
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Out<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a caller hands in. */
export type CallInput<C> =
  C extends Call<infer P, infer Q, infer B, infer _A> ? { params: In<P>; query: In<Q>; body: In<B> } : never
/** What a handler gets, after validation. */
export type HandlerInput<C> =
  C extends Call<infer P, infer Q, infer B, infer _A> ? { params: Out<P>; query: Out<Q>; body: Out<B> } : never
/** What a caller gets back. */
export type CallAnswer<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer A> ? (A extends z.ZodType ? z.output<A> : Blob) : never
/** What a handler gives back. */
export type HandlerAnswer<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer A> ? (A extends z.ZodType ? z.input<A> : never) : never
