import { messages } from '@cadmus/model/messages'
import { newUid } from '@cadmus/model/uid'
import { ApiError, isOutcomeUnknown } from './error.ts'
import { refreshStructure } from './query-client.ts'
import { currentScope } from './scope.ts'
import { currentOrganisation } from './session-store.ts'

/** Ids of unanswered creations, by their content. */
const pending = new Map<string, string>()
/** Ids of unanswered creations, by their form, even if its content has changed. */
const pendingByForm = new WeakMap<object, string>()
const maxPending = 20

/** An object whose identity is stable while the form is open. */
export type Form = object

/**
 * Creates something. A repeated call after a missing response uses the same id, so that the server returns the first
 * result instead of creating another. If the content has changed since, the call is refused with an explanation if
 * the first creation succeeded.
 */
export async function creating<T>(what: unknown, send: (saveId: string) => Promise<T>, form: Form = {}): Promise<T> {
  const name = JSON.stringify([currentOrganisation(), currentScope(), what])
  const saveIdBefore = pending.get(name)
  const saveId = saveIdBefore ?? pendingByForm.get(form) ?? newUid()
  // Remembers the id under all contents sent with it, so that a later creation with earlier content is not refused.
  const settle = () => {
    for (const [other, id] of pending) if (id === saveId) pending.delete(other)
    pendingByForm.delete(form)
  }
  try {
    const answer = await send(saveId)
    settle()
    return answer
  } catch (failure) {
    const isOther = failure instanceof ApiError && failure.code === 'operation_reused'
    // A refusal of the current content leaves the outcome of the earlier creation open.
    if (isOther || saveIdBefore !== undefined) settle()
    if (isOutcomeUnknown(failure)) {
      pending.set(name, saveId)
      pendingByForm.set(form, saveId)
    }
    for (const oldest of [...pending.keys()].slice(0, -maxPending)) pending.delete(oldest)
    throw isOther ? await alreadyCreated(failure) : failure
  }
}

/** Shows the created object; the form stays open with its current input. */
async function alreadyCreated(failure: ApiError): Promise<ApiError> {
  refreshStructure()
  return failure.with({ message: messages.madeBefore(failure.made?.name) })
}
