import type { Call } from '@cadmus/model/contract/call'
import { errorAnswer, type ErrorAnswer } from '@cadmus/model/contract/shared'
import { schemaWords } from '@cadmus/model/schema-words'
import * as z from 'zod'
import { type CallOptions, type Input, send, unexpectedAnswer } from './send.ts'
import { sessionStore } from './session-store.ts'

// The Content-Security-Policy forbids code generation, which zod uses by default. Schema errors use the product's
// texts.
z.config({ jitless: true, localeError: schemaWords })

type Shape = z.ZodType | undefined
type Part<Name extends string, S extends Shape> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [K in Name]?: z.input<S> }
    : { [K in Name]: z.input<S> }
  : unknown

/** Arguments of a call: params, query and body by its declaration, and file parts by name. */
export type CallArguments<P extends Shape, Q extends Shape, B extends Shape> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> & { files?: Record<string, File>; fields?: Record<string, string> }

/** Performs a call of the contract. Rejects with ApiError, or AbortError when `signal` fires. */
export async function callApi<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType>(
  call: Call<P, Q, B, A>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<z.output<A>> {
  return (await callWithTag(call, input, options)).answer
}

/** Like callApi, with the ETag of the response ('' if none), which a later save sends as ifMatch. */
export async function callWithTag<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType>(
  call: Call<P, Q, B, A>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<{ answer: z.output<A>; etag: string }> {
  const response = await sendDeclared(call, input, options)
  const parsed = call.answer.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw unexpectedAnswer(response.status)
  return { answer: parsed.data, etag: tagOf(response) }
}

export async function callForFile<P extends Shape, Q extends Shape, B extends Shape>(
  call: Call<P, Q, B, 'binary'>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<{ blob: Blob; fileName: string }> {
  const response = await sendDeclared(call, input, options)
  return { blob: await response.blob(), fileName: fileNameIn(response.headers.get('content-disposition') ?? '') }
}

/** Prefers the encoded full name; in the plain one all non-ASCII characters are replaced. */
function fileNameIn(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (full !== undefined) return decodeURIComponent(full)
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? 'download'
}

async function sendDeclared(call: Call, input: Input, options: CallOptions): Promise<Response> {
  return send(call, { ...input, query: { ...userQuery(call), ...Object(input.query) } }, options, readError)
}

/** Omits the weak prefix that a compressing proxy adds, because tags are compared. */
function tagOf({ headers }: Response): string {
  return (headers.get('etag') ?? '').replace(/^W\//, '')
}

/** Creations, imports and saves send the user's id if their declaration requires it. */
function userQuery(call: Call): { userId?: string } {
  const userId = sessionStore.getState().user?.userId
  const sendsUser = call.method !== 'GET' && call.query instanceof z.ZodObject && 'userId' in call.query.shape
  return sendsUser && userId ? { userId } : {}
}

function readError(body: unknown): Partial<ErrorAnswer> {
  const parsed = errorAnswer.partial().safeParse(body)
  return parsed.success ? parsed.data : {}
}
