import { StoredFormError } from '@cadmus/model/stored/stored-form'
import { NameConflictError } from '@cadmus/sql/name-conflicts'

/** Null if the model prevents it, with the reason in `thrown`. */
export function attempt<T>(work: () => T, thrown: Set<string>): T | null {
  try {
    return work()
  } catch (error) {
    if (!isOfModel(error)) throw error
    thrown.add(error.message)
    return null
  }
}

function isOfModel(error: unknown): error is Error {
  return error instanceof NameConflictError || error instanceof RangeError || error instanceof StoredFormError
}
