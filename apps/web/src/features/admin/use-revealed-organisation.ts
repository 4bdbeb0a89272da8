import type { OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { useEffect, useEffectEvent } from 'react'
import type { useOrganisations } from '../../api/organisations.ts'

/** Maximum number of pages read to find the organisation of the address. Organisations further down are not searched. */
const maxPages = 10

/** Reads pages until the organisation in the address has a row in the tree, as after a reload. */
export function useRevealedOrganisation(
  code: string | undefined,
  loaded: readonly OrganisationItem[],
  { data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useOrganisations>,
): void {
  const pages = data?.pages.length ?? 0
  const isMissing = code !== undefined && pages > 0 && !loaded.some(organisation => organisation.code === code)
  const readNext = useEffectEvent(() => {
    if (isMissing && hasNextPage && !isFetching && pages < maxPages) void fetchNextPage()
  })
  useEffect(() => readNext(), [isMissing, hasNextPage, isFetching, pages])
}
