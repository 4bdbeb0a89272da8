import { changedInAnswers, contentFromRequest } from '@cadmus/model/apply-request'
import { entityAsAnswered, type EntityUpdate } from '@cadmus/model/contract/entity-shapes'
import { changedAnswers } from '@cadmus/model/contract/request-fields'
import { primaryKeyOf } from '@cadmus/model/entity'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { refuseFields } from '../../errors/api-error.ts'
import { isDefaultEntity } from './entity-answer.ts'
import type { Change } from '../change.ts'
import { placesInRequest } from './invalid-entity.ts'
import { type Checked, saveEdits, type Saved } from './save-edits.ts'

/** Saves an entity: applies the request's changes relative to the state of `ifMatch`. */
export async function updateEntity(
  change: Change,
  id: number,
  request: EntityUpdate,
  { ifMatch, onReferences }: { ifMatch: string; onReferences?: OnReferences | undefined },
): Promise<Saved> {
  return saveEdits(change, id, {
    ifMatch,
    version: request.version,
    uid: request.entity.uid,
    check: shown => checkAnswered(request, shown),
    edits: base => entityEditsBetween(base, contentFromRequest(request, base)),
    onReferences: removed => request.onReferencesTo?.[removed] ?? onReferences,
    places: next => placesInRequest(request.entity, next),
  })
}

/** 400 for read-only properties with changed values. */
function checkAnswered(request: EntityUpdate, checked: Checked): void {
  const { entity, targetManifestId = -1, type } = request
  const { latest, content } = checked
  const isDefault = isDefaultEntity(latest)
  const answered = { ...content, id: latest.id, isDefault }
  const isMoved = targetManifestId > 0 && targetManifestId !== latest.manifest_id
  refuseFields([
    ...changedAnswers(entityAsAnswered, entity, answered, 'entity'),
    ...changedInAnswers({ entity }, content, isDefault),
    ...(isOtherKey(request, checked) ? [{ path: 'entity.primaryKey', message: messages.readOnly('primaryKey') }] : []),
    ...changedAnswers({ type: entityAsAnswered.type }, { type }, answered),
    ...(isMoved ? [{ path: 'targetManifestId', message: messages.readOnly('targetManifestId') }] : []),
  ])
}

/** Inherited keys are not compared: they may have changed without a change of the entity. */
function isOtherKey(request: EntityUpdate, { latest, content }: Checked): boolean {
  const { primaryKey } = request.entity
  if (primaryKey === undefined || primaryKey === primaryKeyOf(content)) return false
  const keys = [content, latest.content, contentFromRequest(request, content)].map(primaryKeyOf)
  return keys.every(key => key !== null && key !== primaryKey)
}
