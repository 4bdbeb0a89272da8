import { messages } from '@cadmus/model/messages'
import { newUid } from '@cadmus/model/uid'
import { organisationElsewhere } from './elsewhere.ts'
import { ApiError, isUnanswered } from './error.ts'
import { refreshStructure } from './query-client.ts'
import { currentOrganisation } from './session-store.ts'

/** The creations that nobody answered, by what they were to make, each with what the server was told to call it. */
const unanswered = new Map<string, string>()
/** What nobody answered of a form, whatever stands in it since. */
const unansweredOf = new WeakMap<object, string>()
const kept = 20

/** Whatever is the same as long as the same form is open. */
export type Form = object

/**
 * Makes something new. Repeated after an answer that never came it is the same creation: the server answers what it made, and makes no second.
 * Where its form says something else by then it is refused once if the first was made, in words that say so.
 */
export async function creating<T>(what: unknown, send: (saveId: string) => Promise<T>, form: Form = {}): Promise<T> {
  const name = JSON.stringify([currentOrganisation(), organisationElsewhere(), what])
  const known = unanswered.get(name)
  const saveId = known ?? unansweredOf.get(form) ?? newUid()
  // Under every name that it had: what the form said before would be told later that this one was made.
  const settle = () => {
    for (const [other, id] of unanswered) if (id === saveId) unanswered.delete(other)
    unansweredOf.delete(form)
  }
  try {
    const answer = await send(saveId)
    settle()
    return answer
  } catch (failure) {
    const isOther = failure instanceof ApiError && failure.code === 'save_other'
    // What was refused for what it says now leaves open what became of what was sent before.
    if (isOther || known !== undefined) settle()
    if (isUnanswered(failure)) {
      unanswered.set(name, saveId)
      unansweredOf.set(form, saveId)
    }
    for (const oldest of [...unanswered.keys()].slice(0, -kept)) unanswered.delete(oldest)
    throw isOther ? await madeBefore(failure) : failure
  }
}

/** What was made shows itself: the form stays, with what was entered since. */
async function madeBefore(failure: ApiError): Promise<ApiError> {
  await refreshStructure()
  return failure.with({ message: messages.madeBefore(failure.made?.name) })
}
