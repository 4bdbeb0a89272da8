import type { OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { useEffect, useEffectEvent } from 'react'
import type { useOrganisations } from '../../api/organisations.ts'

/** Pages that are fetched to find the organisation of the address; what stands further below is not looked for. */
const mostPages = 10

/** Fetches the pages before the organisation that is shown, so that the tree has its row after a reload. */
export function useOrganisationInSight(
  code: string | undefined,
  found: readonly OrganisationItem[],
  { data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useOrganisations>,
): void {
  const pages = data?.pages.length ?? 0
  const isMissing = code !== undefined && pages > 0 && !found.some(organisation => organisation.code === code)
  const look = useEffectEvent(() => {
    if (isMissing && hasNextPage && !isFetching && pages < mostPages) void fetchNextPage()
  })
  useEffect(() => look(), [isMissing, hasNextPage, isFetching, pages])
}
