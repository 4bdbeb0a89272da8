import type { Call, CallInput } from '@cadmus/model/contract/call'
import { organisationHeader } from '@cadmus/model/contract/routes'
import { type ErrorAnswer, errorAnswer } from '@cadmus/model/contract/shared'
import type * as z from 'zod'
import type { Browser } from './browser.ts'

type Shape = z.ZodType | undefined
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : unknown extends T
    ? { [K in Name]?: unknown }
    : Name extends 'query'
      ? { [K in Name]?: T }
      : { [K in Name]: T }

/** The input of a call, with its headers, files and form fields. */
export type CallArguments<C> =
  CallInput<C> extends { params: infer P; query: infer Q; body: infer B }
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B> & RequestExtras
    : never

type RequestExtras = {
  /** Version without quotes, or `*`. */
  ifMatch?: string
  /** Files by part name; their presence makes the request a multipart form. */
  files?: Record<string, { name: string; bytes: Uint8Array }>
  fields?: Record<string, string>
  headers?: Record<string, string>
}

type AnyArguments = { params?: unknown; query?: unknown; body?: unknown } & RequestExtras

export class RejectedCall extends Error {
  readonly status: number
  readonly answer: ErrorAnswer
  readonly headers: Headers

  constructor(status: number, answer: ErrorAnswer, headers: Headers) {
    super(`${status} ${answer.code}: ${answer.message} ${JSON.stringify(answer.errors ?? '')}`)
    this.status = status
    this.answer = answer
    this.headers = headers
  }
}

/** Makes calls from their declarations and validates every answer. */
export class ConsoleClient {
  readonly browser: Browser
  readonly organisation: string | undefined
  readonly userId: string
  #headers: Record<string, string>

  constructor(
    browser: Browser,
    userId: string,
    organisation: string | undefined,
    headers: Record<string, string> = {},
  ) {
    this.browser = browser
    this.userId = userId
    this.organisation = organisation
    this.#headers = headers
  }

  /** Returns the answer of a call; throws RejectedCall. */
  async call<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType>(
    call: Call<P, Q, B, A>,
    args: CallArguments<Call<P, Q, B, A>>,
  ): Promise<z.output<A>> {
    return (await this.callWithTag(call, args)).answer
  }

  /** Returns the answer with the tag to send back as `ifMatch`. */
  async callWithTag<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType>(
    call: Call<P, Q, B, A>,
    args: CallArguments<Call<P, Q, B, A>>,
  ): Promise<{ answer: z.output<A>; etag: string }> {
    const response = await this.send(call, args)
    if (!response.ok) throw await rejectionOf(response)
    const etag = (response.headers.get('etag') ?? '').replace(/^W\//, '').replaceAll('"', '')
    return { answer: await call.answer.parseAsync(await response.json()), etag }
  }

  async download<P extends Shape, Q extends Shape, B extends Shape>(
    call: Call<P, Q, B, 'binary'>,
    args: CallArguments<Call<P, Q, B, 'binary'>>,
  ): Promise<{ bytes: Uint8Array; fileName: string; headers: Headers }> {
    const response = await this.send(call, args)
    if (!response.ok) throw await rejectionOf(response)
    const fileName = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
    return { bytes: new Uint8Array(await response.arrayBuffer()), fileName, headers: response.headers }
  }

  /** Returns the rejection of a call; throws if it succeeds. */
  async refusal<C extends Call>(call: C, args: CallArguments<C>): Promise<RejectedCall> {
    const response = await this.send(call, args)
    if (response.ok) throw new Error(`${call.id} was not refused: ${response.status}.`)
    return rejectionOf(response)
  }

  /** Returns the raw response. */
  async send(call: Call, args: AnyArguments): Promise<Response> {
    const form = args.files === undefined ? undefined : formOf(args)
    const json = form === undefined && args.body !== undefined ? JSON.stringify(args.body) : undefined
    return this.browser.fetch(addressOf(call, args), {
      method: call.method,
      headers: {
        ...(this.organisation === undefined ? {} : { [organisationHeader]: this.organisation }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(args.ifMatch === undefined ? {} : { 'if-match': args.ifMatch === '*' ? '*' : `"${args.ifMatch}"` }),
        ...this.#headers,
        ...args.headers,
      },
      ...(form === undefined ? (json === undefined ? {} : { body: json }) : { body: form }),
    })
  }
}

async function rejectionOf(response: Response): Promise<RejectedCall> {
  return new RejectedCall(response.status, errorAnswer.parse(await response.json()), response.headers)
}

function formOf({ files = {}, fields = {} }: RequestExtras): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const [part, { name, bytes }] of Object.entries(files)) form.set(part, new Blob([new Uint8Array(bytes)]), name)
  return form
}

function addressOf(call: Call, { params, query }: AnyArguments): string {
  const values = new Map(Object.entries(params ?? {}))
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_found, name) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}
