import { ApiError } from './error.ts'
import { keyIn, queryClient, scoped } from './query-client.ts'
import { currentScope } from './scope.ts'
import type { CallOptions } from './send.ts'

/** A query whose answer is sent again only if it has changed. */
export function revalidated<T extends object>(
  part: readonly unknown[],
  read: (options: CallOptions) => Promise<{ answer: T; etag: string }>,
  scope = currentScope(),
) {
  return scoped(
    part,
    async (options): Promise<T & { etag: string }> => {
      const before = queryClient.getQueryData<T & { etag: string }>(keyIn(part, scope))
      try {
        const { answer, etag } = await read(before ? { ...options, ifNoneMatch: before.etag } : options)
        return { ...answer, etag }
      } catch (error) {
        if (before && error instanceof ApiError && error.status === 304) return before
        throw error
      }
    },
    scope,
  )
}
