import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { canonicalJson } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { touchesKeys } from '@cadmus/model/one-key'
import { openTargets } from '@cadmus/model/references'
import { entityProblems } from '@cadmus/model/rules/entity'
import { entityTexts, type SearchText } from '@cadmus/model/search/search-texts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { AuditChange } from '../../store/audit.ts'
import { putContents } from '../../store/content.ts'
import type { Tx } from '../../store/database.ts'
import { columnsOf } from '../../store/entity-column.ts'
import {
  type ContentColumns,
  contentColumns,
  type EntityRow,
  entityRowsByIds,
  setEntityRow,
  type StoredEntity,
} from '../../store/entity.ts'
import { replaceSearchTexts } from '../../store/search-text.ts'
import { missingOrMarked, unmarkContents } from '../../store/unreferenced-content.ts'
import { entityChanged } from '../audit.ts'
import { type Change, type Work, WriteConflict } from '../change.ts'
import { touchesReferences } from './check-references.ts'

/**
 * A checked change of an entity whose new content is already stored, so that its transaction is short. It depends on the
 * entity's row alone. Without an entry nothing changes.
 */
export type PreparedWrite = {
  row: EntityRow
  hash: string
  columns: ContentColumns
  /** For the search, where they differ. */
  texts?: SearchText[]
  entry?: AuditChange
}

type Outcome = { entity: StoredEntity; current: EntityContent; next: EntityContent }

/** Undefined if the rules of the change depend on other data, or if it breaks one. */
export async function prepareWrite(change: Change, outcome: Outcome): Promise<PreparedWrite | undefined> {
  const { entity, current, next } = outcome
  const { store, organisationId } = change
  const { content: stored, own_scopes: _scopes, ...row } = entity
  const columns = contentColumns(next, entity.path)
  if (!isIndependent(stored, current) || !isIndependent(stored, next)) return undefined
  if (isEqual(next, current)) return { row, hash: entity.content_hash, columns }
  await yieldToEventLoop()
  if (entityProblems(next, { previous: current, id: entity.id }).length > 0) return undefined
  await yieldToEventLoop()
  const text = canonicalJson(next)
  if (text.length > limits.entityContent) return undefined
  await yieldToEventLoop()
  // Removed by the next garbage collection if the change fails.
  const mark = { importId: 0, clock: store.clock }
  const [hash = ''] = await putContents(store.of(organisationId), organisationId, [text], mark)
  const description = describeChanges(compareEntities(current, next))
  await yieldToEventLoop()
  const entry = entityChanged({ ...entity, content: current }, { content: next, hash }, description)
  const texts = entityTexts(next)
  return { row, hash, columns, entry, ...(isEqual(texts, entityTexts(current)) ? {} : { texts }) }
}

/** Whether names, columns, keys and references stay the same: no other entity is involved. */
function isIndependent(before: EntityContent, after: EntityContent): boolean {
  return (
    before.name === after.name &&
    isEqual(before.extendsEntity, after.extendsEntity) &&
    isEqual(before.entityAttributes, after.entityAttributes) &&
    isEqual(columnsOf(before), columnsOf(after)) &&
    openTargets(after).length === 0 &&
    !touchesKeys(before, after) &&
    !touchesReferences(after, before)
  )
}

/** Returns the new hash. A write conflict if the entity has changed since, or the content is no longer stored. */
export async function writePrepared(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { row, hash, columns, texts, entry }: PreparedWrite,
): Promise<string> {
  const rows = await entityRowsByIds(tx, organisationId, [row.id])
  if (!isEqual(rows.get(row.id), row)) throw new WriteConflict()
  if (entry === undefined) return hash
  await unmarkContents(tx, organisationId, [hash])
  if ((await missingOrMarked(tx, organisationId, [hash])).length > 0) throw new WriteConflict()
  const change = { id: row.id, from: row, hash, columns }
  if (!(await setEntityRow(tx, organisationId, change, actor))) throw new WriteConflict()
  if (texts) await replaceSearchTexts(tx, organisationId, 'entity', [{ id: row.id, texts }])
  work.audit(entry)
  return hash
}
