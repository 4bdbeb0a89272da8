import type * as z from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Permitted callers: everyone; signed-in users in one of their organisations; administrators in one of their
 * organisations; console administrators without an organisation, because they create the first one.
 */
export type Access = 'public' | 'user' | 'admin' | 'console'

/** A file part of a multipart form. */
export type FilePart = { kind: 'file'; part: string; extensions: readonly string[] }

type Shape = z.ZodType | undefined

/**
 * Declaration of a call. The server's route, the web client, the tests and openapi.json derive from it. `answer` is the JSON of a success,
 * or 'binary' for a download. `concurrency`: 'etag' answers carry an ETag, 'if-match' calls must send one.
 */
export type Call<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  A extends z.ZodType | 'binary' = z.ZodType | 'binary',
> = Common & OwnCall<P, Q, B, A>

/** The common parts of related calls. */
type Common = { tag: string; access: Access }

type OwnCall<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType | 'binary'> = {
  id: string
  method: Method
  /** Parameters as `{name}`, as in OpenAPI. */
  path: string
  summary: string
  /** 'session': signed-in users only, no access tokens. */
  by?: 'session'
  /** True for a call that changes nothing but is not a GET, because its input does not fit into a URL. */
  reads?: true
  params?: P
  query?: Q
  body?: B
  files?: readonly FilePart[]
  answer: A
  concurrency?: 'etag' | 'if-match'
  /** With 'etag': a request with the tag in If-None-Match is answered 304 if nothing has changed. */
  revalidates?: true
  /** The body has an operation id: a repeated request gets the first answer. */
  repeatable?: true
  /** Media types of a download, without parameters. */
  mediaTypes?: readonly string[]
  /** Additional response headers of a success, with their descriptions. */
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

/** Returns a function that declares related calls. */
export function callsFor(common: Common) {
  return <
    P extends Shape = undefined,
    Q extends Shape = undefined,
    B extends Shape = undefined,
    A extends z.ZodType | 'binary' = z.ZodType,
  >(
    call: OwnCall<P, Q, B, A>,
  ): Call<P, Q, B, A> => ({ ...common, ...call })
}

/** Whether a call changes nothing. Read-only tokens may make only such calls. */
export function onlyReads(call: Pick<Call, 'method' | 'reads'>): boolean {
  return call.method === 'GET' || call.reads === true
}

/** Whether a call runs in an organisation, which its request must name. */
export function worksInOrganisation({ access }: Pick<Call, 'access'>): boolean {
  return access === 'user' || access === 'admin'
}

/** Whether administrators may make the call in any organisation. Calls about the user's own session are excluded. */
export function allowsOtherOrganisation(call: Pick<Call, 'access' | 'by'>): boolean {
  return worksInOrganisation(call) && call.by !== 'session'
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Out<S> = S extends z.ZodType ? z.output<S> : undefined

/** Input on the caller's side. */
export type CallInput<C> =
  C extends Call<infer P, infer Q, infer B, infer _A> ? { params: In<P>; query: In<Q>; body: In<B> } : never
/** Input of the handler, validated. */
export type HandlerInput<C> =
  C extends Call<infer P, infer Q, infer B, infer _A> ? { params: Out<P>; query: Out<Q>; body: Out<B> } : never
/** Result on the caller's side. */
export type CallAnswer<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer A> ? (A extends z.ZodType ? z.output<A> : Blob) : never
/** Result of the handler. */
export type HandlerAnswer<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer A> ? (A extends z.ZodType ? z.input<A> : never) : never
