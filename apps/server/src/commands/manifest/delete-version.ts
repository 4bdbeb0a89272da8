import { mayDeleteVersion, mayManageManifestVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { invalid, notFound } from '../../errors/api-error.ts'
import { deleteManifestVersionRow, frozenVersions } from '../../store/manifest-version.ts'
import { manifestEntry } from '../audit.ts'
import { WriteConflict, transact, type Change } from '../change.ts'
import { lockedManifest } from './manifest-permission.ts'

/** Deletes a version that is not the latest. */
export async function deleteVersion(change: Change, manifestId: number, version: string): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, work) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
    const frozen = await frozenVersions(tx, manifest)
    const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
    if (!existing.includes(version)) throw notFound(`The version ${version}`)
    const verdict = mayDeleteVersion(version, existing, { allowed: true })
    if (!verdict.allowed) throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    const deleted = await deleteManifestVersionRow(tx, manifest, version)
    if (!deleted) throw new WriteConflict()
    work.audit(
      manifestEntry(manifest, {
        action: 'UPDATE',
        description: messages.audit.versionDeleted(version, manifest.name),
        version,
        before: manifest.content_hash,
        after: manifest.content_hash,
        restoration: { versions: { put: [deleted], drop: [] } },
      }),
    )
  })
}
