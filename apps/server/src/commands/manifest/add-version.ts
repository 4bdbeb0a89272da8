import { mayManageManifestVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { newVersion } from '@cadmus/model/rules/version'
import { invalid } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { lockManifestNames, setLatestVersion } from '../../store/manifest.ts'
import { putSnapshot } from '../../store/manifest-snapshot.ts'
import { frozenVersions, insertManifestVersion } from '../../store/manifest-version.ts'
import { manifestEntry } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { storedBefore } from '../named-save.ts'
import { lockedManifest } from './manifest-permission.ts'

/** Freezes the current state under its version number and makes the new, higher version the latest. */
export async function addVersion(change: Change, manifestId: number, version: string): Promise<void> {
  await transact(change, 1, async (tx, work) => {
    await lockManifestNames(tx, change.organisationId)
    if (await storedBefore(tx, change, manifestId)) return
    await freeze(tx, change, work, { manifestId, version })
  })
}

/** Freezes a version within a larger change. */
export async function freeze(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { manifestId, version }: { manifestId: number; version: string },
): Promise<void> {
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
  const frozen = await frozenVersions(tx, manifest)
  const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
  const problem = newVersion(version, { existing })
  if (problem !== undefined) throw invalid(problem, [{ path: 'version', message: problem }])
  const snapshot = await putSnapshot(tx, organisationId, manifest)
  await insertManifestVersion(tx, {
    organisation_id: organisationId,
    manifest_id: manifest.id,
    version: manifest.latest_version,
    content_hash: snapshot,
    created_at: new Date().toISOString(),
    created_by: actor.userName,
  })
  await setLatestVersion(tx, organisationId, manifest.id, version)
  work.audit(
    manifestEntry(manifest, {
      action: 'UPDATE',
      description: messages.audit.versionAdded(version, manifest.name),
      version,
      before: manifest.content_hash,
      after: manifest.content_hash,
      restoration: {
        manifest: { latest_version: manifest.latest_version },
        versions: { put: [], drop: [manifest.latest_version] },
      },
    }),
  )
}
