import { limits } from '@cadmus/model/limits'
import type { UploadState } from '@cadmus/model/package'
import { lockPackage } from '../../store/package.ts'
import { putPublication } from '../../store/publication.ts'
import { type Change, transact } from '../change.ts'

/** `signedIn`: with credentials of the request. */
type Uploaded = { packageId: number; version: string; instanceUrl: string; signedIn: boolean; state: UploadState }

/** Records a successful upload, so that every member can publish again. A package deleted since records nothing. */
export async function recordPublication(change: Change, uploaded: Uploaded): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, work) => {
    const row = await lockPackage(tx, organisationId, { id: uploaded.packageId })
    if (row === undefined) return
    const publication = {
      organisation_id: organisationId,
      id: work.next(),
      package_id: row.id,
      version: uploaded.version,
      instance_url: uploaded.instanceUrl,
      signed_in: uploaded.signedIn ? 1 : 0,
      state: uploaded.state,
      user_id: actor.userId,
      user_name: actor.userName,
      published_at: new Date().toISOString(),
    }
    await putPublication(tx, publication, limits.publicationsOfPackage)
  })
}
