import { messages } from '@cadmus/model/messages'
import type { ReadFailure } from '../ui/Field.tsx'
import { messageOf } from './error.ts'

type Read = { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }

/** Why a field has nothing to offer, and another try; null while nothing failed, or where the data of before is there. */
export function readFailure({ data, error, isFetching, refetch }: Read, what?: string): ReadFailure | null {
  if (error === null || data !== undefined) return null
  const reason = messageOf(error, messages.failed.unexpected)
  return { message: what === undefined ? reason : `${what} ${reason}`, busy: isFetching, retry: () => void refetch() }
}
