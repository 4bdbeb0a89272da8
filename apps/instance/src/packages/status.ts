import type { SchemaStep } from '@cadmus/model/schema-step'
import type { StoredVersion } from './package-folder.ts'

/** Status names of the platform's management API. */
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

/** The requested state of a package, restored after a restart. */
export const targetStates = ['STARTED', 'LOADED', 'UNLOADED'] as const
export type TargetState = (typeof targetStates)[number]

export type Failure = {
  /** The reason of a failure or a wait; '' without one. */
  readonly reason: string
  /** The planned steps, if refused because of data loss. */
  readonly steps: readonly SchemaStep[]
}

export const noFailure: Failure = { reason: '', steps: [] }

export type Progress = Failure & {
  readonly status: PackageStatus
  /** Reason why the start of a loaded version would be refused. */
  readonly preview?: readonly string[]
}

/** Progress reported while callers are served between attempts. */
export const waiting: Progress = { status: 'STARTING', reason: 'Waiting for tables that are in use.', steps: [] }

export type PackageState = Omit<StoredVersion, 'file' | 'database' | 'hasStarted'> &
  Omit<Progress, 'ahead'> & {
    readonly name: string
    /** Warnings for administrators about its database. */
    readonly warnings: readonly string[]
    /** Null: not running. The previous version runs during a replacement and after a failed one. */
    readonly runningVersion: string | null
  }
