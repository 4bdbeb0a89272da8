import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUiSettings } from './settings.ts'
import { useDebounced } from './use-debounced.ts'

/** An option of a picker. `data` belongs to the caller. */
export type Option<T = unknown> = { value: string; label: string; detail?: string; data: T }

/** Loads a picker's options page by page; `key` identifies the source among all queries. */
export type OptionSource<T> = {
  key: QueryKey
  load: (
    search: string,
    page: number,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ options: Option<T>[]; total: number }>
  /** Why there is no option for a search text, if it is not merely unknown. */
  whyNone?: (search: string) => string | undefined
}

export type Options<T> = {
  options: readonly Option<T>[]
  loading: boolean
  /** The results belong to an earlier text; the results for the current text are pending. */
  pending: boolean
  error: string | null
  whyNone?: string | undefined
  loadMore: () => void
  retry: () => void
}

/** Loads the pages of a source for a search text, debounced; `loadMore` loads the next. */
export function useOptions<T>(source: OptionSource<T>, search: string, enabled: boolean): Options<T> {
  const { searchDebounce, optionPageSize } = useUiSettings()
  const settled = useDebounced(search, searchDebounce)
  const query = useInfiniteQuery({
    queryKey: [...source.key, settled],
    queryFn: ({ pageParam, signal }) => source.load(settled, pageParam, optionPageSize, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * optionPageSize < last.total ? pages.length : undefined),
    enabled,
    placeholderData: keepPreviousData,
  })
  const options = useMemo(() => query.data?.pages.flatMap(page => page.options) ?? [], [query.data])
  return {
    options,
    loading: query.isFetching,
    pending: search !== settled || query.isPlaceholderData || query.isPending,
    error: query.error?.message ?? null,
    whyNone: source.whyNone?.(settled),
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    retry: () => void query.refetch(),
  }
}
