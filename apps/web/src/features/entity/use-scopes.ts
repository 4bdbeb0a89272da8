import { getEntityScopes } from '@cadmus/model/contract/entity'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { keys, scoped } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import type { ReadFailure } from '../../ui/Field.tsx'

export type OfferedScopes = { scopes: readonly string[]; failure: ReadFailure | null }

const none: readonly string[] = []

/** Assignable scopes: non-global scopes of the entity's manifests. */
export function useScopes(id: number): OfferedScopes {
  const query = useQuery(
    scoped(
      [...keys.manifests, 'scopes', id],
      async options => (await callApi(getEntityScopes, { params: { id } }, options)).scopes,
    ),
  )
  const { data, error, isFetching, refetch } = query
  // Stable identity: the panel re-renders by it.
  return useMemo(
    () => ({
      scopes: data ?? none,
      failure: readFailure({ data, error, isFetching, refetch }, 'The scopes could not be read.'),
    }),
    [data, error, isFetching, refetch],
  )
}
