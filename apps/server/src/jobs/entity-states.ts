import { getEntity } from '@cadmus/model/contract/entity'
import { limits } from '@cadmus/model/limits'
import { entityStates } from '../commands/logged-states.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Store } from '../store/store.ts'
import { entityAnswer } from './answers.ts'
import type { EntityStatesText, StatesInput } from './tasks.ts'

/** The states of entities; null for those that do not exist. Ends beyond the length of an answer. */
export async function statesOfEntities(
  store: Store,
  { organisationId, entities }: StatesInput,
): Promise<(EntityStatesText | null)[]> {
  const texts: (EntityStatesText | null)[] = []
  let length = 0
  for (const { id, change } of entities) {
    if (length > limits.readStates.answer) break
    const answer = await entityAnswer({ store, organisationId }, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    })
    if (!answer) {
      texts.push(null)
      continue
    }
    const states = change && JSON.stringify(await entityStates(store.of(organisationId), organisationId, change))
    const current = JSON.stringify({ ...getEntity.answer.parse(answer), etag: answer.hash })
    length += current.length + (states?.length ?? 0)
    texts.push({ current, change: states })
  }
  return texts
}
