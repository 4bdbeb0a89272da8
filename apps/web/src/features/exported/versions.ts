import type { PackageBuild, PackageItem } from '../../api/packages.ts'

export type PackageVersion = { package: PackageItem; build: PackageBuild }

/** The chosen version if it exists; else one being built, else the highest. */
export function shownVersion(item: PackageItem, chosen: string | undefined): PackageVersion | null {
  const { builds } = item
  const build =
    builds.find(({ version }) => version === chosen) ??
    builds.find(({ status }) => status === 'PROCESSING') ??
    builds[0]
  return build ? { package: item, build } : null
}

/** Label of a version in its picker, marked if it cannot be downloaded. */
export function versionLabel({ version, status }: PackageBuild): string {
  if (status === 'SUCCESS') return version
  return `${version} (${status === 'FAILED' ? 'failed' : 'being built'})`
}

/** Index of the card that a key moves to, clamped to the ends; null for other keys. */
export function cardAfter(key: string, at: number, count: number): number | null {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to))
}
