import type { Call } from '@cadmus/model/contract/call'
import { errorAnswer, type ErrorAnswer } from '@cadmus/model/contract/shared'
import { schemaWords } from '@cadmus/model/schema-words'
import * as z from 'zod'
import { type CallOptions, type Input, send, unexpectedAnswer } from './send.ts'
import { sessionStore } from './session-store.ts'

// The Content-Security-Policy forbids code from text, which zod would otherwise use to go faster. What is wrong is said in the product's words.
z.config({ jitless: true, localeError: schemaWords })

type Shape = z.ZodType | undefined
type Part<Name extends string, S extends Shape> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [K in Name]?: z.input<S> }
    : { [K in Name]: z.input<S> }
  : unknown

/** What a call takes: params, query and body as its declaration says, and its file parts by name. */
export type CallArguments<P extends Shape, Q extends Shape, B extends Shape> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> & { files?: Record<string, File>; fields?: Record<string, string> }

/** One call of the contract. Resolves to its answer; rejects with ApiError, or AbortError when `signal` fires. */
export async function callApi<P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType>(
  call: Call<P, Q, B, A>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<z.output<A>> {
  return (await callWithTag(call, input, options)).answer
}

/** As callApi, with the ETag of the answer ('' where it has none), which a later save sends as ifMatch. */
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

/** A call that answers a file. */
export async function callForFile<P extends Shape, Q extends Shape, B extends Shape>(
  call: Call<P, Q, B, 'binary'>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<{ blob: Blob; fileName: string }> {
  const response = await sendDeclared(call, input, options)
  return { blob: await response.blob(), fileName: fileNameIn(response.headers.get('content-disposition') ?? '') }
}

/** Its name in full where that is told; the plain one beside it has every letter that is not ASCII replaced. */
function fileNameIn(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (full !== undefined) return decodeURIComponent(full)
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? 'download'
}

async function sendDeclared(call: Call, input: Input, options: CallOptions): Promise<Response> {
  return send(call, { ...input, query: { ...userQuery(call), ...Object(input.query) } }, options, readError)
}

/** Without the weakness that a compressing proxy adds: tags are compared. */
function tagOf({ headers }: Response): string {
  return (headers.get('etag') ?? '').replace(/^W\//, '')
}

/** Creations, imports and saves carry the user's id where their declaration asks for it. */
function userQuery(call: Call): { userId?: string } {
  const userId = sessionStore.getState().user?.userId
  const asked = call.method !== 'GET' && call.query instanceof z.ZodObject && 'userId' in call.query.shape
  return asked && userId ? { userId } : {}
}

/** All that an error of the contract says. */
function readError(body: unknown): Partial<ErrorAnswer> {
  const parsed = errorAnswer.partial().safeParse(body)
  return parsed.success ? parsed.data : {}
}
