import { getEntityScopes } from '@cadmus/model/contract/entity'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/client.ts'
import { keys } from '../../api/query-client.ts'

const none: readonly string[] = []

/** The scopes that an entity's operations may be given: what the manifests that hold it define and that is not global. */
export function useScopes(id: number): readonly string[] {
  const { data } = useQuery({
    queryKey: [...keys.manifests, 'scopes', id],
    queryFn: async ({ signal }) => (await callApi(getEntityScopes, { params: { id } }, { signal })).scopes,
  })
  return data ?? none
}
