import { upgradeEntityContent } from '@cadmus/model/content'
import { entityEditsBetween } from '@cadmus/model/edits/edits-between'
import type { EntityContent } from '@cadmus/model/entity'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { isDeeperThan } from '@cadmus/model/json-depth'
import { messages } from '@cadmus/model/messages'
import { isUid } from '@cadmus/model/uid'
import { entityProblems } from '@cadmus/model/rules/entity-content-rules'
import { invalid } from '../../errors/api-error.ts'
import { limits } from '@cadmus/model/limits'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import type { StoredEntity } from '../../store/entity.ts'
import type { Change } from '../change.ts'
import { referenceProblems } from './check-references.ts'
import { requireEntity } from './entity-state.ts'
import { invalidEntity, placesInContent } from './invalid-entity.ts'
import { allowedLoss } from './lose-columns.ts'
import { saveEdits, type Saved } from './save-edits.ts'

/** Judges the JSON content of an entity as a save would, and stores nothing. */
export async function validateContent(change: Change, id: number, text: string): Promise<void> {
  const { store, organisationId } = change
  const db = store.of(organisationId)
  const current = await today(db, organisationId, await requireEntity(db, organisationId, id))
  const previous = current.content
  const next = parsed(text, previous)
  const problems = [
    ...entityProblems(next, { previous, id }),
    ...(await referenceProblems(db, organisationId, next, { previous, id })),
  ]
  if (problems.length > 0) throw invalidEntity(problems, placesInContent)
  await allowedLoss(db, organisationId, { current, next, onReferences: () => undefined })
}

type ContentSave = { text: string; ifMatch: string; onReferences: OnReferences | undefined }

/** Stores the JSON content of an entity, merged against the state that `ifMatch` names. */
export async function updateContent(change: Change, id: number, save: ContentSave): Promise<Saved> {
  const { text, ifMatch, onReferences } = save
  return saveEdits(change, id, {
    ifMatch,
    version: undefined,
    edits: base => entityEditsBetween(base, parsed(text, base)),
    onReferences: () => onReferences,
    places: () => placesInContent,
  })
}

async function today(db: Db, organisationId: number, entity: StoredEntity): Promise<StoredEntity> {
  return { ...entity, content: await refreshedNow(db, organisationId, entity.content) }
}

async function refreshedNow(db: Db, organisationId: number, content: EntityContent): Promise<EntityContent> {
  return refreshed(content, await referenceLookup(db, organisationId, [content]))
}

/** The text as a content of the same entity: who it is, and what it was copied from, is not the text's to say. */
function parsed(text: string, previous: EntityContent): EntityContent {
  const content = readContent(text)
  const { uid, type, copiedFrom, format } = previous
  const own = { ...content, uid, type, copiedFrom, format, entityAttributes: retargeted(content, previous) }
  const uids = [...own.typeAttributes, ...own.entityAttributes].map(item => item.uid)
  if (!uids.every(isUid) || new Set(uids).size !== uids.length) throw invalid(messages.failed.entityContent)
  return own
}

/** Whoever writes another target attribute's name into the text means that one, although the uid of the old one still stands there. */
function retargeted({ entityAttributes }: EntityContent, previous: EntityContent): EntityAttribute[] {
  const before = new Map(previous.entityAttributes.map(item => [item.uid, item]))
  return entityAttributes.map(item => {
    const old = before.get(item.uid)
    const isSameUid = old?.associatedEntityTypeAttributeUid === item.associatedEntityTypeAttributeUid
    const isAnother = isSameUid && old?.associatedEntityTypeAttribute !== item.associatedEntityTypeAttribute
    return isAnother ? { ...item, associatedEntityTypeAttributeUid: null } : item
  })
}

function readContent(text: string): EntityContent {
  if (isDeeperThan(text, limits.jsonDepth)) throw invalid(messages.failed.entityContent)
  try {
    return upgradeEntityContent(JSON.parse(text))
  } catch {
    throw invalid(messages.failed.entityContent, [{ path: 'content', message: messages.failed.entityContent }])
  }
}
