import { hash } from 'node:crypto'
import * as z from 'zod'
import { HttpError } from '../http-error.ts'

/** The caller named by an access token. */
export type IssuedCaller = {
  readonly name: string
  readonly scopes: ReadonlySet<string>
  readonly tenant: string | null
}

/** The issuer and, if they are on another origin, its keys. */
type IssuerSettings = { readonly issuer: URL; readonly issuerKeys: URL | null }

/** Asymmetric algorithms only: "none" and HMAC would allow forged tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const timeout = 5000
/** Maximum cache lifetime of a verified token, in milliseconds. */
const cacheLifetime = 60_000
const maxCached = 10_000

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() })
const claims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  scope: z.string().optional(),
  scp: z.array(z.string()).optional(),
  tenant: z.string().optional(),
})

type Verify = (token: string, audience: readonly string[]) => Promise<z.output<typeof claims>>

/** Verifies access tokens that the OIDC issuer issued for this instance. */
export class Issuer {
  readonly #settings: IssuerSettings
  readonly #now: () => number
  readonly #verified = new Map<string, { caller: IssuedCaller; until: number }>()
  #verify: Promise<Verify> | null = null

  constructor(settings: IssuerSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /**
   * Returns the caller of a token, or undefined for an invalid one. Throws 503 while the issuer's keys are unavailable.
   */
  async read(token: string, instanceUrl: URL): Promise<IssuedCaller | undefined> {
    const digest = hash('sha256', `${instanceUrl.origin} ${token}`, 'base64url')
    const cached = this.#verified.get(digest)
    if (cached !== undefined && cached.until > this.#now()) return cached.caller
    const verify = await this.#verifier()
    const content = await verify(token, [instanceUrl.origin, `${instanceUrl.origin}/`]).catch((error: unknown) => {
      if (isInvalidToken(error)) return undefined
      throw unavailable(error)
    })
    if (content === undefined) return undefined
    const caller = {
      name: content.sub,
      scopes: new Set([...(content.scope ?? '').split(' '), ...(content.scp ?? [])].filter(scope => scope !== '')),
      tenant: content.tenant ?? null,
    }
    if (this.#verified.size >= maxCached) this.#verified.clear()
    this.#verified.set(digest, { caller, until: Math.min(content.exp * 1000, this.#now() + cacheLifetime) })
    return caller
  }

  /** Runs the discovery once; after a failure the next call retries. */
  #verifier(): Promise<Verify> {
    this.#verify ??= this.#discover().catch((error: unknown) => {
      this.#verify = null
      throw unavailable(error)
    })
    return this.#verify
  }

  async #discover(): Promise<Verify> {
    const { issuer, issuerKeys } = this.#settings
    const address = `${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetchIssuer(address, { headers: { accept: 'application/json' } })
    if (!answer.ok) throw new Error(`The issuer's discovery answered ${answer.status}.`)
    const discovery = discoverySchema.parse(await answer.json())
    if (discovery.issuer.replace(/\/$/, '') !== issuer.href.replace(/\/$/, ''))
      throw new Error('The discovery document names a different issuer.')
    const keys = issuerKeys ?? new URL(discovery.jwks_uri)
    if (issuerKeys === null && keys.origin !== issuer.origin) {
      throw new Error(`The issuer's keys are at ${keys.origin}: name their address with CADMUS_OIDC_JWKS_URL.`)
    }
    // Loaded on demand, since few instances need it.
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
    const keySet = createRemoteJWKSet(keys, { timeoutDuration: timeout, [customFetch]: fetchIssuer })
    return async (token, audience) => {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: discovery.issuer,
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

/** The only outgoing HTTP of the instance: to configured addresses, without redirects, with a timeout. */
function fetchIssuer(address: string, options: RequestInit): Promise<Response> {
  return fetch(address, { ...options, redirect: 'error', signal: AbortSignal.timeout(timeout) })
}

/** Whether the token is invalid, as opposed to the issuer being unavailable. */
function isInvalidToken(error: unknown): boolean {
  if (error instanceof z.ZodError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_J') && code !== 'ERR_JWKS_TIMEOUT' && code !== 'ERR_JOSE_GENERIC'
}

function unavailable(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause
  return new HttpError(503, 'The identity provider cannot be reached.', { 'retry-after': '5' }, { cause })
}
