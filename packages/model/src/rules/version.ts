import { messages } from '../messages.ts'
import { compareVersions, latestVersion, parseVersion } from '../version.ts'

/** A version to be added: a semantic version higher than all existing ones. */
export function newVersion(value: string, { existing }: { existing: readonly string[] }): string | undefined {
  if (!parseVersion(value)) return messages.invalidVersion
  if (existing.some(version => compareVersions(version, value) === 0)) return messages.versionExists(value)
  const latest = latestVersion(existing)
  if (latest === undefined || compareVersions(value, latest) > 0) return undefined
  return messages.versionNotHigher(value, latest)
}

/** A version to be built: a semantic version not in `taken`, the versions built or being built. */
export function builtVersion(value: string, { taken }: { taken: readonly string[] }): string | undefined {
  if (!parseVersion(value)) return messages.invalidVersion
  const isTaken = taken.some(version => compareVersions(version, value) === 0)
  return isTaken ? messages.packages.versionBuilt : undefined
}
