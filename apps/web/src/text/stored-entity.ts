import { entityForm } from '@cadmus/model/content'
import type { EntityStateAnswer } from '@cadmus/model/contract/contents'
import { type EntityContent, primaryKeyOf } from '@cadmus/model/entity'
import { entityOfState, keyOf } from '@cadmus/model/entity-answer'
import { mayEditAttributes } from '@cadmus/model/locks'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { LoadedEntity } from '../api/entities.ts'
import { entityDrafts } from '../drafts/entity-draft.ts'

/** An entity as the server has it. Its whole answer is made only for those that are edited. */
export type StoredEntity = {
  id: number
  path: string
  etag: string
  content: EntityContent
  isEditable: boolean
  primaryKey: string | null
  loaded: () => LoadedEntity
}

export function storedEntity(loaded: LoadedEntity): StoredEntity {
  const { entity, etag } = loaded
  const { id, path, primaryKey } = entity
  const { content } = entityDrafts.open(entity, etag)
  return { id, path, etag, content, isEditable: mayEditAttributes(entity).allowed, primaryKey, loaded: () => loaded }
}

export function entityOfAnswer(state: EntityStateAnswer): StoredEntity {
  const { id, path, isDefault, latestVersion } = state
  const content = readStored(entityForm, JSON.parse(state.content))
  const place = { isDefault, type: content.type, currentVersion: latestVersion, latestVersion }
  const etag = `"${state.etag}"`
  let loaded: LoadedEntity | undefined
  return {
    id,
    path,
    etag,
    content,
    isEditable: mayEditAttributes(place).allowed,
    primaryKey: primaryKeyOf(content) ?? keyOf(state.resolvedAttributes),
    loaded: () => (loaded ??= { entity: entityOfState(state, content), etag }),
  }
}
