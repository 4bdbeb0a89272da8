import { contentFromRequest } from '@cadmus/model/apply-request'
import type { EntityRequest } from '@cadmus/model/contract/entity-shapes'
import { entityEditsBetween } from '@cadmus/model/edits/edits-between'
import type { OnReferences } from '@cadmus/model/detach'
import type { Change } from '../change.ts'
import { placesInRequest } from './invalid-entity.ts'
import { saveEdits, type Saved } from './save-edits.ts'

/** Saves an entity against the state that `ifMatch` names: what the request changes of that state. */
export async function updateEntity(
  change: Change,
  id: number,
  request: EntityRequest,
  { ifMatch, onReferences }: { ifMatch: string; onReferences?: OnReferences | undefined },
): Promise<Saved> {
  return saveEdits(change, id, {
    ifMatch,
    version: request.version,
    uid: request.entity.uid,
    edits: base => entityEditsBetween(base, contentFromRequest(request, base)),
    onReferences: removed => request.onReferencesTo?.[removed] ?? onReferences,
    places: next => placesInRequest(request, next),
  })
}
