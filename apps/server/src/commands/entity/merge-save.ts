import type { EntityContent } from '@cadmus/model/entity'
import { isEqual, isRecord } from '@cadmus/model/equal'
import { mergeEntity } from '@cadmus/model/merge'
import type { Conflict as MergeConflict } from '@cadmus/model/merge-fields'
import { messages } from '@cadmus/model/messages'
import { conflict, staleSave, type Conflict } from '../../errors/api-error.ts'
import { newestAudit } from '../../store/audit-read.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entityContentOf } from '../../store/entity-content.ts'

/** A state of one entity under its hash. */
export type State = { hash: string; content: EntityContent }

/** How far back the log is read to tell who changed a field. */
const remembered = 50

/**
 * The state that a save is based on: the present one for `*`, else the one that the tag names. 409 where the store does not know
 * it as a state of this entity.
 */
export async function baseOf(db: Db, organisationId: number, ifMatch: string, current: State): Promise<State> {
  if (ifMatch === '*' || ifMatch === current.hash) return current
  const body = await contentByHash(db, organisationId, ifMatch)
  const content = body === undefined ? undefined : readEntity(ifMatch, body)
  if (content?.uid !== current.content.uid) throw conflict(messages.unknownBase)
  return { hash: ifMatch, content }
}

/** What a save makes of the present state. 409 with both values, who and when, where both changed the same field. */
export async function mergedSave(
  db: Db,
  organisationId: number,
  entityId: number,
  { base, mine, current }: { base: State; mine: EntityContent; current: State },
): Promise<EntityContent> {
  if (base.hash === current.hash) return mine
  const { merged, conflicts } = mergeEntity(base.content, mine, current.content)
  if (merged) return merged
  throw staleSave(messages.staleSave, current.hash, await told(db, organisationId, entityId, base.hash, conflicts))
}

/** A tag may name any content of the organisation, also a manifest's: that is no state of an entity. */
function readEntity(hash: string, body: string): EntityContent | undefined {
  try {
    return entityContentOf(hash, body)
  } catch {
    return undefined
  }
}

async function told(
  db: Db,
  organisationId: number,
  entityId: number,
  baseHash: string,
  conflicts: readonly MergeConflict[],
): Promise<Conflict[]> {
  const entries = await newestAudit(db, organisationId, entityId, remembered)
  const end = entries.findIndex(entry => entry.updated_hash === baseHash)
  const since = end < 0 ? entries : entries.slice(0, end)
  const [newest] = since
  const open = new Set(conflicts.map(({ path }) => path))
  const changers = new Map<string, (typeof since)[number]>()
  let after: Parts | undefined
  for (const [index, entry] of since.entries()) {
    if (open.size === 0) break
    after = index > 0 && since[index - 1]?.original_hash === entry.updated_hash ? after : undefined
    after ??= await partsOf(db, organisationId, entry.updated_hash)
    const before: Parts = await partsOf(db, organisationId, entry.original_hash)
    for (const path of open) {
      if (isEqual(before(path), after(path))) continue
      changers.set(path, entry)
      open.delete(path)
    }
    after = before
  }
  return conflicts.map(found => {
    const entry = changers.get(found.path) ?? newest
    return { ...found, who: entry?.user_name ?? '', when: entry?.at ?? '' }
  })
}

async function contentOf(db: Db, organisationId: number, hash: string | null): Promise<EntityContent | undefined> {
  const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
  return hash === null || body === undefined ? undefined : readEntity(hash, body)
}

/** The part of a content that a conflict's path names: `typeAttributes.<name>`, `operationScopes`, or all of it. */
type Parts = (path: string) => unknown

async function partsOf(db: Db, organisationId: number, hash: string | null): Promise<Parts> {
  const content = await contentOf(db, organisationId, hash)
  if (!content) return () => undefined
  const lists = new Map(Object.entries(content))
  const named = new Map<string, unknown>()
  for (const [list, items] of lists) {
    if (!Array.isArray(items)) continue
    for (const item of items) {
      if (!isRecord(item)) continue
      for (const label of [item.name, item.foreignKeyTypeAttribute]) {
        const path = `${list}.${String(label)}`
        if (label !== undefined && !named.has(path)) named.set(path, item)
      }
    }
  }
  return path => {
    if (path === '') return content
    const list = lists.get(path.split('.')[0] ?? '')
    return Array.isArray(list) ? named.get(path) : list
  }
}
