/** @typedef {{ issuer: string, scopes: readonly string[] }} TokenRequest */

/** The public OAuth client registered at the issuer for API explorers. */
const clientId = 'cadmus-instance'
const storageKey = 'cadmus-token-request'

/**
 * A request that waits for the redirect back. `realm`: the realm that gets the token. `back`: the query of the page to
 * return to.
 * @typedef {{ issuer: string, realm: string, verifier: string, state: string, back: string }} PendingRequest
 */

/** PKCE needs Web Crypto, which browsers offer only in secure contexts. */
export function canRequestToken() {
  return window.isSecureContext
}

/**
 * Redirects to the issuer, which redirects back with a code. The verifier is stored in this tab only.
 * @param {TokenRequest} request
 * @param {string} realm
 */
export async function requestToken({ issuer, scopes }, realm) {
  const { authorization_endpoint: address } = await discover(issuer)
  const verifier = random()
  const state = random()
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  /** @type {PendingRequest} */
  const pending = { issuer, realm, verifier, state, back: location.search }
  sessionStorage.setItem(storageKey, JSON.stringify(pending))
  const to = new URL(address)
  to.search = String(
    new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: here(),
      scope: ['openid', ...scopes].join(' '),
      resource: location.origin,
      code_challenge: base64url(new Uint8Array(hash)),
      code_challenge_method: 'S256',
      state,
      // Forces a sign-in, so that calls can be tried as different users.
      prompt: 'login',
    }),
  )
  location.assign(to)
}

/**
 * Takes the issuer's answer from the address, once. Returns null if this tab requested no token.
 * @returns {{ realm: string, token: Promise<string> } | null}
 */
export function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  if (!answer.has('state')) return null
  if (stored === null) {
    history.replaceState(null, '', location.pathname)
    return null
  }
  /** @type {PendingRequest} */
  const { issuer, realm, verifier, state, back } = JSON.parse(stored)
  if (answer.get('state') !== state) return null
  history.replaceState(null, '', location.pathname + back)
  return { realm, token: tokenFor(issuer, verifier, answer) }
}

/**
 * @param {string} issuer
 * @param {string} verifier
 * @param {URLSearchParams} answer
 * @returns {Promise<string>}
 */
async function tokenFor(issuer, verifier, answer) {
  const code = answer.get('code')
  if (code === null) throw new Error(answer.get('error_description') ?? 'The server returned no token.')
  const { token_endpoint: address } = await discover(issuer)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: here(),
    code_verifier: verifier,
    resource: location.origin,
  })
  const response = await fetch(address, { method: 'POST', body, credentials: 'omit' })
  /** @type {{ access_token?: string, error_description?: string }} */
  const received = await response.json()
  if (received.access_token === undefined)
    throw new Error(received.error_description ?? 'The server returned no token.')
  return received.access_token
}

/**
 * @param {string} issuer
 * @returns {Promise<{ authorization_endpoint: string, token_endpoint: string }>}
 */
async function discover(issuer) {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { credentials: 'omit' })
  if (!answer.ok) throw new Error('The identity provider could not be reached.')
  return answer.json()
}

function here() {
  return `${location.origin}/api-explorer`
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
