import { organisationHeader, signInHeader } from '@cadmus/model/contract/shared'
import type { Call } from '@cadmus/model/contract/call'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { askedAhead } from './ahead.ts'
import { noteFailure } from './connection.ts'
import { ApiError, errorOf, unreachable } from './error.ts'
import { renewed } from './refresh.ts'
import { currentOrganisation, lastOrganisation, sessionStore } from './session-store.ts'

// The Content-Security-Policy forbids code from text, which zod would otherwise use to go faster.
z.config({ jitless: true })

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

export type CallOptions = {
  signal?: AbortSignal
  /** The ETag of the state that a save started from; '*' overwrites. */
  ifMatch?: string
}

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
  const response = await send(call, input, options)
  const parsed = call.answer.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw new ApiError(response.status, { message: messages.failed.unexpected, code: 'answer' })
  return { answer: parsed.data, etag: response.headers.get('etag') ?? '' }
}

/** A call that answers a file. */
export async function callForFile<P extends Shape, Q extends Shape, B extends Shape>(
  call: Call<P, Q, B, 'binary'>,
  input: CallArguments<P, Q, B>,
  options: CallOptions = {},
): Promise<{ blob: Blob; fileName: string }> {
  const response = await send(call, input, options)
  const named = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')
  return { blob: await response.blob(), fileName: decodeURIComponent(named?.[1] ?? 'download') }
}

type Loose = {
  params?: unknown
  query?: unknown
  body?: unknown
  files?: Record<string, File>
  fields?: Record<string, string>
}

async function send(call: Call, input: Loose, options: CallOptions): Promise<Response> {
  try {
    return await sendSignedIn(call, input, options)
  } catch (error) {
    noteFailure(error)
    throw error
  }
}

async function sendSignedIn(call: Call, input: Loose, options: CallOptions): Promise<Response> {
  const first = await attempt(call, input, options)
  const signIn = call.path.includes('/sso/')
  if (first.status !== 401 || (signIn && call.id !== 'getSession')) return checked(first)
  // One retry, and only after a refresh that all waiting calls share.
  if (!(await renewed(signIn))) throw await errorOf(first)
  return checked(await attempt(call, input, options))
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await errorOf(response)
}

async function attempt(call: Call, input: Loose, options: CallOptions): Promise<Response> {
  const headers = new Headers({ accept: call.answer === 'binary' ? '*/*' : 'application/json' })
  if (call.path.includes('/sso/')) headers.set(signInHeader, '1')
  else headers.set(organisationHeader, currentOrganisation())
  if (call.id === 'getSession') headers.set(organisationHeader, currentOrganisation() || (lastOrganisation() ?? ''))
  if (options.ifMatch) headers.set('if-match', options.ifMatch)
  const body = bodyOf(input, headers)
  const address = addressOf(call.path, input.params, { ...userQuery(call), ...Object(input.query) })
  const ahead = call.method === 'GET' ? await askedAhead(address, headers.get(organisationHeader) ?? '') : null
  if (ahead) return ahead
  try {
    return await fetch(address, {
      method: call.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unreachable()
  }
}

/** Creations, imports and saves carry the user's id where their declaration asks for it. */
function userQuery(call: Call): { userId?: string } {
  const userId = sessionStore.getState().user?.userId
  const asked = call.method !== 'GET' && call.query instanceof z.ZodObject && 'userId' in call.query.shape
  return asked && userId ? { userId } : {}
}

function bodyOf(input: Loose, headers: Headers): BodyInit | undefined {
  if (input.files) {
    const form = new FormData()
    // Fields first: the server reads them before the file streams in.
    for (const [name, value] of Object.entries(input.fields ?? {})) form.append(name, value)
    for (const [name, file] of Object.entries(input.files)) form.append(name, file)
    return form
  }
  if (input.body === undefined) return undefined
  headers.set('content-type', 'application/json')
  return JSON.stringify(input.body)
}

/** The path with its parameters filled in and the query that says something. */
export function addressOf(path: string, params: unknown, query: unknown): string {
  const given = new Map(entriesOf(params))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.get(name) ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of entriesOf(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
