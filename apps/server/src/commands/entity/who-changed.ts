import { contestedFields, knownState, type KnownState } from '@cadmus/model/contested'
import type { Conflict as MergeConflict } from '@cadmus/model/merge-fields'
import type { Conflict } from '../../errors/api-error.ts'
import { newestAudit } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entityContentOf } from '../../store/entity-content.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { State } from './merge-save.ts'

/** Limit of log entries to search, and page size. */
const remembered = { entries: 200, page: 25 }

type Whose = { who: string; when: string; own?: true }
type Sides = { base: State; mine: State['content']; current: State }

/**
 * Adds author and time of the current value to each conflicting field, ignoring later changes of other fields. Empty if the log does not
 * reach back.
 */
export async function withWhoChanged(
  db: Db,
  { organisationId, entityId, userId }: { organisationId: number; entityId: number; userId: string },
  conflicts: readonly MergeConflict[],
  { base, mine, current }: Sides,
): Promise<Conflict[]> {
  const theirs = knownState(current.content)
  const fields = contestedFields(conflicts, { base: knownState(base.content), mine: knownState(mine), theirs })
  const open = new Map(fields.entries())
  const found = new Map<number, Whose>()
  for await (const { before, after, byId, ...whose } of changesSince(db, organisationId, entityId, base.hash)) {
    for (const [index, isSame] of open) {
      if (isSame(before, after) || !isSame(after, theirs)) continue
      found.set(index, byId === userId ? { ...whose, own: true } : whose)
      open.delete(index)
    }
    if (open.size === 0) break
    await yieldToEventLoop()
  }
  return conflicts.map((conflict, index) => ({ ...conflict, ...(found.get(index) ?? { who: '', when: '' }) }))
}

type Step = Whose & { byId: string; before: KnownState | undefined; after: KnownState | undefined }

/** Changes of the entity since that state, newest first. */
async function* changesSince(
  db: Db,
  organisationId: number,
  entityId: number,
  baseHash: string,
): AsyncGenerator<Step, void> {
  let newer: { hash: string | null; state: KnownState | undefined } = { hash: null, state: undefined }
  const stateAt = async (hash: string | null) => {
    if (hash !== newer.hash) newer = { hash, state: await stateOf(db, organisationId, hash) }
    return newer.state
  }
  let last: number | undefined
  for (let read = 0; read < remembered.entries; read += remembered.page) {
    const entries = await newestAudit(db, organisationId, entityId, { limit: remembered.page, before: last })
    for (const { updated_hash: now, original_hash: then, user_id: byId, user_name: who, at: when } of entries) {
      if (now === baseHash) return
      yield { byId, who, when, after: await stateAt(now), before: await stateAt(then) }
    }
    last = entries.at(-1)?.sequence
    if (entries.length < remembered.page) return
  }
}

async function stateOf(db: Db, organisationId: number, hash: string | null): Promise<KnownState | undefined> {
  const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
  return hash === null || body === undefined ? undefined : knownState(entityContentOf(hash, body))
}
