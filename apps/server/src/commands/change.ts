import { messages } from '@cadmus/model/messages'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../errors/api-error.ts'
import { type Actor, appendAudit, SaveCancelled, type AuditChange } from '../store/audit.ts'
import { isOperationUsed } from '../store/cancelled-saves.ts'
import type { Store, Tx } from '../store/database.ts'

/**
 * Where a change happens and on whose behalf. `bound`: it reaches no other organisation, as an access token does not, and a request in
 * which an administrator names one.
 */
export type Change = {
  store: Store
  organisationId: number
  actor: Actor
  isAdmin: boolean
  bound?: 'token' | 'request'
  /** What the caller calls it, to ask later what became of it. */
  operationId?: string | undefined
  /** What was sent, told by a digest of each key that there is: the same again is recognised by it. */
  requestDigests?: readonly string[] | undefined
}

/** What a change needs to know of the request that asks for it. */
type Asker = {
  context: { store: Store; secrets: { digestsOf: (text: string) => readonly string[] } }
  who: { userId: string; name: string; email: string; isAdmin: boolean; personalToken: { name: string } | null }
}
type Asked = Asker & { organisation: { id: number }; isOtherOrganisation: boolean; sent: string }

/** `operationId`: what its caller calls the change. */
export function changeOf(asked: Asked, operationId?: string): Change {
  const change = changeIn(asked, asked.organisation.id)
  const named =
    operationId === undefined
      ? change
      : { ...change, operationId, requestDigests: asked.context.secrets.digestsOf(asked.sent) }
  return asked.isOtherOrganisation && change.bound === undefined ? { ...named, bound: 'request' } : named
}

/** In an organisation that the request itself need not work in, as an administrator's. */
export function changeIn({ context, who }: Asker, organisationId: number): Change {
  const { userId, personalToken } = who
  // What a script did is told from what its user did by hand.
  const userName = personalToken === null ? who.name : `${who.name} (token ${personalToken.name})`
  const actor = { userId, userName, userEmail: who.email }
  const change: Change = { store: context.store, organisationId, actor, isAdmin: who.isAdmin }
  return personalToken === null ? change : { ...change, bound: 'token' }
}

/** Thrown inside a transaction when another writer came first: it is rolled back and made again from the new state. */
export class LostRace extends Error {}

/** Ids for rows of one transaction, taken before it. */
export type Ids = { next: () => number }

/** What a command works with inside its transaction: ids, and an ear for what it changed. */
export type Work = Ids & {
  /** One per command: all its entries share it. */
  changeId: number
  /** Writes the entries as the last statement of the transaction, in this order. */
  tell: (...entries: readonly AuditChange[]) => void
}

const attempts = 30
/** Milliseconds that a change waits for its turn. */
const patience = 15_000

/**
 * One short transaction, made again when it lost a race. `ids` is how many it needs as a rule; where it turns out to need more
 * than there are spare ones, they are taken outside and it starts anew. What it tells is written at its end, as one change: `changeId` where the command
 * began that change before.
 */
export async function transact<T>(
  change: Change,
  ids: number,
  run: (tx: Tx, work: Work) => Promise<T>,
  changeId?: number,
): Promise<T> {
  const { store, organisationId, operationId } = change
  return store.saves.run(organisationId, operationId, () => untilWon(change, ids, run, changeId))
}

async function untilWon<T>(
  change: Change,
  ids: number,
  run: (tx: Tx, work: Work) => Promise<T>,
  changeId?: number,
): Promise<T> {
  let wanted = ids + 1
  for (let attempt = 0; attempt < attempts; attempt++) {
    const source = idsOf(await change.store.ids.take(wanted), () => change.store.ids.spare())
    try {
      return await inTurn(change, changeId, () =>
        change.store
          .of(change.organisationId)
          .transaction()
          .execute(tx => told(tx, change, source, run, changeId)),
      )
    } catch (error) {
      if (error instanceof OutOfIds) wanted *= 4
      else if (!isLostRace(error) && !(await cameMeanwhile(change, error))) throw error
      else await wait(Math.random() * Math.min(200, 2 ** attempt))
    }
  }
  throw new ApiError(503, 'busy', messages.changesTooOften, { retryAfter: 1 })
}

/** What goes on with a change that was begun before waits as long as it takes: nobody asks again for it. */
function inTurn<T>({ store, organisationId }: Change, begun: number | undefined, work: () => Promise<T>): Promise<T> {
  return store.writing.run(organisationId, work, begun === undefined ? { patience } : { isBegun: true })
}

async function told<T>(
  tx: Tx,
  { organisationId, actor, operationId, requestDigests }: Change,
  ids: Ids,
  run: (tx: Tx, work: Work) => Promise<T>,
  begun?: number,
): Promise<T> {
  const entries: AuditChange[] = []
  const changeId = begun ?? ids.next()
  const result = await run(tx, { ...ids, changeId, tell: (...more) => void entries.push(...more) })
  await appendAudit(tx, { organisationId, actor, changeId, operationId, requestDigests, nextId: ids.next }, entries)
  return result
}

/** Hands them out one by one, in their order, and then what there is more. */
export function idsOf(taken: readonly number[], more: () => number | undefined = () => undefined): Ids {
  let used = 0
  return {
    next() {
      const id = taken[used] ?? more()
      if (id === undefined) throw new OutOfIds()
      used += 1
      return id
    },
  }
}

/** Said of the save's id itself: made again it is refused again. */
const refusals = new Set(['save_spent', 'save_other'])

/** Whether what was refused is refused for what the same save did that was sent twice: made again it is answered that. */
async function cameMeanwhile({ store, organisationId, operationId }: Change, error: unknown): Promise<boolean> {
  if (operationId === undefined || !(error instanceof ApiError) || refusals.has(error.code)) return false
  return isOperationUsed(store.of(organisationId), organisationId, operationId)
}

class OutOfIds extends Error {}

/** Ours, or PostgreSQL's words for it: serialization failure, deadlock, a row that somebody else inserted meanwhile. */
function isLostRace(error: unknown): boolean {
  if (error instanceof LostRace || error instanceof SaveCancelled) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40001' || code === '40P01' || code === '23505'
}
