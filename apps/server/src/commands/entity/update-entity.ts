import { changedInAnswers, contentFromRequest } from '@cadmus/model/apply-request'
import { entityAsAnswered, type EntityUpdate } from '@cadmus/model/contract/entity-shapes'
import { changedAnswers } from '@cadmus/model/contract/request-fields'
import { entityEditsBetween } from '@cadmus/model/edits/edits-between'
import type { OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { refuseFields } from '../../errors/api-error.ts'
import { answerOfState, isDefaultEntity, type ShownState } from './answered-state.ts'
import type { Db } from '../../store/database.ts'
import type { Change } from '../change.ts'
import { placesInRequest } from './invalid-entity.ts'
import { saveEdits, type Saved } from './save-edits.ts'

/** Saves an entity against the state that `ifMatch` names: what the request changes of that state. */
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
    check: (db, shown) => checkAnswered(db, change.organisationId, request, shown),
    edits: base => entityEditsBetween(base, contentFromRequest(request, base)),
    onReferences: removed => request.onReferencesTo?.[removed] ?? onReferences,
    places: next => placesInRequest(request.entity, next),
  })
}

/** 400 for what only answers say, where the body says it otherwise. */
async function checkAnswered(db: Db, organisationId: number, request: EntityUpdate, shown: ShownState): Promise<void> {
  const { entity, targetManifestId = -1, type } = request
  const names = Object.keys(entityAsAnswered).filter(name => Reflect.get(entity, name) !== undefined)
  const withResolved = entity.resolvedAttributes !== undefined
  const wanted = { withResolved, withKey: entity.primaryKey !== undefined }
  const answered = names.length === 0 ? undefined : await answerOfState(db, organisationId, shown, wanted)
  const { latest, content } = shown
  const isMoved = targetManifestId > 0 && targetManifestId !== latest.manifest_id
  refuseFields([
    ...(answered === undefined ? [] : changedAnswers(entityAsAnswered, entity, answered, 'entity')),
    ...changedInAnswers(request, content, isDefaultEntity(latest)),
    ...changedAnswers({ type: entityAsAnswered.type }, { type }, { type: content.type }),
    ...(isMoved ? [{ path: 'targetManifestId', message: messages.readOnly('targetManifestId') }] : []),
  ])
}
