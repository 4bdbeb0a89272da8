import type { EntityContent } from '@cadmus/model/entity'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { messages } from '@cadmus/model/messages'
import { conflict, staleSave } from '../../errors/api-error.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entityContentOf } from '../../store/entity-content.ts'
import type { Change } from '../change.ts'
import { withAuthors } from './conflict-authors.ts'

export type State = { hash: string; content: EntityContent }

/**
 * The base state of a save: the current one for `*`, otherwise the state of the tag. 409 for a tag that does not belong
 * to a state of this entity.
 */
export async function baseOf(db: Db, organisationId: number, ifMatch: string, current: State): Promise<State> {
  if (ifMatch === '*' || ifMatch === current.hash) return current
  const body = await contentByHash(db, organisationId, ifMatch)
  const content = body === undefined ? undefined : readEntity(ifMatch, body)
  if (content?.uid !== current.content.uid) throw conflict(messages.unknownBase)
  return { hash: ifMatch, content }
}

/** Merges a save into the current state. 409 with both values, author and time for fields changed by both. */
export async function mergedSave(
  db: Db,
  { organisationId, actor }: Pick<Change, 'organisationId' | 'actor'>,
  entityId: number,
  { base, mine, current }: { base: State; mine: EntityContent; current: State },
): Promise<EntityContent> {
  if (base.hash === current.hash) return mine
  const { merged, conflicts } = mergeEntity(base.content, mine, current.content)
  if (merged) return merged
  const place = { organisationId, entityId, userId: actor.userId }
  throw staleSave(messages.staleSave, current.hash, await withAuthors(db, place, conflicts, { base, mine, current }))
}

/** A tag may refer to any content of the organisation, also a manifest's, which is not a state of an entity. */
function readEntity(hash: string, body: string): EntityContent | undefined {
  try {
    return entityContentOf(hash, body)
  } catch {
    return undefined
  }
}
