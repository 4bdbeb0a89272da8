import { fromNow } from './clock.ts'
import type { Db, Store } from './database.ts'

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
export async function cancelOperation(
  { clock }: Pick<Store, 'clock'>,
  tx: Db,
  organisationId: number,
  operationId: string,
) {
  await tx
    .insertInto('spent_save')
    .values({ organisation_id: organisationId, save_id: operationId, spent_at: clock })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Deletes ids so old that no request can still arrive. */
export async function deleteOldCancellations(
  { of, clock }: Pick<Store, 'of' | 'clock'>,
  organisationId: number,
): Promise<void> {
  await of(organisationId)
    .deleteFrom('spent_save')
    .where('organisation_id', '=', organisationId)
    .where('spent_at', '<=', fromNow(clock, -retention))
    .execute()
}
