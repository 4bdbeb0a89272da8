import type { Db } from './database.ts'
import { type Clock, fromNow } from './statements.ts'

/** Milliseconds to keep a cancelled id; longer than any request can be delayed. */
const retention = 24 * 60 * 60_000

/** Whether the id was used by any save or cancelled. Final while the audit is locked. */
export async function isOperationUsed(db: Db, organisationId: number, operationId: string): Promise<boolean> {
  const cancelled = await db
    .selectFrom('spent_save')
    .select('save_id')
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .executeTakeFirst()
  if (cancelled) return true
  const entry = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/** Cancels the id: no later save under it is stored. */
export async function cancelOperation(tx: Db, organisationId: number, operationId: string, clock: Clock) {
  await tx
    .insertInto('spent_save')
    .values({ organisation_id: organisationId, save_id: operationId, spent_at: clock })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Deletes ids so old that no request can still arrive. */
export async function deleteOldCancellations(db: Db, organisationId: number, clock: Clock): Promise<void> {
  await db
    .deleteFrom('spent_save')
    .where('organisation_id', '=', organisationId)
    .where('spent_at', '<=', fromNow(clock, -retention))
    .execute()
}

/** Tracks this server's running saves by operation id, so that queries about their outcome can wait. */
export class RunningSaves {
  readonly #all = new Map<string, Promise<unknown>>()

  async run<T>(organisationId: number, operationId: string | undefined, save: () => Promise<T>): Promise<T> {
    if (operationId === undefined) return save()
    const key = keyOf(organisationId, operationId)
    const running = save()
    // The same save may have been sent twice.
    const ended = Promise.allSettled([this.#all.get(key), running])
    this.#all.set(key, ended)
    try {
      return await running
    } finally {
      if (this.#all.get(key) === ended) this.#all.delete(key)
    }
  }

  /** Resolves when the save has ended; at once if it is not running. */
  async waitForEnd(organisationId: number, operationId: string): Promise<void> {
    await this.#all.get(keyOf(organisationId, operationId))
  }
}

function keyOf(organisationId: number, operationId: string): string {
  return `${organisationId} ${operationId}`
}
