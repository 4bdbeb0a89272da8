import {
  adminOrganisationHeader,
  firstRoutes,
  organisationHeader,
  type Route,
  signInHeader,
} from '@cadmus/model/contract/routes'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { noteFailure } from './connection.ts'
import { takeEarlyResponse } from './early-responses.ts'
import { ApiError, errorOf, type ReadError, unreachable } from './error.ts'
import { currentScope, isAdministration, type Scope } from './scope.ts'
import { currentOrganisation, lastOrganisation, sessionStore } from './session-store.ts'

let running: Promise<boolean> | null = null
let renewals = 0

/** Number of session renewals by this page; shows whether a call was sent with the current session. */
function renewalsSoFar(): number {
  return renewals
}

/**
 * Renews the session for a call sent after `sentAfter` renewals. Concurrent calls share one renewal, and a call sent
 * before the last renewal finished needs none. False: the session has ended. Rejects if the outcome is unknown.
 */
function renewed(sentAfter: number, quietly: boolean): Promise<boolean> {
  if (sentAfter < renewals) return Promise.resolve(true)
  running ??= renew().finally(() => {
    running = null
  })
  return running.then(ok => {
    if (!ok) sessionStore.getState().ended({ expired: !quietly && !onSignInPage() })
    return ok
  })
}

/** Only a 401 of the server ends a session; an unreachable server does not. */
async function renew(): Promise<boolean> {
  const response = await fetch(firstRoutes.refreshSession.path, {
    method: firstRoutes.refreshSession.method,
    headers: { [signInHeader]: '1' },
    credentials: 'same-origin',
  }).catch(() => {
    throw unreachable()
  })
  if (response.ok) {
    renewals += 1
    return true
  }
  if (response.status === 401) return false
  throw await errorOf(response)
}

function onSignInPage(): boolean {
  return typeof location !== 'undefined' && location.pathname.startsWith('/sso/')
}

// Sends calls to the server and receives their responses, independent of the contract's schemas, because the first
// screen needs it before the schemas are loaded.

export type CallOptions = {
  signal?: AbortSignal
  /** The ETag of the state that a save is based on; '*' overwrites. */
  ifMatch?: string
  /** The ETag of a state that the caller has: the call rejects with status 304 if it is current. */
  ifNoneMatch?: string
  /** Whether to renew an expired session for this call. */
  renew?: false
  /** Where the call applies; undefined: the current scope. */
  scope?: Scope
}

type Sent = Route & { answer?: unknown; reads?: true }

/** The parts of a call that matter for sending. */
export type Input = {
  params?: unknown
  query?: unknown
  body?: unknown
  files?: Record<string, File>
  fields?: Record<string, string>
}

/**
 * Resolves to a successful response; rejects with ApiError, or AbortError when `signal` fires. `read`: extracts error
 * details.
 */
export async function send(call: Sent, input: Input, options: CallOptions, read?: ReadError): Promise<Response> {
  try {
    return await sendSignedIn(call, input, options, read)
  } catch (error) {
    noteFailure(error)
    noteAccess(call, error)
    throw error
  }
}

/** The user has lost access to the current organisation. Reads go on in the background and are no reason to say so again. */
function noteAccess({ method, reads }: Sent, error: unknown): void {
  if (error instanceof ApiError && error.code === 'no_subscription' && currentOrganisation() !== '')
    sessionStore.getState().loseAccess({ byChange: method !== 'GET' && reads !== true })
}

async function sendSignedIn(call: Sent, input: Input, options: CallOptions, read?: ReadError): Promise<Response> {
  // Fixed before the first attempt: the user may leave the scope before a retry.
  const scope = options.scope ?? currentScope()
  const organisation = isAdministration(scope) && scope.organisation !== '' ? scope.organisation : null
  const { response: first, sentAfter } = await admitted(call, input, options, organisation)
  const signIn = call.path.includes('/sso/')
  if (first.status !== 401 || options.renew === false || (signIn && call.id !== 'getSession'))
    return checked(first, read)
  // One retry, after a refresh shared by all waiting calls.
  if (!(await renewed(sentAfter, signIn))) throw await errorOf(first, read)
  return checked((await admitted(call, input, options, organisation)).response, read)
}

async function checked(response: Response, read?: ReadError): Promise<Response> {
  if (response.ok) return response
  throw await errorOf(response, read)
}

/** The response violates the contract. */
export function unexpectedAnswer(status: number): ApiError {
  return new ApiError(status, { message: firstTexts.failed.unexpected, code: 'answer' })
}

/** `sentAfter`: number of earlier session renewals. Early requests were sent before any renewal. */
type Attempt = { response: Response; sentAfter: number }

/** Seconds, and how often, to wait until the server admits a call. */
const [longestWait, mostWaits] = [2, 8]

/** Sends a call; again after a while if the server admits no more calls for the moment, because it did nothing of it. */
async function admitted(...[call, input, options, organisation]: Parameters<typeof attempt>): Promise<Attempt> {
  for (let waits = 0; ; waits += 1) {
    const sent = await attempt(call, input, options, organisation)
    const seconds = Number(sent.response.headers.get('retry-after'))
    const isWorthIt = sent.response.status === 429 && seconds > 0 && seconds <= longestWait && waits < mostWaits
    if (!isWorthIt) return sent
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    options.signal?.throwIfAborted()
  }
}

async function attempt(call: Sent, input: Input, options: CallOptions, organisation: string | null): Promise<Attempt> {
  const headers = new Headers({ accept: call.answer === 'binary' ? '*/*' : 'application/json' })
  // Without an organisation, an administrator may still create organisations.
  if (call.path.includes('/sso/') || currentOrganisation() === '') headers.set(signInHeader, '1')
  else headers.set(organisationHeader, currentOrganisation())
  if (call.id === 'getSession') headers.set(organisationHeader, currentOrganisation() || (lastOrganisation() ?? ''))
  if (organisation !== null && !isOfPerson(call)) headers.set(adminOrganisationHeader, organisation)
  if (options.ifMatch) headers.set('if-match', options.ifMatch)
  if (options.ifNoneMatch) headers.set('if-none-match', options.ifNoneMatch)
  const body = bodyOf(input, headers)
  const address = addressOf(call.path, input.params, input.query)
  const early =
    call.method === 'GET' && organisation === null
      ? await takeEarlyResponse(address, headers.get(organisationHeader) ?? '')
      : null
  if (early) return { response: early, sentAfter: 0 }
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

/** Sessions and access tokens belong to the user, in every organisation. */
function isOfPerson({ path }: Sent): boolean {
  return path.includes('/sso/') || path.includes('/token')
}

function bodyOf(input: Input, headers: Headers): BodyInit | undefined {
  if (input.files) {
    const form = new FormData()
    // Fields first, because the server reads them before the file is streamed.
    for (const [name, value] of Object.entries(input.fields ?? {})) form.append(name, value)
    for (const [name, file] of Object.entries(input.files)) form.append(name, file)
    return form
  }
  if (input.body === undefined) return undefined
  headers.set('content-type', 'application/json')
  return JSON.stringify(input.body)
}

/** The path with its parameters and the non-empty query parameters. */
export function addressOf(path: string, params: unknown, query: unknown): string {
  const values = new Map(entriesOf(params))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? '')))
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
