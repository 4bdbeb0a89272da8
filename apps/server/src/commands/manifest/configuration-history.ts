import type { Configuration } from '@cadmus/model/configuration'
import { contestedValue } from '@cadmus/model/contested-configuration'
import { isEqual } from '@cadmus/model/equal'
import type { Conflict as MergeConflict } from '@cadmus/model/merge-fields'
import type { Conflict } from '../../errors/api-error.ts'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db } from '../../store/database.ts'
import { configurationOf } from '../../store/manifest-configuration.ts'
import type { ManifestRow } from '../../store/manifest.ts'

export type ConfigurationSteps = readonly { who: string; when: string; before: ManifestRow }[]

/**
 * The changes of a manifest's configuration, newest first, each with the manifest as it had the one before. That one is the stored
 * one, with its secrets sealed: what entries show has none, and is the same whatever became of a password.
 */
export async function configurationChanges(db: Db, manifest: ManifestRow): Promise<ConfigurationSteps> {
  const entries = await restorationsOf(db, manifest.organisation_id, manifest.id, 'configuration')
  return entries.flatMap(({ at: when, user_name: who, restoration }) => {
    const hash = restoration.manifest?.configuration_hash
    return hash === undefined ? [] : [{ who, when, before: { ...manifest, configuration_hash: hash } }]
  })
}

/** The conflicts with who changed each contested field last, and when. Nobody where the log does not say. */
export async function withWhoConfigured(
  db: Db,
  conflicts: readonly MergeConflict[],
  steps: ConfigurationSteps,
  current: Configuration,
): Promise<Conflict[]> {
  const open = new Set(conflicts)
  const found = new Map<MergeConflict, { who: string; when: string }>()
  let after = current
  for (const { who, when, before: manifest } of steps) {
    if (open.size === 0) break
    const { configuration: before } = await configurationOf(db, manifest)
    for (const conflict of open) {
      if (isEqual(contestedValue(conflict, before), contestedValue(conflict, after))) continue
      found.set(conflict, { who, when })
      open.delete(conflict)
    }
    after = before
  }
  return conflicts.map(conflict => ({ ...conflict, ...(found.get(conflict) ?? { who: '', when: '' }) }))
}
