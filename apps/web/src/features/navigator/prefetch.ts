import { ownManifestCountQuery } from '../../api/lists.ts'
import { queryClient } from '../../api/query-client.ts'
import { wantedBranches } from '../../tree/tree-model.ts'
import { branchPage } from '../../tree/use-branches.ts'

/** Asks for what the tree shows first as soon as it is known who asks, before there is a tree. */
export async function prefetchTree(): Promise<void> {
  // What is here already is the tree's to refresh, not that of every change of the address.
  const once = { staleTime: Infinity }
  const branches = wantedBranches(['custom'], () => true, [])
  const isNew = queryClient.getQueryData(ownManifestCountQuery.queryKey) === undefined
  const pages = await Promise.allSettled(
    branches.map(async branch => ({
      branch,
      ...(await queryClient.fetchQuery({ ...branchPage(branch, 0, ''), ...once })),
    })),
  )
  // The number of one's own manifests is in the answer that lists them.
  const listed = pages.flatMap(page => (page.status === 'fulfilled' ? [page.value] : []))
  const total = listed.find(({ branch }) => branch.tree === 'manifests')?.total
  if (isNew && total !== undefined) queryClient.setQueryData(ownManifestCountQuery.queryKey, total)
}
