import { ownManifestCountQuery } from '../../api/lists.ts'
import { queryClient } from '../../api/query-client.ts'
import { ownScope } from '../../api/scope.ts'
import { requiredBranches } from '../../tree/tree-model.ts'
import { branchPage } from '../../tree/use-branches.ts'

/** Requests the first tree pages before the tree renders. */
export async function prefetchTree(): Promise<void> {
  const scope = ownScope()
  // Reads missing data only: the tree refreshes the rest.
  const ifMissing = { staleTime: Infinity }
  const branches = requiredBranches(['custom'], () => true, [])
  const isNew = queryClient.getQueryData(ownManifestCountQuery(scope).queryKey) === undefined
  const pages = await Promise.allSettled(
    branches.map(async branch => ({
      branch,
      ...(await queryClient.fetchQuery({ ...branchPage(branch, 0, '', scope), ...ifMissing })),
    })),
  )
  // The list response includes the count: saves a request.
  const listed = pages.flatMap(page => (page.status === 'fulfilled' ? [page.value] : []))
  const total = listed.find(({ branch }) => branch.tree === 'manifests')?.total
  if (isNew && total !== undefined) queryClient.setQueryData(ownManifestCountQuery(scope).queryKey, total)
}
