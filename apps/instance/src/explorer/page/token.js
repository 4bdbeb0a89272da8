/** @typedef {{ issuer: string, scopes: readonly string[] }} TokenRequest */

/** The public client that the issuer knows the explorers of its instances by. */
const clientId = 'cadmus-instance'
const storageKey = 'cadmus-token-request'

/**
 * What waits for the answer. `realm`: whose token it will be. `back`: the query of the page that asked, where it goes on.
 * @typedef {{ issuer: string, realm: string, verifier: string, state: string, back: string }} PendingRequest
 */

/** Whether a token can be asked for from here: a proof needs what browsers give to secure pages only. */
export function canAsk() {
  return window.isSecureContext
}

/**
 * Leads to the issuer, which leads back here with a code. What proves that the code is ours waits in this tab until then.
 * @param {TokenRequest} request
 * @param {string} realm
 */
export async function askForToken({ issuer, scopes }, realm) {
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
      // Whose token it shall be is asked: a page to try calls with tries them as several.
      prompt: 'login',
    }),
  )
  location.assign(to)
}

/**
 * What the issuer sent back with this visit, used up at once; null: nothing that was asked for here.
 * @returns {{ realm: string, token: Promise<string> } | null}
 */
export function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  const waiting = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  if (waiting === null || !answer.has('state')) return null
  /** @type {PendingRequest} */
  const { issuer, realm, verifier, state, back } = JSON.parse(waiting)
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
  if (code === null) throw new Error(answer.get('error_description') ?? 'No token was given.')
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
  const given = await response.json()
  if (given.access_token === undefined) throw new Error(given.error_description ?? 'No token was given.')
  return given.access_token
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
