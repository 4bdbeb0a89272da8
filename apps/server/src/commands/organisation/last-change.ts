import { newestAudit } from '../../store/audit-read.ts'
import type { Db } from '../../store/database.ts'

/** Who changed an organisation last, for telling it to somebody who came later; the provider changes names without an entry. */
export async function lastChange(db: Db, organisationId: number): Promise<{ who: string; when: string }> {
  const [newest] = await newestAudit(db, organisationId, organisationId, 1)
  return { who: newest?.user_name ?? '', when: newest?.at ?? '' }
}
