import {
  createToken as createTokenCall,
  listTokens,
  revokeToken as revokeTokenCall,
  type TokenAccess,
  type TokenAnswer,
} from '@cadmus/model/contract/token'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keys, refresh } from './query-client.ts'

export type { TokenAccess, TokenAnswer }
export type TokenRequest = { name: string; access: TokenAccess; isAdmin: boolean; expiresAt: string }

/** The user's own access tokens in the organisation, newest first. */
export function useTokens() {
  return useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }): Promise<TokenAnswer[]> => (await callApi(listTokens, {}, { signal })).tokens,
    // Scripts may use the tokens at any time, which changes their last use.
    staleTime: 0,
  })
}

/** Returns the secret of the new token, which is stored nowhere: neither in the query cache nor in the browser. */
export async function createToken(token: TokenRequest): Promise<string> {
  const { secret } = await callApi(createTokenCall, { body: token })
  await refresh({ queryKey: keys.tokens })
  return secret
}

/** Returns the server's message. */
export async function revokeToken(id: number): Promise<string> {
  try {
    return (await callApi(revokeTokenCall, { params: { id } })).message
  } finally {
    // The token may have been revoked elsewhere.
    await refresh({ queryKey: keys.tokens })
  }
}
