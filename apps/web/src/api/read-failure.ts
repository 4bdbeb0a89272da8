import { messages } from '@cadmus/model/messages'
import type { ReadFailure } from '../ui/Field.tsx'
import { messageOf } from './error.ts'

type Read = { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }

/** A failed read as `sentence`, which names the object, with the reason; null while nothing failed or earlier data is present. */
export function readFailure({ data, error, isFetching, refetch }: Read, sentence: string): ReadFailure | null {
  if (error === null || data !== undefined) return null
  const message = `${sentence} ${messageOf(error, messages.failed.unexpected)}`
  return { message, busy: isFetching, retry: () => void refetch() }
}
