import { fromNow } from './clock.ts'
import type { Db, Store } from './database.ts'

/** Milliseconds. Nothing holds a request so long. */
const kept = 24 * 60 * 60_000

/** Whether the save of that id was stored, of whatever, or may be no more. Final where the order of the log is held. */
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

/** From now on nothing is stored under that id. */
export async function spendSave({ clock }: Pick<Store, 'clock'>, tx: Db, organisationId: number, saveId: string) {
  await tx
    .insertInto('spent_save')
    .values({ organisation_id: organisationId, save_id: saveId, spent_at: clock })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Drops those under which nothing can come any more. */
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
