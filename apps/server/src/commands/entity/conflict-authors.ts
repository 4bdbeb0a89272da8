import { conflictSubjects, indexedState, type IndexedState } from '@cadmus/model/merge/conflict-subjects'
import type { Conflict as MergeConflict } from '@cadmus/model/merge/items'
import type { Conflict } from '../../errors/api-error.ts'
import { newestAudit } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entityContentOf } from '../../store/entity-content.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { State } from './merge-save.ts'

/** Limit of log entries to search, and page size. */
const searched = { entries: 200, page: 25 }

type Author = { who: string; when: string; own?: true }
type Sides = { base: State; mine: State['content']; current: State }

/**
 * Adds author and time of the current value to each conflicting field, ignoring later changes of other fields. Empty if the log does not
 * reach back.
 */
export async function withAuthors(
  db: Db,
  { organisationId, entityId, userId }: { organisationId: number; entityId: number; userId: string },
  conflicts: readonly MergeConflict[],
  { base, mine, current }: Sides,
): Promise<Conflict[]> {
  const theirs = indexedState(current.content)
  const fields = conflictSubjects(conflicts, { base: indexedState(base.content), mine: indexedState(mine), theirs })
  const open = new Map(fields.entries())
  const authors = new Map<number, Author>()
  for await (const { before, after, byId, ...author } of changesSince(db, organisationId, entityId, base.hash)) {
    for (const [index, isSame] of open) {
      if (isSame(before, after) || !isSame(after, theirs)) continue
      authors.set(index, byId === userId ? { ...author, own: true } : author)
      open.delete(index)
    }
    if (open.size === 0) break
    await yieldToEventLoop()
  }
  return conflicts.map((conflict, index) => ({ ...conflict, ...(authors.get(index) ?? { who: '', when: '' }) }))
}

type Step = Author & { byId: string; before: IndexedState | undefined; after: IndexedState | undefined }

/** Changes of the entity since that state, newest first. */
async function* changesSince(
  db: Db,
  organisationId: number,
  entityId: number,
  baseHash: string,
): AsyncGenerator<Step, void> {
  let newer: { hash: string | null; state: IndexedState | undefined } = { hash: null, state: undefined }
  const stateAt = async (hash: string | null) => {
    if (hash !== newer.hash) newer = { hash, state: await stateOf(db, organisationId, hash) }
    return newer.state
  }
  let last: number | undefined
  for (let read = 0; read < searched.entries; read += searched.page) {
    const entries = await newestAudit(db, organisationId, entityId, { limit: searched.page, before: last })
    for (const { updated_hash: now, original_hash: then, user_id: byId, user_name: who, at: when } of entries) {
      if (now === baseHash) return
      yield { byId, who, when, after: await stateAt(now), before: await stateAt(then) }
    }
    last = entries.at(-1)?.sequence
    if (entries.length < searched.page) return
  }
}

async function stateOf(db: Db, organisationId: number, hash: string | null): Promise<IndexedState | undefined> {
  const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
  return hash === null || body === undefined ? undefined : indexedState(entityContentOf(hash, body))
}
