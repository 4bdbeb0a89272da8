import { columnsOf, isRelationship, isTypeAttribute } from '@cadmus/model/columns'
import { removeColumnsEdits } from '@cadmus/model/edits/copy-columns'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { ApiError, conflict } from '../../errors/api-error.ts'
import { entriesOfChange } from '../../store/audit-of-target.ts'
import type { Tx } from '../../store/database.ts'
import { logAfter, type LogRow } from '../../store/edit-log.ts'
import { columnsByUids } from '../../store/entity-column.ts'
import { entityRowsByIds } from '../../store/entity.ts'
import type { Change, Work } from '../change.ts'
import { entityStates } from '../logged-states.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { placesInContent } from './invalid-entity.ts'
import { type MovesBack, saveEntity } from './save-edits.ts'

/** Entries that are searched for moves, and entries of one change. */
const reach = { limit: 1000, maxBytes: Number.POSITIVE_INFINITY }

/** `since`: sequence number of the first entry that the save takes back. `others`: entities saved by the same request. */
type Taken = { id: number; since: number; others: ReadonlySet<number>; onReferences: ReferenceHandling | undefined }
type Taking = Taken & { tx: Tx; change: Change; work: Work }

/**
 * Moves columns back in the entities at the other end of the moves that a save takes back, so that no column is in two
 * entities or in none.
 */
export function movesBack(tx: Tx, change: Change, work: Work, taken: Taken): MovesBack {
  const taking = { ...taken, tx, change, work }
  return {
    before: async (current, next) => takeFromOthers(taking, missingFrom(current, next)),
    after: async (current, next) => returnToOthers(taking, missingFrom(next, current)),
  }
}

async function takeFromOthers(taking: Taking, gained: ReadonlySet<string>): Promise<void> {
  const { tx, change, id, others } = taking
  const columns = await columnsByUids(tx, change.organisationId, gained)
  const elsewhere = columns.filter(({ entityId }) => entityId !== id && !others.has(entityId))
  for (const [otherId, moved] of Map.groupBy(elsewhere, ({ entityId }) => entityId)) {
    const uids = moved.map(({ uid }) => uid)
    await saveOther(taking, otherId, now => removeColumnsEdits(now, uids))
  }
}

/** The log says where lost columns came from. */
async function returnToOthers(taking: Taking, lost: ReadonlySet<string>): Promise<void> {
  if (lost.size === 0) return
  const { tx, change, id, since } = taking
  const left = new Set(lost)
  const { rows } = await logAfter(tx, change.organisationId, { kind: 'entity', id }, { after: since - 1, ...reach })
  for (const row of rows) {
    const { before, after } = await entityStates(tx, change.organisationId, row)
    const came = before && after ? left.intersection(missingFrom(before, after)) : new Set<string>()
    for (const uid of came) left.delete(uid)
    if (came.size > 0) await returnAsBefore(taking, row, came)
  }
}

async function returnAsBefore(taking: Taking, row: LogRow, uids: ReadonlySet<string>): Promise<void> {
  const { tx, change, id, others } = taking
  for (const entry of await entriesOfChange(tx, change.organisationId, row, reach.limit)) {
    if (entry.content_kind !== 'entity' || entry.target_id === id || others.has(entry.target_id)) continue
    const tags = { before: entry.original_hash, after: entry.updated_hash }
    const { before, after } = await entityStates(tx, change.organisationId, tags)
    if (!before || !after) continue
    const moved = uids.intersection(missingFrom(after, before))
    const full = withColumns(after, before, moved)
    if (moved.size > 0) await saveOther(taking, entry.target_id, now => mergedEdits(after, full, now))
  }
}

/** An entity that no longer exists is left out. */
async function saveOther(
  { tx, change, work, onReferences }: Taking,
  id: number,
  edits: (now: EntityContent) => readonly EntityEdit[],
): Promise<void> {
  const entity = (await entityRowsByIds(tx, change.organisationId, [id])).get(id)
  if (!entity) return
  const save = { id, base: '*', version: undefined, earlier: [], edits, onReferences, places: () => placesInContent }
  try {
    await saveEntity(tx, change, work, save)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, message, references, etag } = error
    throw new ApiError(status, code, attributeTexts.moves.elsewhere(entity.name, message), { references, etag })
  }
}

/** Uids of the columns of `other` that `content` does not have. */
function missingFrom(content: EntityContent, other: EntityContent): Set<string> {
  return uidsOf(other).difference(uidsOf(content))
}

function uidsOf(content: EntityContent): Set<string> {
  return new Set(columnsOf(content).map(({ uid }) => uid))
}

function withColumns(content: EntityContent, from: EntityContent, uids: ReadonlySet<string>): EntityContent {
  const columns = columnsOf(from).filter(({ uid }) => uids.has(uid))
  return {
    ...content,
    typeAttributes: [...content.typeAttributes, ...columns.filter(isTypeAttribute)],
    entityAttributes: [...content.entityAttributes, ...columns.filter(isRelationship)],
  }
}

function mergedEdits(base: EntityContent, mine: EntityContent, now: EntityContent): EntityEdit[] {
  const { merged, conflicts } = mergeEntity(base, mine, now)
  if (merged) return entityEditsBetween(now, merged)
  const names = conflicts.map(({ path, field }) => path.split('.').at(-1) || field)
  throw conflict(attributeTexts.moves.notReturned([...new Set(names)].join(', ')))
}
