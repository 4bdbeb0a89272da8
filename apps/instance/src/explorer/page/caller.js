/**
 * `send` adds the credentials of the caller.
 * @typedef {{ signIn(): import('./sign-ins.js').SignIn | null, send(path: string, request?: RequestInit): Promise<Response> }} Caller
 */

/**
 * The caller of one package. Credentials are sent only to the addresses of the package, and removed after a 401.
 * @param {import('./sign-in.js').Package} running
 * @param {string} realm
 * @param {import('./sign-ins.js').SignIns} signIns
 * @param {() => void} onRefused
 * @returns {Caller}
 */
export function callerOf({ namespace }, realm, signIns, onRefused) {
  const name = encodeURIComponent(namespace)
  const own = [`/api/${name}/1.0`, `/graphql/${name}/1.0`, `/soap/${name}/1.0`, `/api-explorer/calls/${name}`]
  return {
    signIn: () => signIns.find(realm),
    async send(path, request = {}) {
      const { origin, pathname, href } = new URL(path, location.origin)
      const isOwn = origin === location.origin && own.some(one => pathname === one || pathname.startsWith(`${one}/`))
      if (!isOwn) throw new Error(`${href} is not an address of this package.`)
      const signIn = signIns.find(realm)
      const headers = new Headers(request.headers)
      if (signIn !== null) headers.set('authorization', signIn.authorization)
      const answer = await fetch(href, { ...request, headers, credentials: 'omit', redirect: 'error' })
      if (answer.status === 401 && signIn?.authorization === signIns.find(realm)?.authorization && signIn !== null) {
        signIns.remove(realm)
        onRefused()
      }
      return answer
    },
  }
}
