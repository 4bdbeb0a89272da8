import { ImportError } from '@cadmus/formats/import-error'
import { ApiError } from './api-error.ts'

/** Turns an ImportError into a 400 with its code and message; returns other errors unchanged. */
export function importErrorToApi(error: unknown): unknown {
  return error instanceof ImportError ? new ApiError(400, error.code, error.message) : error
}
