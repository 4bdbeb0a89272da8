import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { retargeted, uidProblems } from '@cadmus/model/read-content'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import type { StoredEntity } from '../../store/entity.ts'
import type { Change } from '../change.ts'
import { requireEntity } from './entity-state.ts'
import { invalidEntity, placesInContent } from './invalid-entity.ts'
import { allowedLoss } from './follow-loss.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { noContent, readContent } from './read-content.ts'
import { saveEdits, type Saved } from './save-edits.ts'
import { subtypeSteps, withSettledKey } from './settle-keys.ts'
import { contentProblems } from './store-content.ts'

/** Validates the JSON content of an entity like a save, without storing it. */
export async function validateContent(change: Change, id: number, text: string): Promise<void> {
  const { store, organisationId } = change
  const db = store.of(organisationId)
  const current = await today(db, organisationId, await requireEntity(db, organisationId, id))
  const next = await withSettledKey(db, organisationId, current, parsed(text, current.content))
  const { steps, problems: subtypeProblems } = await subtypeSteps(db, organisationId, current, next)
  const problems = [...(await contentProblems(db, organisationId, current, next)), ...subtypeProblems]
  if (problems.length > 0) throw invalidEntity(problems, placesInContent)
  const onReferences = () => undefined
  const others = steps.map(step => ({ ...step, onReferences }))
  await allowedLoss(db, organisationId, { current, next, onReferences }, others)
}

type ContentSave = {
  text: string
  ifMatch: string
  /** The version to save; absent: the latest. */
  version: string | undefined
  onReferences: ReferenceHandling
}

/** Stores the JSON content of an entity, merged against the state of `ifMatch`. */
export async function updateContent(change: Change, id: number, save: ContentSave): Promise<Saved> {
  const { text, ifMatch, version, onReferences } = save
  return saveEdits(change, id, {
    ifMatch,
    version,
    edits: base => entityEditsBetween(base, parsed(text, base)),
    onReferences,
    places: () => placesInContent,
  })
}

async function today(db: Db, organisationId: number, entity: StoredEntity): Promise<StoredEntity> {
  return { ...entity, content: await refreshedNow(db, organisationId, entity.content) }
}

async function refreshedNow(db: Db, organisationId: number, content: EntityContent): Promise<EntityContent> {
  return refreshed(content, await referenceLookup(db, organisationId, [content]))
}

/** Parses the text as a content of the same entity; identity and origin cannot be changed. */
function parsed(text: string, previous: EntityContent): EntityContent {
  const content = readContent(text)
  const { uid, type, copiedFrom, format } = previous
  const own = { ...content, uid, type, copiedFrom, format, entityAttributes: retargeted(content, previous) }
  const problems = uidProblems(own)
  if (problems.length > 0) throw noContent(problems)
  return own
}
