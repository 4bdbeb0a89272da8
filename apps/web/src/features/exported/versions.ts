import type { PackageBuild, PackageItem } from '../../api/packages.ts'

/** A package and the build of it that is meant. */
export type PackageVersion = { package: PackageItem; build: PackageBuild }

/** The version that a person chose, while it is there; else one that is under way, else the highest. */
export function shownVersion(item: PackageItem, chosen: string | undefined): PackageVersion | null {
  const { builds } = item
  const build =
    builds.find(({ version }) => version === chosen) ??
    builds.find(({ status }) => status === 'PROCESSING') ??
    builds[0]
  return build ? { package: item, build } : null
}

/** A version as its picker calls it: what cannot be had of it yet, or ever, is said. */
export function versionLabel({ version, status }: PackageBuild): string {
  if (status === 'SUCCESS') return version
  return `${version} (${status === 'FAILED' ? 'failed' : 'being built'})`
}

/** Which card an arrow leads to; null for another key. At the ends it stays. */
export function cardAfter(key: string, at: number, count: number): number | null {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to))
}
