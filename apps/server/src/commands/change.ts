import { messages } from '@cadmus/model/messages'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../errors/api-error.ts'
import { type Actor, appendAudit, SaveCancelled, type AuditChange } from '../store/audit.ts'
import { isOperationUsed } from '../store/saves.ts'
import type { Tx } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import type { QueueOwner } from '../store/organisation-queue.ts'

/**
 * Location and author of a change. `bound`: limited to this organisation, as with an access token or a request on behalf of another
 * organisation.
 */
export type Change = {
  store: Store
  organisationId: number
  actor: Actor
  isAdmin: boolean
  bound?: 'token' | 'request'
  /** Client-chosen id for looking up the outcome later. */
  operationId?: string | undefined
  /** Digests of the request under each current key; a repeated request is recognised by them. */
  requestDigests?: readonly string[] | undefined
  /** Rolls the change back at its end, after all rules. */
  dryRun?: boolean | undefined
}

/** Parts of a request that a change needs. */
type Requester = {
  context: { store: Store; secrets: { digestsOf: (text: string) => readonly string[] } }
  who: { userId: string; name: string; email: string; isAdmin: boolean; personalToken: { name: string } | null }
}
type ChangeRequest = Requester & { organisation: { id: number }; isOtherOrganisation: boolean; sent: string }

/** The change of a request. `operationId`: client-chosen id. */
export function changeOf(request: ChangeRequest, operationId?: string): Change {
  const change = changeIn(request, request.organisation.id)
  const named =
    operationId === undefined
      ? change
      : { ...change, operationId, requestDigests: request.context.secrets.digestsOf(request.sent) }
  return request.isOtherOrganisation && change.bound === undefined ? { ...named, bound: 'request' } : named
}

/** A change in an organisation other than the request's, for administrators. */
export function changeIn({ context, who }: Requester, organisationId: number): Change {
  const { userId, personalToken } = who
  // The log distinguishes changes by tokens from those by hand.
  const userName = personalToken === null ? who.name : `${who.name} (token ${personalToken.name})`
  const actor = { userId, userName, userEmail: who.email }
  const change: Change = { store: context.store, organisationId, actor, isAdmin: who.isAdmin }
  return personalToken === null ? change : { ...change, bound: 'token' }
}

/** Thrown inside a transaction when another writer came first; it is rolled back and retried from the new state. */
export class WriteConflict extends Error {}

/** Row ids of a transaction, allocated before it. */
export type Ids = { next: () => number }

/** Context of a command inside its transaction: ids and the audit log. */
export type Work = Ids & {
  /** Id shared by all log entries of a command. */
  changeId: number
  /** Writes the entries as the last statement of the transaction, in this order. */
  audit: (...entries: readonly AuditChange[]) => void
}

/** For changes that follow from the change of another document. */
export function following(work: Work): Work {
  return { ...work, audit: (...entries) => work.audit(...entries.map(entry => ({ ...entry, follows: true }))) }
}

const attempts = 30
/** Milliseconds that a change waits for its turn. */
const timeout = 30_000

/**
 * Runs one short transaction and retries it after a write conflict. `ids`: usual number of ids; if more are needed than were allocated,
 * they are allocated outside and it restarts. Its audit entries are written at the end as one change; `changeId` continues a change already
 * begun.
 */
export async function transact<T>(
  change: Change,
  ids: number,
  run: (tx: Tx, work: Work) => Promise<T>,
  changeId?: number,
): Promise<T> {
  return transactAndRead(change, ids, { run, read: async (_tx, result) => result }, changeId)
}

type Steps<R, T> = {
  /** Long work before each attempt: the embedded store has one writer, for which others would wait. */
  prepare?: (attempt: number) => Promise<void>
  run: (tx: Tx, work: Work) => Promise<R>
  /** Reads the result in the same transaction, after the entries are written. */
  read: (tx: Tx, result: R) => Promise<T>
}

export async function transactAndRead<R, T>(
  change: Change,
  ids: number,
  steps: Steps<R, T>,
  changeId?: number,
): Promise<T> {
  const { store, organisationId, operationId } = change
  return store.saves.run(organisationId, operationId, () => runWithRetries(change, ids, steps, changeId))
}

async function runWithRetries<R, T>(
  change: Change,
  ids: number,
  steps: Steps<R, T>,
  changeId: number | undefined,
): Promise<T> {
  let idCount = ids + 1
  let completed: { result: T } | undefined
  let mayBeRepeated = true
  for (let attempt = 0; attempt < attempts; attempt++) {
    await steps.prepare?.(attempt)
    const source = idsOf(await change.store.ids.take(idCount), () => change.store.ids.spare())
    try {
      return await inTurn(change, changeId, () =>
        change.store
          .of(change.organisationId)
          .transaction()
          .execute(async tx => {
            const result = await runAudited(tx, change, source, steps, changeId)
            if (change.dryRun !== true) return result
            completed = { result }
            throw new DryRunEnded()
          }),
      )
    } catch (error) {
      if (error instanceof DryRunEnded && completed) return completed.result
      if (error instanceof OutOfIds) idCount *= 4
      else if (isWriteConflict(error)) await wait(Math.random() * Math.min(200, 2 ** attempt))
      else if (!mayBeRepeated || !(await succeededConcurrently(change, error))) throw error
      // A further error is final: it is about reading the stored result.
      else mayBeRepeated = false
    }
  }
  throw new ApiError(503, 'busy', messages.changesTooOften, { retryAfter: 1 })
}

/** Runs long work before the turn of a change, in turns of its own. */
export function inTurnBefore<T>(change: Change, work: () => Promise<T>): Promise<T> {
  return change.store.preparing.run(ownersOf(change), work, { timeout })
}

/** Owners of a change's turn. */
export function ownersOf({ organisationId, actor }: Pick<Change, 'organisationId' | 'actor'>): readonly QueueOwner[] {
  return [`${organisationId} ${actor.userId}`, organisationId]
}

/** A change already begun waits without limit, because no client retries it. */
function inTurn<T>(change: Change, begun: number | undefined, work: () => Promise<T>): Promise<T> {
  return change.store.writing.run(ownersOf(change), work, begun === undefined ? { timeout } : { isBegun: true })
}

async function runAudited<R, T>(
  tx: Tx,
  { organisationId, actor, operationId, requestDigests }: Change,
  ids: Ids,
  { run, read }: Steps<R, T>,
  begun: number | undefined,
): Promise<T> {
  const entries: AuditChange[] = []
  const changeId = begun ?? ids.next()
  const result = await run(tx, { ...ids, changeId, audit: (...more) => void entries.push(...more) })
  await appendAudit(tx, { organisationId, actor, changeId, operationId, requestDigests, nextId: ids.next }, entries)
  return read(tx, result)
}

/** Returns the ids in order, then reserves more. */
export function idsOf(allocated: readonly number[], more: () => number | undefined = () => undefined): Ids {
  let used = 0
  return {
    next() {
      const id = allocated[used] ?? more()
      if (id === undefined) throw new OutOfIds()
      used += 1
      return id
    },
  }
}

/** Errors about the operation id itself, which a retry cannot resolve. */
const refusals = new Set(['operation_cancelled', 'operation_reused'])

/** Whether a request failed because the same operation succeeded concurrently; a retry then returns its result. */
async function succeededConcurrently({ store, organisationId, operationId }: Change, error: unknown): Promise<boolean> {
  if (operationId === undefined || !(error instanceof ApiError) || refusals.has(error.code)) return false
  return isOperationUsed(store.of(organisationId), organisationId, operationId)
}

class OutOfIds extends Error {}
/** Ends the transaction of a dry run. */
class DryRunEnded extends Error {}

/** A write conflict of ours or of PostgreSQL: serialization failure, deadlock, or a concurrently inserted row. */
function isWriteConflict(error: unknown): boolean {
  if (error instanceof WriteConflict || error instanceof SaveCancelled) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40001' || code === '40P01' || code === '23505'
}
