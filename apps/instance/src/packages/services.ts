import type { Opener } from './open-package.ts'
import type { PackageFolder } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { RequestGate } from './request-gate.ts'

/** The services that packages use. */
export type Services = Opener & {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly folder: PackageFolder
  readonly requestGate: RequestGate
  /** Running packages by namespace. */
  readonly running: Map<string, RunningPackage>
}
