/**
 * The credentials of a caller. `expires`: milliseconds since 1970; null if unknown. `scopes`: null if unknown.
 * @typedef {{ authorization: string, name: string, expires: number | null, scopes: readonly string[] | null }} SignIn
 * @typedef {{ find(realm: string): SignIn | null, add(realm: string, signIn: SignIn): void, remove(realm: string): void }} SignIns
 * @typedef {Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>} TabStorage
 */

const prefix = 'cadmus-sign-in '

/**
 * The sign-ins of a tab, one per realm. Those with a known expiry are stored and survive a reload; others (passwords,
 * opaque tokens) are kept in memory. Expired ones are removed.
 * @param {TabStorage} storage
 * @param {() => number} now
 * @returns {SignIns}
 */
export function createSignIns(storage, now) {
  /** @type {Map<string, SignIn>} */
  const unstored = new Map()
  const hasExpired = (/** @type {SignIn} */ { expires }) => expires !== null && expires <= now()
  /** @type {SignIns} */
  const signIns = {
    find(realm) {
      const signIn = unstored.get(realm) ?? read(storage.getItem(prefix + realm))
      if (signIn !== null && !hasExpired(signIn)) return signIn
      signIns.remove(realm)
      return null
    },
    add(realm, signIn) {
      signIns.remove(realm)
      if (signIn.expires === null) unstored.set(realm, signIn)
      else storage.setItem(prefix + realm, JSON.stringify(signIn))
    },
    remove(realm) {
      unstored.delete(realm)
      storage.removeItem(prefix + realm)
    },
  }
  // Removes expired sign-ins of packages that are not opened again.
  for (const realm of storedRealms(storage)) signIns.find(realm)
  return signIns
}

/**
 * Packages with the same realm share a sign-in: a token belongs to an issuer and an audience, a password to a package.
 * @param {import('./sign-in.js').Package} running
 * @param {string | null} issuer
 * @param {string} origin of the instance, which is the audience
 * @returns {string}
 */
export function realmOf({ security, identityProvider, namespace }, issuer, origin) {
  if (security === 'BASIC') return `password ${origin} ${namespace}`
  return `token ${identityProvider === 'CADMUS' ? issuer : origin} ${origin}`
}

/**
 * The claims of a JWT; empty for other tokens.
 * @param {string} token
 * @returns {{ sub?: string, exp?: number, scope?: string, scp?: string[] }}
 */
function claimsOf(token) {
  try {
    const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(body), character => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {}
  } catch {
    return {}
  }
}

/**
 * @param {string} token an issuer's access token
 * @returns {SignIn}
 */
export function signInByToken(token) {
  const { sub = '', exp, scope = '', scp = [] } = claimsOf(token)
  return {
    authorization: `Bearer ${token}`,
    name: sub,
    expires: exp === undefined ? null : exp * 1000,
    scopes: exp === undefined ? null : [...scope.split(' '), ...scp].filter(one => one !== ''),
  }
}

/** @param {TabStorage} storage */
function storedRealms(storage) {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return keys.filter(key => key.startsWith(prefix)).map(key => key.slice(prefix.length))
}

/**
 * @param {string | null} text
 * @returns {SignIn | null}
 */
function read(text) {
  return text === null ? null : JSON.parse(text)
}
