import { fromNow } from './clock.ts'
import type { Db, Store } from './database.ts'

/** Milliseconds to keep a cancelled id; longer than any request can be delayed. */
const kept = 24 * 60 * 60_000

/** Whether the id was used by any save or cancelled. Final while the audit is locked. */
export async function isSpent(db: Db, organisationId: number, saveId: string): Promise<boolean> {
  const spent = await db
    .selectFrom('spent_save')
    .select('save_id')
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', saveId)
    .executeTakeFirst()
  if (spent) return true
  const entry = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', saveId)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/** Cancels the id: no later save under it is stored. */
export async function spendSave({ clock }: Pick<Store, 'clock'>, tx: Db, organisationId: number, saveId: string) {
  await tx
    .insertInto('spent_save')
    .values({ organisation_id: organisationId, save_id: saveId, spent_at: clock })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Deletes ids so old that no request can still arrive. */
export async function forgetSpentSaves(
  { of, clock }: Pick<Store, 'of' | 'clock'>,
  organisationId: number,
): Promise<void> {
  await of(organisationId)
    .deleteFrom('spent_save')
    .where('organisation_id', '=', organisationId)
    .where('spent_at', '<=', fromNow(clock, -kept))
    .execute()
}
