import type { Configuration } from '@cadmus/model/configuration'
import { conflictValue } from '@cadmus/model/merge/configuration'
import { isEqual } from '@cadmus/model/equal'
import type { Conflict as MergeConflict } from '@cadmus/model/merge/items'
import { restorationsOf } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { configurationOf, configurationTag } from '../../store/manifest-configuration.ts'
import { manifestById, type ManifestRow } from '../../store/manifest.ts'
import type { Change } from '../change.ts'
import { outcomeOfSave } from '../named-save.ts'

export type ConfigurationSteps = readonly (Author & { before: ManifestRow })[]

/** `userId`: '' if not logged. `typed`: placeholders of secrets entered in the change. */
type Author = { userId: string; who: string; when: string; typed: readonly string[] }

/**
 * Changes of a manifest's configuration since the state of the tag, newest first, up to the change that replaced this
 * state; null if the manifest never had it. Each change contains the stored configuration before it with encrypted
 * secrets, because the contents of entries have no secrets and do not show password changes.
 */
export async function configurationChanges(
  db: Db,
  manifest: ManifestRow,
  base: string,
): Promise<ConfigurationSteps | null> {
  const { organisation_id: organisationId } = manifest
  // A content that the organisation never stored was never a state of a manifest, regardless of the length of the log.
  if (base !== configurationTag(null) && (await contentByHash(db, organisationId, base)) === undefined) return null
  const steps: ConfigurationSteps[number][] = []
  for await (const entry of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    const hash = entry.restoration.manifest?.configuration_hash
    if (hash === undefined) continue
    const { user_id: userId, user_name: who, at: when } = entry
    const { typedSecrets: typed = [] } = entry.restoration
    steps.push({ userId, who, when, typed, before: { ...manifest, configuration_hash: hash } })
    if (configurationTag(hash) === base) return steps
  }
  return null
}

/** The manifest with its configuration as stored by a save; undefined if it stored nothing. */
export async function configuredBySave(
  change: Change,
  manifestId: number,
  operationId: string,
): Promise<ManifestRow | undefined> {
  const { store, organisationId } = change
  const entry = await outcomeOfSave(change, manifestId, operationId)
  return entry && configurationAfter(store.of(organisationId), organisationId, manifestId, entry)
}

/** The manifest with its configuration after the entry's save; undefined if it was deleted. */
export async function configurationAfter(
  db: Db,
  organisationId: number,
  manifestId: number,
  entry: { sequence: number },
): Promise<ManifestRow | undefined> {
  // Read after its entry; earlier it could be the state before the save.
  const manifest = await manifestById(db, organisationId, manifestId)
  if (!manifest) return undefined
  // An entry holds the state before it, so a save's result is in the next entry.
  let hash = manifest.configuration_hash
  for await (const { sequence, restoration } of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    if (sequence <= entry.sequence) break
    const before = restoration.manifest?.configuration_hash
    if (before !== undefined) hash = before
  }
  return { ...manifest, configuration_hash: hash }
}

/** Adds author and time of the last change to each conflicting field; empty if not logged. */
export async function withConfigurationAuthors(
  db: Db,
  conflicts: readonly MergeConflict[],
  steps: ConfigurationSteps,
  current: Configuration,
): Promise<(MergeConflict & Author)[]> {
  const open = new Set(conflicts)
  const authors = new Map<MergeConflict, Author>()
  let after = current
  for (const { before: manifest, ...author } of steps) {
    if (open.size === 0) break
    const { configuration: before } = await configurationOf(db, manifest)
    for (const conflict of open) {
      if (isEqual(conflictValue(conflict, before), conflictValue(conflict, after))) continue
      authors.set(conflict, author)
      open.delete(conflict)
    }
    after = before
  }
  const nobody = { userId: '', who: '', when: '', typed: [] }
  return conflicts.map(conflict => ({ ...conflict, ...(authors.get(conflict) ?? nobody) }))
}
