import { mayDeleteVersion, mayManageManifestVersions, mayManageVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { newVersion } from '@cadmus/model/rules/version'
import { invalid, notFound } from '../errors/api-error.ts'
import type { Tx } from '../store/database.ts'
import { lockEntities } from '../store/entity-delete.ts'
import { referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { deleteFrozenVersion, freezeVersion, frozenVersionNumbers } from '../store/entity-version.ts'
import { putSnapshot } from '../store/manifest-snapshot.ts'
import {
  deleteManifestVersionRow,
  frozenManifestVersions,
  insertManifestVersion,
  lockManifestNames,
  setLatestVersion,
} from '../store/manifest.ts'
import { entityEntry, manifestEntry } from './audit.ts'
import { type Change, transact, type Work, WriteConflict } from './change.ts'
import { entityState, requireAllowed, requireEntity } from './entity/entity-state.ts'
import { lockedManifest } from './manifest/manifest-permission.ts'
import { storedBefore } from './named-save.ts'

/** Freezes the current state under its version number; the new version becomes the latest, which alone can be edited. */
export async function addEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, work) => {
    if (await storedBefore(tx, change, id)) return
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayManageVersions(entityState(entity)))
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    const problem = newVersion(version, { existing })
    if (problem !== undefined) throw invalid(problem, [{ path: 'version', message: problem }])
    const lookup = await referenceLookup(tx, organisationId, [entity.content])
    const frozen = { content: refreshed(entity.content, lookup), next: version }
    if (!(await freezeVersion(tx, organisationId, entity, frozen, actor))) throw new WriteConflict()
    const hash = entity.content_hash
    work.audit(
      entityEntry(entity, {
        action: 'UPDATE',
        description: auditTexts.versionAdded(version, entity.name),
        version,
        before: hash,
        after: hash,
        restoration: {
          entity: { latest_version: entity.latest_version },
          versions: { put: [], drop: [entity.latest_version] },
        },
      }),
    )
  })
}

/** Deletes a version that is not the latest. */
export async function deleteEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { store, organisationId } = change
  await transact(change, 1, async (tx, work) => {
    await lockEntities(tx, store, organisationId, [id])
    const entity = await requireEntity(tx, organisationId, id)
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    if (!existing.includes(version)) throw notFound('The version')
    const verdict = mayDeleteVersion(version, existing, mayManageVersions(entityState(entity)))
    if (!verdict.allowed && verdict.reason === messages.versionLatest)
      throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    requireAllowed(verdict)
    const frozen = await deleteFrozenVersion(tx, organisationId, id, version)
    if (!frozen) throw new WriteConflict()
    work.audit(
      entityEntry(entity, {
        action: 'UPDATE',
        description: auditTexts.versionDeleted(version, entity.name),
        version: frozen.version,
        before: frozen.content_hash,
        after: entity.content_hash,
        restoration: { versions: { put: [frozen], drop: [] } },
      }),
    )
  })
}

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
  const frozen = await frozenManifestVersions(tx, manifest)
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
      description: auditTexts.versionAdded(version, manifest.name),
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

/** Deletes a version that is not the latest. */
export async function deleteVersion(change: Change, manifestId: number, version: string): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, work) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
    const frozen = await frozenManifestVersions(tx, manifest)
    const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
    if (!existing.includes(version)) throw notFound(`The version ${version}`)
    const verdict = mayDeleteVersion(version, existing, { allowed: true })
    if (!verdict.allowed) throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    const deleted = await deleteManifestVersionRow(tx, manifest, version)
    if (!deleted) throw new WriteConflict()
    work.audit(
      manifestEntry(manifest, {
        action: 'UPDATE',
        description: auditTexts.versionDeleted(version, manifest.name),
        version,
        before: manifest.content_hash,
        after: manifest.content_hash,
        restoration: { versions: { put: [deleted], drop: [] } },
      }),
    )
  })
}
