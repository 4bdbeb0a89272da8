import { mayDeleteVersion, mayManageManifestVersions } from '@cadmus/model/locks'
import { invalid, notFound } from '../../errors/api-error.ts'
import { deleteManifestVersionRow, frozenVersions } from '../../store/manifest-version.ts'
import { transact, type Change } from '../change.ts'
import { auditUpdate } from './audit.ts'
import { lockedManifest } from './may.ts'

/** Deletes a version that is not the latest. */
export async function deleteVersion(change: Change, manifestId: number, version: string): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, ids) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
    const frozen = await frozenVersions(tx, manifest)
    const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
    if (!existing.includes(version)) throw notFound(`The version ${version}`)
    const verdict = mayDeleteVersion(version, existing, { allowed: true })
    if (!verdict.allowed) throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    await deleteManifestVersionRow(tx, manifest, version)
    const description = `Deleted version ${version} of the manifest "${manifest.name}".`
    const changed = { before: manifest.content_hash, after: manifest.content_hash }
    await auditUpdate(tx, change, ids, { manifest, changed, description })
  })
}
