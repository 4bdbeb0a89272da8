import type { Context } from '../context.ts'
import { deadImports } from '../store/import-run.ts'
import { removeImport } from '../store/import-removal.ts'
import { withLease } from '../store/lease.ts'
import { listOrganisations } from '../store/organisation.ts'
import { compactTallies } from '../store/tally.ts'

const every = 60_000
const silence = 60_000

/** Removes what imports left that were cut off: at once, and every minute. Answers how to stop. */
export function startReaper(context: Context): () => void {
  const turn = (patience: number) => {
    reapImports(context, patience).catch((error: unknown) => context.log.error({ err: error }, 'reaping failed'))
  }
  // The embedded store has one process: whatever is still marked when it starts was cut off.
  turn(context.store.kind === 'sqlite' ? -1 : silence)
  const timer = setInterval(() => turn(silence), every)
  timer.unref()
  return () => clearInterval(timer)
}

/** Removes every import that gave no sign of life for so many milliseconds, and tidies up the counts. Answers how many imports. */
export async function reapImports({ store, now, log }: Context, patience = silence): Promise<number> {
  let reaped = 0
  await withLease(store.shared, 'reaper', async () => {
    const since = new Date(now() - patience).toISOString()
    for (const { id: organisationId } of await listOrganisations(store.shared)) {
      const db = store.of(organisationId)
      await compactTallies(db, organisationId)
      for (const { id } of await deadImports(db, organisationId, since)) {
        await removeImport(db, organisationId, id)
        log.warn({ importId: id, organisationId }, 'an import that was cut off was removed')
        reaped++
      }
    }
  })
  return reaped
}
