import { limits } from '@cadmus/model/limits'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { entityPage, manifestEntityPage, manifestPage, subManifestPage } from '../../api/lists.ts'
import { messageOf } from '../../api/error.ts'
import { keys } from '../../api/query-client.ts'
import { messages } from '@cadmus/model/messages'
import type { Branch, BranchState, Item } from './tree-model.ts'

type Page = { items: readonly Item[]; total: number }

/** The pages of the given branches, 20 nodes each. */
export function useBranches(branches: readonly Branch[], pagesOf: (id: string) => number, search: string) {
  const wanted = branches.flatMap(branch => Array.from({ length: pagesOf(branch.id) }, (_, page) => ({ branch, page })))
  const queries = useQueries({
    queries: wanted.map(({ branch, page }) => branchPage(branch, page, search)),
  })
  const states = new Map<string, BranchState>()
  const retries = new Map<string, (() => void)[]>()
  wanted.forEach(({ branch }, index) => {
    const query = queries[index]
    if (!query) return
    const before = states.get(branch.id)
    states.set(branch.id, {
      items: [...(before?.items ?? []), ...(query.data?.items ?? [])],
      total: query.data?.total ?? before?.total,
      loading: (before?.loading ?? false) || query.isPending,
      error: before?.error ?? (query.isError ? messageOf(query.error, messages.failed.unexpected) : null),
    })
    if (query.isError) retries.set(branch.id, [...(retries.get(branch.id) ?? []), () => void query.refetch()])
  })
  return { states, retry: (id: string) => retries.get(id)?.forEach(again => again()) }
}

/** One page of a branch; what is below a manifest is never searched. */
export function branchPage(branch: Branch, page: number, search: string) {
  const wanted = branch.manifest ? '' : search
  return queryOptions({
    queryKey: [...keys.tree, branch.tree, branch.manifest?.id ?? 0, wanted, page],
    queryFn: ({ signal }) => loadPage(branch, page, wanted, signal),
  })
}

async function loadPage(branch: Branch, page: number, search: string, signal: AbortSignal): Promise<Page> {
  const query = { page, limit: limits.treePageSize, search }
  const own = { ...query, filter: 'PRIVATE' as const }
  if (branch.tree === 'entities') {
    const answer = branch.manifest
      ? await manifestEntityPage(branch.manifest.id, query, signal)
      : await entityPage(own, signal)
    return { items: answer.entity, total: answer.totalElements }
  }
  const answer = branch.manifest
    ? await subManifestPage(branch.manifest.id, query, signal)
    : await manifestPage(own, signal)
  return { items: answer.manifests, total: answer.totalElements }
}
