import { messages } from '@cadmus/model/messages'
import * as openid from 'openid-client'
import type { Config } from '../config.ts'
import { ApiError, unavailable } from '../errors/api-error.ts'
import { type RemoteAnswer, callRemote, type RemoteRequest, RemoteError } from '../remote/call-remote.ts'
import { clientId, type DevelopmentProvider, mountPath } from './development/provider.ts'

/** The authorization URL, and the values to remember until the callback. */
export type SignInRequest = { url: URL; state: string; nonce: string; verifier: string }

export type SignInResult = {
  issuer: string
  claims: Record<string, unknown>
  idToken: string
  accessToken: string
  /** Null if the provider issues none; the session then ends with its cookie. */
  refreshToken: string | null
}

/** Renewed tokens of the provider, with the claims of the ID token; null if none was sent. */
export type Renewed = Omit<SignInResult, 'claims' | 'issuer'> & { claims: Record<string, unknown> | null }

type Call = (url: URL, remoteRequest: RemoteRequest) => Promise<RemoteAnswer>

const scope = 'openid profile email offline_access'

/** The console's OpenID client, for the embedded or an external provider. */
export class OidcClient {
  #config: Config
  #provider: DevelopmentProvider | null
  #call: Call
  #discovered: Promise<openid.Configuration> | null = null

  constructor(config: Config, provider: DevelopmentProvider | null) {
    this.#config = config
    this.#provider = provider
    const { oidc } = config
    this.#call = (url, remoteRequest) =>
      callRemote(url, remoteRequest, oidc.kind === 'external' && url.origin === oidc.issuer.origin)
  }

  /** Sets the transport of the embedded provider, which is called inside this process. */
  useTransport(call: Call): void {
    this.#call = call
  }

  async startSignIn(publicUrl: URL): Promise<SignInRequest> {
    const configuration = await this.#configuration(publicUrl)
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callback(publicUrl).href,
      scope,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url, state, nonce, verifier }
  }

  /** Redeems the authorization code. A rejected code is a 400. */
  async completeSignIn(publicUrl: URL, code: string, signInRequest: Omit<SignInRequest, 'url'>): Promise<SignInResult> {
    const configuration = await this.#configuration(publicUrl)
    const address = callback(publicUrl)
    address.search = new URLSearchParams({ code, state: signInRequest.state }).toString()
    const issuer = configuration.serverMetadata().issuer
    if (configuration.serverMetadata().authorization_response_iss_parameter_supported === true) {
      address.searchParams.set('iss', issuer)
    }
    const tokens = await translateErrors(() =>
      openid.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: signInRequest.verifier,
        expectedState: signInRequest.state,
        expectedNonce: signInRequest.nonce,
        idTokenExpected: true,
      }),
    )
    const claims = tokens.claims() ?? {}
    const more = await this.#moreClaims(configuration, tokens.access_token, claims)
    return {
      issuer: this.#provider === null ? issuer : 'embedded',
      claims: { ...more, ...claims },
      idToken: tokens.id_token ?? '',
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
    }
  }

  /**
   * Renews the provider's tokens; a rejected refresh token is a 400. Makes no second request: the old refresh token is
   * invalid once this one succeeds, so a later failure would lose the session.
   */
  async renew(publicUrl: URL, refreshToken: string): Promise<Renewed> {
    const configuration = await this.#configuration(publicUrl)
    const tokens = await translateErrors(() => openid.refreshTokenGrant(configuration, refreshToken))
    return {
      claims: tokens.claims() ?? null,
      idToken: tokens.id_token ?? '',
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? refreshToken,
    }
  }

  /** Returns all claims for renewed tokens; null without a new ID token. */
  async claimsOf(publicUrl: URL, { claims, accessToken }: Renewed): Promise<Record<string, unknown> | null> {
    if (claims === null) return null
    const more = await this.#moreClaims(await this.#configuration(publicUrl), accessToken, claims)
    return { ...more, ...claims }
  }

  /**
   * Returns the provider's sign-out URL, which redirects back to the console; null if the provider has none or is
   * unavailable.
   */
  async signOutUrl(publicUrl: URL, idToken: string): Promise<URL | null> {
    try {
      const configuration = await this.#configuration(publicUrl)
      return openid.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: new URL('/', publicUrl).href,
        state: openid.randomState(),
        ...(idToken === '' ? {} : { id_token_hint: idToken }),
      })
    } catch {
      return null
    }
  }

  /** Some providers send profile and permissions only from the userinfo endpoint. */
  async #moreClaims(
    configuration: openid.Configuration,
    accessToken: string,
    claims: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
    if (this.#provider !== null || endpoint === undefined || typeof claims['sub'] !== 'string') return {}
    const subject = claims['sub']
    return translateErrors(() => openid.fetchUserInfo(configuration, accessToken, subject))
  }

  #configuration(publicUrl: URL): Promise<openid.Configuration> {
    this.#discovered ??= this.#discover(publicUrl).catch((error: unknown) => {
      this.#discovered = null
      throw unavailable('The identity provider cannot be reached.', error)
    })
    return this.#discovered
  }

  #discover(publicUrl: URL): Promise<openid.Configuration> {
    const { oidc } = this.#config
    const embedded = this.#provider
    const issuer = oidc.kind === 'external' ? oidc.issuer : new URL(mountPath, publicUrl)
    const id = oidc.kind === 'external' ? oidc.clientId : clientId
    const secret = oidc.kind === 'external' ? oidc.clientSecret : (embedded?.clientSecret ?? null)
    const authentication = secret === null ? openid.None() : openid.ClientSecretBasic(secret)
    return openid.discovery(issuer, id, undefined, authentication, {
      [openid.customFetch]: (url, options) => this.#fetch(new URL(url), options),
      // The settings allow http only for issuers on this machine.
      ...(issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}),
      timeout: 30,
    })
  }

  async #fetch(url: URL, options: openid.CustomFetchOptions): Promise<Response> {
    const { body } = options
    const text = body instanceof URLSearchParams ? body.toString() : body
    const plain = typeof text === 'string' || text instanceof Uint8Array ? text : null
    const answer = await this.#call(url, { method: options.method, headers: options.headers, body: plain })
    const empty = answer.status === 204 || answer.status === 304
    return new Response(empty ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers })
  }
}

function callback(publicUrl: URL): URL {
  return new URL('/sso/login', publicUrl)
}

/** Maps a rejection by the provider to 400, and its unavailability to 503. */
async function translateErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (isAway(error)) throw unavailable('The identity provider cannot be reached.', error)
    const refused =
      error instanceof openid.ClientError ||
      error instanceof openid.ResponseBodyError ||
      error instanceof openid.AuthorizationResponseError ||
      error instanceof openid.WWWAuthenticateChallengeError
    if (!refused) throw error
    throw new ApiError(400, 'invalid_request', messages.session.invalidRequest, { detail: error })
  }
}

/** Detects network errors and server errors of the provider, which the library wraps in its own errors. */
function isAway(error: unknown): boolean {
  if (error instanceof RemoteError) return true
  if (error instanceof Response) return error.status >= 500 || error.status === 429
  if (error instanceof openid.ResponseBodyError) return error.status >= 500 || error.status === 429
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}
