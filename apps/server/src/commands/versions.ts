import { mayDeleteVersion, mayManageManifestVersions, mayManageVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { newVersion } from '@cadmus/model/rules/version'
import { type ApiError, invalid, notFound } from '../errors/api-error.ts'
import type { Restoration } from '../store/audit.ts'
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
import { storedOperation } from './named-save.ts'

/** Freezes the current state under its version number; the new version becomes the latest, which alone can be edited. */
export async function addEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, work) => {
    if (await storedOperation(tx, change)) return
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayManageVersions(entityState(entity)))
    checkNewVersion(version, [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version])
    const lookup = await referenceLookup(tx, organisationId, [entity.content])
    const frozen = { content: refreshed(entity.content, lookup), next: version }
    if (!(await freezeVersion(tx, organisationId, entity, frozen, actor))) throw new WriteConflict()
    const restoration = { entity: { latest_version: entity.latest_version } }
    work.audit(entityEntry(entity, additionOf(version, entity, restoration)))
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
    if (!verdict.allowed && verdict.reason === messages.versionLatest) throw invalidVersion(verdict.reason)
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
export async function addManifestVersion(change: Change, manifestId: number, version: string): Promise<void> {
  await transact(change, 1, async (tx, work) => {
    await lockManifestNames(tx, change.organisationId)
    if (await storedOperation(tx, change)) return
    await freezeManifestVersion(tx, change, work, { manifestId, version })
  })
}

/** Freezes a version within a larger change. */
export async function freezeManifestVersion(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { manifestId, version }: { manifestId: number; version: string },
): Promise<void> {
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
  const frozen = await frozenManifestVersions(tx, manifest)
  checkNewVersion(version, [manifest.latest_version, ...frozen.map(row => row.version)])
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
  const restoration = { manifest: { latest_version: manifest.latest_version } }
  work.audit(manifestEntry(manifest, additionOf(version, manifest, restoration)))
}

function checkNewVersion(version: string, existing: readonly string[]): void {
  const problem = newVersion(version, { existing })
  if (problem !== undefined) throw invalidVersion(problem)
}

function invalidVersion(message: string): ApiError {
  return invalid(message, [{ path: 'version', message }])
}

type Row = { name: string; content_hash: string; latest_version: string }

function additionOf(version: string, { name, content_hash: hash, latest_version: latest }: Row, before: Restoration) {
  return {
    action: 'UPDATE' as const,
    description: auditTexts.versionAdded(version, name),
    version,
    before: hash,
    after: hash,
    restoration: { ...before, versions: { put: [], drop: [latest] } },
  }
}

/** Deletes a version that is not the latest. */
export async function deleteManifestVersion(change: Change, manifestId: number, version: string): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, work) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayManageManifestVersions)
    const frozen = await frozenManifestVersions(tx, manifest)
    const existing = [manifest.latest_version, ...frozen.map(row => row.version)]
    if (!existing.includes(version)) throw notFound(`The version ${version}`)
    const verdict = mayDeleteVersion(version, existing, { allowed: true })
    if (!verdict.allowed) throw invalidVersion(verdict.reason)
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
