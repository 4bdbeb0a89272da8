import type { StoredVersion } from './package-folder.ts'

/** Where a package is; the words are those of the platform's management API. */
export type PackageStatus =
  | 'LOADING'
  | 'LOADED'
  | 'LOAD_FAILED'
  | 'UNLOADING'
  | 'UNLOADED'
  | 'STARTING'
  | 'STARTED'
  | 'START_FAILED'
  | 'STOPPING'

/** What somebody asked a package to be, and it becomes again after a restart. */
export const wantedStates = ['STARTED', 'LOADED', 'UNLOADED'] as const
export type WantedState = (typeof wantedStates)[number]

/** What is told of a package. */
export type PackageState = Omit<StoredVersion, 'file'> & {
  readonly name: string
  readonly status: PackageStatus
  /** Why it failed; '' otherwise. */
  readonly reason: string
  /** Null: it does not answer. While it is replaced, and after that failed, the one before does. */
  readonly runningVersion: string | null
}
