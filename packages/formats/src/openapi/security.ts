import type { Api } from '@cadmus/model/api/api'
import type { JsonTree } from '../json-tree.ts'

/** Security schemes of the API; null without authentication. */
export function securitySchemes({ security }: Api, serverUrl: string): JsonTree | null {
  const { kind, identityProvider, scopes, globalScopes } = security
  if (kind === 'NONE') return null
  if (kind === 'BASIC') {
    return { caller: { type: 'http', scheme: 'basic', description: "A user of the instance's directory." } }
  }
  if (identityProvider === 'CADMUS') {
    const description = "An access token of the OpenID Connect issuer, made for the instance's address."
    return { caller: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description } }
  }
  const all = [...new Set([...scopes, ...globalScopes])]
  const password: JsonTree = {
    tokenUrl: `${serverUrl}/oauth/token`,
    refreshUrl: `${serverUrl}/oauth/token`,
    scopes: Object.fromEntries(all.map(scope => [scope, `Operations that need the scope ${scope}.`])),
  }
  const description = "A token of the instance's own directory."
  return { caller: { type: 'oauth2', description, flows: { password } } }
}

/** A sentence that lists the required scopes; '' without scopes. */
export function scopeSentence({ security }: Api, scopes: readonly string[]): string {
  if (security.kind === 'NONE' || !security.rbac) return ''
  const enough = [...new Set([...scopes, ...security.globalScopes])]
  if (enough.length === 0) return ''
  return enough.length === 1 ? ` Needs the scope ${enough[0]}.` : ` Needs one of the scopes ${enough.join(', ')}.`
}
