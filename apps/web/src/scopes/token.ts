/** What a JWT says about its caller. `expires`: seconds since 1970; null: it does not say. */
export type TokenClaims = { subject: string | null; scopes: readonly string[]; expires: number | null }

const longest = 16_000

/**
 * The claims of a JWT, also after "Bearer"; null if the text is none. Nothing is verified. Scopes are read as an instance reads them: from
 * `scope`, separated by spaces, and the list `scp`.
 */
export function readToken(text: string): TokenClaims | null {
  const [, payload = ''] = /^(?:Bearer\s+)?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(text.trim().slice(0, longest)) ?? []
  const claims = payload === '' ? null : decoded(payload)
  if (claims === null) return null
  const { sub, scope, scp, exp } = claims
  return {
    subject: typeof sub === 'string' && sub !== '' ? sub : null,
    scopes: [...new Set([...textsIn(typeof scope === 'string' ? scope.split(' ') : []), ...textsIn(scp)])],
    expires: typeof exp === 'number' && Number.isFinite(exp) ? exp : null,
  }
}

function textsIn(claim: unknown): string[] {
  const texts: unknown[] = Array.isArray(claim) ? claim : []
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}

function decoded(payload: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
      one => one.codePointAt(0) ?? 0,
    )
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isClaims(claims) ? claims : null
  } catch {
    return null
  }
}

function isClaims(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
