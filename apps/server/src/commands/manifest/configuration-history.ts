import type { Configuration } from '@cadmus/model/configuration'
import { contestedValue } from '@cadmus/model/contested-configuration'
import { isEqual } from '@cadmus/model/equal'
import type { Conflict as MergeConflict } from '@cadmus/model/merge-fields'
import { restorationsOf } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { configurationOf, configurationTag } from '../../store/manifest-configuration.ts'
import { manifestById, type ManifestRow } from '../../store/manifest.ts'
import type { Change } from '../change.ts'
import { outcomeOfSave } from '../named-save.ts'

export type ConfigurationSteps = readonly (Whose & { before: ManifestRow })[]

/** `userId`: '' where the log does not say. `typed`: what stands for the secrets that were typed for the change. */
type Whose = { userId: string; who: string; when: string; typed: readonly string[] }

/**
 * The changes of a manifest's configuration since the state that the tag names, newest first, the last one being that which changed this
 * state; null where it never had it. Each comes with the manifest as it had the configuration before: the stored one, with its secrets
 * sealed. What entries show has none, and is the same whatever became of a password.
 */
export async function configurationChanges(
  db: Db,
  manifest: ManifestRow,
  base: string,
): Promise<ConfigurationSteps | null> {
  const { organisation_id: organisationId } = manifest
  // What the organisation never stored no manifest had, however long its log is.
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

/** The manifest with its configuration as a save left it, whatever came after; undefined where it stored nothing. */
export async function configuredBySave(
  change: Change,
  manifestId: number,
  operationId: string,
): Promise<ManifestRow | undefined> {
  const { store, organisationId } = change
  const entry = await outcomeOfSave(change, manifestId, operationId)
  return entry && leftBy(store.of(organisationId), organisationId, manifestId, entry)
}

/** The manifest with its configuration as the save of that entry left it; undefined where it is gone. */
export async function leftBy(
  db: Db,
  organisationId: number,
  manifestId: number,
  entry: { sequence: number },
): Promise<ManifestRow | undefined> {
  // Read after its entry: before, it could be the one from before the save.
  const manifest = await manifestById(db, organisationId, manifestId)
  if (!manifest) return undefined
  // An entry says what was before it: what a save left is what the next one found.
  let hash = manifest.configuration_hash
  for await (const { sequence, restoration } of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    if (sequence <= entry.sequence) break
    const before = restoration.manifest?.configuration_hash
    if (before !== undefined) hash = before
  }
  return { ...manifest, configuration_hash: hash }
}

/** The conflicts with who changed each contested field last, and when. Nobody where the log does not say. */
export async function withWhoConfigured(
  db: Db,
  conflicts: readonly MergeConflict[],
  steps: ConfigurationSteps,
  current: Configuration,
): Promise<(MergeConflict & Whose)[]> {
  const open = new Set(conflicts)
  const found = new Map<MergeConflict, Whose>()
  let after = current
  for (const { before: manifest, ...whose } of steps) {
    if (open.size === 0) break
    const { configuration: before } = await configurationOf(db, manifest)
    for (const conflict of open) {
      if (isEqual(contestedValue(conflict, before), contestedValue(conflict, after))) continue
      found.set(conflict, whose)
      open.delete(conflict)
    }
    after = before
  }
  const nobody = { userId: '', who: '', when: '', typed: [] }
  return conflicts.map(conflict => ({ ...conflict, ...(found.get(conflict) ?? nobody) }))
}
