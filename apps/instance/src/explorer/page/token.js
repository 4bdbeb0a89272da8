/**
 * `globalScopes`: any of them allows everything.
 * @typedef {{ issuer: string, namespace: string, scopes: readonly string[], globalScopes: readonly string[] }} Wanted
 */

/** The public client that the issuer knows the explorers of its instances by. */
const clientId = 'cadmus-instance'
const kept = 'cadmus-token-asked'

/**
 * What waits for the answer. `back`: the page that asked, where it goes on; issuers know one address of an instance, that of its explorer.
 * @typedef {Wanted & { verifier: string, state: string, back: string }} Asked
 */

/** Whether a token can be asked for from here: a proof needs what browsers give to secure pages only. */
export function canAsk() {
  return window.isSecureContext
}

/**
 * Leads to the issuer, which leads back here with a code. What proves that the code is ours waits in this tab until then.
 * @param {Wanted} wanted
 */
export async function askForToken(wanted) {
  const { issuer, scopes } = wanted
  const { authorization_endpoint: address } = await discover(issuer)
  const verifier = random()
  const state = random()
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  /** @type {Asked} */
  const asked = { ...wanted, verifier, state, back: location.pathname + location.search }
  sessionStorage.setItem(kept, JSON.stringify(asked))
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
 * What the issuer sent back with this visit, used up at once; null: it is none that was asked for here.
 * @returns {{ asked: Asked, token: Promise<string> } | null}
 */
export function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  const waiting = sessionStorage.getItem(kept)
  sessionStorage.removeItem(kept)
  if (waiting === null || !answer.has('state')) return null
  /** @type {Asked} */
  const asked = JSON.parse(waiting)
  const { issuer, verifier, state, back } = asked
  if (answer.get('state') !== state) return null
  const to = new URL(back, location.origin)
  if (to.pathname !== location.pathname) {
    // It is taken there, by the page that asked.
    sessionStorage.setItem(kept, waiting)
    to.search = location.search
    location.replace(to)
    return null
  }
  history.replaceState(null, '', to)
  return { asked, token: tokenFor(issuer, verifier, answer) }
}

/**
 * What was asked for and is not in the token, unless that allows everything. Of one that cannot be read nothing is said: the instance judges it.
 * @param {string} token
 * @param {Asked} asked
 * @returns {readonly string[]}
 */
export function notGiven(token, { scopes, globalScopes }) {
  try {
    const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    /** @type {{ scope?: string }} */
    const { scope = '' } = JSON.parse(atob(body))
    const given = new Set(scope.split(' '))
    return globalScopes.some(one => given.has(one)) ? [] : scopes.filter(one => !given.has(one))
  } catch {
    return []
  }
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
