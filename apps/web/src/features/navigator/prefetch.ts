import { ownManifestCountQuery } from '../../api/manifests.ts'
import { coreSchemaQuery } from '../../api/navigator.ts'
import { queryClient } from '../../api/query-client.ts'
import { wantedBranches } from './tree-model.ts'
import { branchPage } from './use-branches.ts'

/** Asks for what the tree shows first as soon as it is known who asks, before there is a tree. */
export function prefetchTree(): void {
  // What is here already is the tree's to refresh, not that of every change of the address.
  const once = { staleTime: Infinity }
  const branches = wantedBranches('navigator', () => true, [])
  for (const branch of branches) void queryClient.prefetchQuery({ ...branchPage(branch, 0, ''), ...once })
  void queryClient.prefetchQuery({ ...ownManifestCountQuery, ...once })
  void queryClient.prefetchQuery(coreSchemaQuery)
}
