import type { Opener } from './open-package.ts'
import type { PackageFolder } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { Visits } from './visits.ts'

/** What packages live on. */
export type Ground = Opener & {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly folder: PackageFolder
  readonly visits: Visits
  /** What answers, by namespace. */
  readonly running: Map<string, RunningPackage>
}
