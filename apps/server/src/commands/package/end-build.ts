import { messages } from '@cadmus/model/messages'
import { putContent } from '../../store/content.ts'
import type { Store } from '../../store/database.ts'
import { endJob, type HeldJob } from '../../store/job.ts'
import { endVersion, type PackageVersionRow } from '../../store/package-version.ts'
import { packagesByIds } from '../../store/package.ts'
import { transact } from '../change.ts'
import { packageEntry } from './package-entry.ts'

/** Stored zip with its size in bytes, or the reason of a failure. */
export type BuildEnd = { zip: string; size: number } | { reason: string }

/** Stores the result of a build. Returns false, without storing, if another server took the job over. */
export async function endBuild(store: Store, job: HeldJob, row: PackageVersionRow, end: BuildEnd): Promise<boolean> {
  const { organisation_id: organisationId, user_id: userId, user_name: userName, user_email: userEmail } = row
  const change = { store, organisationId, actor: { userId, userName, userEmail }, isAdmin: false }
  const [changeId] = await store.ids.take(1)
  const work: Parameters<typeof transact<boolean>>[2] = async (tx, { audit }) => {
    const isBuilt = 'zip' in end
    if (!(await endJob(tx, store, job, isBuilt ? 'done' : 'failed'))) return false
    await endVersion(tx, organisationId, job.id, {
      status: isBuilt ? 'SUCCESS' : 'FAILED',
      reason: isBuilt ? '' : end.reason,
      content_hash: isBuilt ? await putContent(tx, organisationId, end.zip) : null,
      size: isBuilt ? end.size : 0,
      ended_at: new Date().toISOString(),
    })
    const [of] = await packagesByIds(tx, organisationId, [row.package_id])
    if (of === undefined) return true
    const { built, buildFailed } = messages.packages.audit
    const description = (isBuilt ? built : buildFailed)(of.name, row.version, of.manifest_name)
    audit(packageEntry(of, row.manifest_version, 'UPDATE', description))
    return true
  }
  return transact(change, 1, work, changeId)
}
