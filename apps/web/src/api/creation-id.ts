import { newUid } from '@cadmus/model/uid'
import { organisationElsewhere } from './elsewhere.ts'
import { isUnanswered } from './error.ts'
import { currentOrganisation } from './session-store.ts'

/** The creations that nobody answered, by what they were to make, each with what the server was told to call it. */
const unanswered = new Map<string, string>()
const kept = 20

/** Makes something new. Repeated after an answer that never came it is the same creation: the server answers what it made, and makes no second. */
export async function creating<T>(what: unknown, send: (saveId: string) => Promise<T>): Promise<T> {
  const name = JSON.stringify([currentOrganisation(), organisationElsewhere(), what])
  const saveId = unanswered.get(name) ?? newUid()
  try {
    const answer = await send(saveId)
    unanswered.delete(name)
    return answer
  } catch (failure) {
    unanswered.delete(name)
    if (isUnanswered(failure)) unanswered.set(name, saveId)
    for (const oldest of [...unanswered.keys()].slice(0, -kept)) unanswered.delete(oldest)
    throw failure
  }
}
