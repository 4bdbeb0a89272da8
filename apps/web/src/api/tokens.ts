import {
  createToken as createTokenCall,
  listTokens,
  revokeToken as revokeTokenCall,
  type TokenAccess,
  type TokenAnswer,
} from '@cadmus/model/contract/token'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keys, queryClient } from './query-client.ts'

export type { TokenAccess, TokenAnswer }
export type WantedToken = { name: string; access: TokenAccess; isAdmin: boolean; expiresAt: string }

/** The user's own access tokens for the organisation, newest first. */
export function useTokens() {
  return useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }): Promise<TokenAnswer[]> => (await callApi(listTokens, {}, { signal })).tokens,
    // Scripts use them meanwhile.
    staleTime: 0,
  })
}

/** Answers the secret of the new token, which nothing keeps: neither the cache of answers nor any store of the browser. */
export async function createToken(wanted: WantedToken): Promise<string> {
  const { secret } = await callApi(createTokenCall, { body: wanted })
  await queryClient.invalidateQueries({ queryKey: keys.tokens })
  return secret
}

/** Answers what was done in a sentence. */
export async function revokeToken(id: number): Promise<string> {
  try {
    return (await callApi(revokeTokenCall, { params: { id } })).message
  } finally {
    // It may be gone because it was revoked elsewhere.
    await queryClient.invalidateQueries({ queryKey: keys.tokens })
  }
}
