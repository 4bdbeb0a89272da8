import { locateDocuments } from '@cadmus/model/contract/navigator'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keys, scoped } from './query-client.ts'

type Listed = { kind: 'entity' | 'manifest' | 'configuration'; id: number }
export type Located = { kind: 'entity' | 'manifest'; id: number; name: string; path: string }

/** Names and paths of those documents that exist, or undefined while they are unknown. At most 200 of each kind. */
export function useLocated(documents: readonly Listed[]): readonly Located[] | undefined {
  const idsOf = (isOfKind: (document: Listed) => boolean) =>
    [...new Set(documents.filter(isOfKind).map(({ id }) => id))].toSorted((one, other) => one - other).join()
  const entities = idsOf(({ kind }) => kind === 'entity')
  // A configuration has the id of its manifest.
  const manifests = idsOf(({ kind }) => kind !== 'entity')
  const { data } = useQuery({
    // Below the tree's key, because creating, deleting or moving documents changes the answer.
    ...scoped([...keys.tree, 'located', entities, manifests], async options => {
      return (await callApi(locateDocuments, { query: { entities, manifests } }, options)).documents
    }),
    enabled: documents.length > 0,
  })
  return data
}
