import { messages } from '../messages.ts'
import { compareVersions, latestVersion, parseVersion } from '../version.ts'

/** A version about to be added: a semantic version that is not there yet and higher than all that are. */
export function newVersion(value: string, { existing }: { existing: readonly string[] }): string | undefined {
  if (!parseVersion(value)) return messages.invalidVersion
  if (existing.some(version => compareVersions(version, value) === 0)) return messages.versionExists(value)
  const latest = latestVersion(existing)
  if (latest === undefined || compareVersions(value, latest) > 0) return undefined
  return messages.versionNotHigher(value, latest)
}

/** A version about to be built: a semantic version that is not built yet. `taken`: those that are, or are being built. */
export function builtVersion(value: string, { taken }: { taken: readonly string[] }): string | undefined {
  if (!parseVersion(value)) return messages.invalidVersion
  const isTaken = taken.some(version => compareVersions(version, value) === 0)
  return isTaken ? messages.packages.versionBuilt : undefined
}
