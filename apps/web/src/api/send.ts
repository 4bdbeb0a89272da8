import { adminOrganisationHeader, organisationHeader, type Route, signInHeader } from '@cadmus/model/contract/routes'
import { messages } from '@cadmus/model/messages'
import { askedAhead } from './ahead.ts'
import { noteFailure } from './connection.ts'
import { organisationElsewhere } from './elsewhere.ts'
import { ApiError, errorOf, type ReadError, unreachable } from './error.ts'
import { renewalsSoFar, renewed } from './refresh.ts'
import { currentOrganisation, lastOrganisation, sessionStore } from './session-store.ts'

// The way of every call to the server and back; what stands in it is its caller's. Without the contract's schemas: the first screen
// is asked for with it.

export type CallOptions = {
  signal?: AbortSignal
  /** The ETag of the state that a save started from; '*' overwrites. */
  ifMatch?: string
  /** A session that is over is not renewed for this call. */
  renew?: false
  /** The organisation that an administrator asks about, by its code; absent: the one that the page works in. */
  organisation?: string
}

type Sent = Route & { answer?: unknown }

/** What a call takes, as far as its way to the server minds. */
export type Input = {
  params?: unknown
  query?: unknown
  body?: unknown
  files?: Record<string, File>
  fields?: Record<string, string>
}

/** Resolves to the answer of a success; rejects with ApiError, or AbortError when `signal` fires. `read`: what an error says. */
export async function send(call: Sent, input: Input, options: CallOptions, read?: ReadError): Promise<Response> {
  try {
    return await sendSignedIn(call, input, options, read)
  } catch (error) {
    noteFailure(error)
    noteAccess(call, error)
    throw error
  }
}

/** The organisation that is worked in is this user's no longer. */
function noteAccess({ method }: Sent, error: unknown): void {
  if (error instanceof ApiError && error.code === 'no_subscription' && currentOrganisation() !== '')
    sessionStore.getState().lost({ byChange: method !== 'GET' })
}

async function sendSignedIn(call: Sent, input: Input, options: CallOptions, read?: ReadError): Promise<Response> {
  // The person may go on to another organisation: what is sent again is still meant for this one.
  const elsewhere = options.organisation ?? organisationElsewhere()
  const { response: first, sentAfter } = await attempt(call, input, options, elsewhere)
  const signIn = call.path.includes('/sso/')
  if (first.status !== 401 || options.renew === false || (signIn && call.id !== 'getSession'))
    return checked(first, read)
  // One retry, and only after a refresh that all waiting calls share.
  if (!(await renewed(sentAfter, signIn))) throw await errorOf(first, read)
  return checked((await attempt(call, input, options, elsewhere)).response, read)
}

async function checked(response: Response, read?: ReadError): Promise<Response> {
  if (response.ok) return response
  throw await errorOf(response, read)
}

/** The server answered something else than the contract says. */
export function unexpectedAnswer(status: number): ApiError {
  return new ApiError(status, { message: messages.failed.unexpected, code: 'answer' })
}

/** `sentAfter`: how often the session was renewed before. What was asked ahead was asked before the page could renew any. */
type Attempt = { response: Response; sentAfter: number }

async function attempt(call: Sent, input: Input, options: CallOptions, elsewhere: string | null): Promise<Attempt> {
  const headers = new Headers({ accept: call.answer === 'binary' ? '*/*' : 'application/json' })
  // Who works in no organisation yet may still set some up, as an administrator.
  if (call.path.includes('/sso/') || currentOrganisation() === '') headers.set(signInHeader, '1')
  else headers.set(organisationHeader, currentOrganisation())
  if (call.id === 'getSession') headers.set(organisationHeader, currentOrganisation() || (lastOrganisation() ?? ''))
  if (elsewhere !== null && !isOfPerson(call)) headers.set(adminOrganisationHeader, elsewhere)
  if (options.ifMatch) headers.set('if-match', options.ifMatch)
  const body = bodyOf(input, headers)
  const address = addressOf(call.path, input.params, input.query)
  const ahead =
    call.method === 'GET' && elsewhere === null
      ? await askedAhead(address, headers.get(organisationHeader) ?? '')
      : null
  if (ahead) return { response: ahead, sentAfter: 0 }
  const sentAfter = renewalsSoFar()
  try {
    const response = await fetch(address, {
      method: call.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    return { response, sentAfter }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unreachable()
  }
}

/** Sessions and access tokens are the person's, whichever organisation they work in. */
function isOfPerson({ path }: Sent): boolean {
  return path.includes('/sso/') || path.includes('/token')
}

function bodyOf(input: Input, headers: Headers): BodyInit | undefined {
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
