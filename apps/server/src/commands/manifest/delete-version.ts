import { mayDeleteVersion, mayManageManifestVersions } from '@cadmus/model/locks'
import { invalid, notFound } from '../../http/errors.ts'
import { appendAudit } from '../../store/audit.ts'
import { deleteManifestVersionRow, frozenVersions } from '../../store/manifest-version.ts'
import { transact, type Change } from '../change.ts'
import { lockedManifest } from './may.ts'

/** Deletes a version that is not the latest. */
export async function deleteVersion(change: Change, manifestId: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, ids) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
    const frozen = await frozenVersions(tx, manifest)
    const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
    if (!existing.includes(version)) throw notFound(`The version ${version}`)
    const verdict = mayDeleteVersion(version, existing, { allowed: true })
    if (!verdict.allowed) throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    await deleteManifestVersionRow(tx, manifest, version)
    await appendAudit(tx, organisationId, actor, [
      {
        id: ids.next(),
        kind: 'MANIFEST',
        targetId: manifest.id,
        action: 'UPDATE',
        name: manifest.name,
        path: manifest.path,
        description: `Deleted version ${version} of the manifest "${manifest.name}".`,
        originalHash: manifest.content_hash,
        updatedHash: manifest.content_hash,
      },
    ])
  })
}
