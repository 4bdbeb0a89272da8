import { ImportError } from '@cadmus/formats/import-error'
import { ApiError } from './api-error.ts'

/** What a reader of files says to the person who sent one is a 400 with the reader's code; anything else stays as it is. */
export function importRefused(error: unknown): unknown {
  return error instanceof ImportError ? new ApiError(400, error.code, error.message) : error
}
