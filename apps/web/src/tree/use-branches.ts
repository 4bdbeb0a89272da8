import { limits } from '@cadmus/model/limits'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { entityPage, manifestEntityPage, manifestPage, subManifestPage } from '../api/lists.ts'
import { messageOf } from '../api/error.ts'
import { keys, scoped } from '../api/query-client.ts'
import { administratorOf, type Scope } from '../api/scope.ts'
import type { CallOptions } from '../api/send.ts'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { organisationOf, type Branch, type BranchState, type Item } from './tree-model.ts'

type Page = { items: readonly Item[]; total: number }

export function useBranches(branches: readonly Branch[], pagesOf: (id: string) => number, search: string) {
  const pages = branches.flatMap(branch => Array.from({ length: pagesOf(branch.id) }, (_, page) => ({ branch, page })))
  const queries = useQueries({
    queries: pages.map(({ branch, page }) => branchPage(branch, page, search)),
  })
  const states = new Map<string, BranchState>()
  const retries = new Map<string, (() => void)[]>()
  pages.forEach(({ branch }, index) => {
    const query = queries[index]
    if (!query) return
    const before = states.get(branch.id)
    // Items added by others may shift items to a later page: removes duplicates.
    const existing = new Set(before?.items.map(item => item.id))
    const items = query.data?.items.filter(item => !existing.has(item.id)) ?? []
    states.set(branch.id, {
      items: [...(before?.items ?? []), ...items],
      total: query.data?.total ?? before?.total,
      loading: (before?.loading ?? false) || query.isPending,
      reading: (before?.reading ?? false) || query.isFetching,
      error: before?.error ?? (query.isError ? messageOf(query.error, firstTexts.failed.unexpected) : null),
    })
    if (query.isError) retries.set(branch.id, [...(retries.get(branch.id) ?? []), () => void query.refetch()])
  })
  useEvenPages(pages.map(({ branch }, index) => ({ group: branch.id, query: queries[index] })))
  return { states, retry: (id: string) => retries.get(id)?.forEach(again => again()) }
}

type Read = { group: string; query: UseQueryResult<Page> | undefined }

/** Pages of a group with different totals are from different times: reloads the earlier ones. */
function useEvenPages(read: readonly Read[]): void {
  const newest = new Map<string, UseQueryResult<Page>>()
  for (const { group, query } of read)
    if (query?.data && query.dataUpdatedAt > (newest.get(group)?.dataUpdatedAt ?? 0)) newest.set(group, query)
  const stale = read.flatMap(({ group, query }) =>
    query?.data && !query.isFetching && query.data.total !== newest.get(group)?.data?.total ? [query] : [],
  )
  const again = useEffectEvent(() => stale.forEach(query => void query.refetch()))
  useEffect(() => again(), [stale.length])
}

/** One page of a branch; members of a manifest are not filtered by the search. */
export function branchPage(branch: Branch, page: number, search: string, scope?: Scope) {
  const pages = branch.manifest ? '' : search
  const organisation = organisationOf(branch.id)
  return scoped(
    [...keys.tree, branch.tree, branch.manifest?.id ?? 0, pages, page],
    options => loadPage(branch, page, pages, options),
    organisation === null ? scope : administratorOf(organisation),
  )
}

async function loadPage(branch: Branch, page: number, search: string, options: CallOptions): Promise<Page> {
  const query = { page, limit: limits.treePageSize, search }
  const own = { ...query, filter: 'PRIVATE' as const }
  if (branch.tree === 'entities') {
    const answer = branch.manifest
      ? await manifestEntityPage(branch.manifest.id, query, options)
      : await entityPage(own, options)
    return { items: answer.entity, total: answer.totalElements }
  }
  const answer = branch.manifest
    ? await subManifestPage(branch.manifest.id, query, options)
    : await manifestPage(own, options)
  return { items: answer.manifests, total: answer.totalElements }
}
