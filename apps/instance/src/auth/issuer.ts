import { hash } from 'node:crypto'
import * as z from 'zod'
import { HttpError } from '../http-error.ts'

/** What a JWT says of its caller. */
export type IssuedCaller = {
  readonly name: string
  readonly scopes: ReadonlySet<string>
  readonly tenant: string | null
}

/** Whose tokens count: the issuer and, where they are not on its own origin, its keys. */
type IssuerSettings = { readonly issuer: URL; readonly issuerKeys: URL | null }

/** Only signatures that need the issuer's private key: never none, never one that its public key could make. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const answerTime = 5000
/** A verified token is known for so long at most, in milliseconds. */
const kept = 60_000
const keptAtMost = 10_000

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() })
const claims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  scope: z.string().optional(),
  scp: z.array(z.string()).optional(),
  tenant: z.string().optional(),
})

type Verify = (token: string, audience: readonly string[]) => Promise<z.output<typeof claims>>

/** Reads the access tokens of the OIDC issuer that were made for this instance. */
export class Issuer {
  readonly #settings: IssuerSettings
  readonly #now: () => number
  readonly #known = new Map<string, { caller: IssuedCaller; until: number }>()
  #verify: Promise<Verify> | null = null

  constructor(settings: IssuerSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** Whose token it is; undefined for one that does not count here. Throws 503 while the issuer cannot be asked for its keys. */
  async read(token: string, instanceUrl: URL): Promise<IssuedCaller | undefined> {
    const mark = hash('sha256', `${instanceUrl.origin} ${token}`, 'base64url')
    const known = this.#known.get(mark)
    if (known !== undefined && known.until > this.#now()) return known.caller
    const verify = await this.#ready()
    const told = await verify(token, [instanceUrl.origin, `${instanceUrl.origin}/`]).catch((error: unknown) => {
      if (isRefusal(error)) return undefined
      throw away(error)
    })
    if (told === undefined) return undefined
    const caller = {
      name: told.sub,
      scopes: new Set([...(told.scope ?? '').split(' '), ...(told.scp ?? [])].filter(scope => scope !== '')),
      tenant: told.tenant ?? null,
    }
    if (this.#known.size >= keptAtMost) this.#known.clear()
    this.#known.set(mark, { caller, until: Math.min(told.exp * 1000, this.#now() + kept) })
    return caller
  }

  /** Asks the issuer once; a failure is asked again the next time. */
  #ready(): Promise<Verify> {
    this.#verify ??= this.#discover().catch((error: unknown) => {
      this.#verify = null
      throw away(error)
    })
    return this.#verify
  }

  async #discover(): Promise<Verify> {
    const { issuer, issuerKeys } = this.#settings
    const place = `${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await guarded(place, { headers: { accept: 'application/json' } })
    if (!answer.ok) throw new Error(`The issuer's discovery answered ${answer.status}.`)
    const found = discovered.parse(await answer.json())
    if (found.issuer.replace(/\/$/, '') !== issuer.href.replace(/\/$/, ''))
      throw new Error('The issuer says another name.')
    const keys = issuerKeys ?? new URL(found.jwks_uri)
    if (issuerKeys === null && keys.origin !== issuer.origin) {
      throw new Error(`The issuer's keys are at ${keys.origin}: name their address with CADMUS_OIDC_JWKS_URL.`)
    }
    // Only an instance with such a package needs it.
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
    const keySet = createRemoteJWKSet(keys, { timeoutDuration: answerTime, [customFetch]: guarded })
    return async (token, audience) => {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: found.issuer,
        audience: [...audience],
        algorithms,
        typ: 'at+jwt',
        currentDate: new Date(this.#now()),
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub'],
      })
      return claims.parse(payload)
    }
  }
}

/** The only outgoing HTTP of the instance: to what the operator named, without redirects, and not for long. */
function guarded(place: string, options: RequestInit): Promise<Response> {
  return fetch(place, { ...options, redirect: 'error', signal: AbortSignal.timeout(answerTime) })
}

/** Whether the token is at fault, and not the way to the issuer. */
function isRefusal(error: unknown): boolean {
  if (error instanceof z.ZodError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_J') && code !== 'ERR_JWKS_TIMEOUT' && code !== 'ERR_JOSE_GENERIC'
}

function away(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause
  return new HttpError(503, 'The identity provider cannot be reached.', { 'retry-after': '5' }, { cause })
}
