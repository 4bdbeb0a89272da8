import { useQuery } from '@tanstack/react-query'
import { atRest } from '../ui/at-rest.ts'
import type { Publication } from '../api/publications.ts'
import { keys, scoped } from '../api/query-client.ts'
import { type Scope, useScope } from '../api/scope.ts'

/** The publications of the organisation, newest first. Read once the page is idle, with the code of the call. */
export function publicationsQuery(scope?: Scope) {
  return scoped(
    [...keys.packages, 'publications'],
    async (options): Promise<readonly Publication[]> => {
      await atRest()
      const { readPublications } = await import('../api/publications.ts')
      return readPublications(options)
    },
    scope,
  )
}

/** undefined while unknown. */
export function usePublications(): readonly Publication[] | undefined {
  const scope = useScope()
  return useQuery({ ...publicationsQuery(scope), enabled: scope.organisation !== '' }).data
}
