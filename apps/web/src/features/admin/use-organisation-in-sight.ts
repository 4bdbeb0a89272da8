import type { OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { useEffect, useEffectEvent } from 'react'
import type { useOrganisations } from '../../api/organisations.ts'

/** Most pages read to find the organisation of the address. Organisations further down are not searched. */
const mostPages = 10

/** Reads pages until the organisation in the address has a row in the tree, as after a reload. */
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
