import type { SchemaStep } from '@cadmus/model/schema-step'
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

export type Failure = {
  /** Why it failed, or what it waits for; '' where it does not. */
  readonly reason: string
  /** All that would be done to its tables, where it was refused because data would be lost. */
  readonly steps: readonly SchemaStep[]
}

export const noFailure: Failure = { reason: '', steps: [] }

/** What is told of how a version fares. */
export type Told = Failure & {
  readonly status: PackageStatus
  /** Of one that was loaded over another: why it would not start. */
  readonly ahead?: readonly string[]
}

/** Callers are answered in between. */
export const waiting: Told = { status: 'STARTING', reason: 'It waits for others who hold its tables.', steps: [] }

/** What is told of a package. */
export type PackageState = Omit<StoredVersion, 'file' | 'database' | 'hasStarted'> &
  Omit<Told, 'ahead'> & {
    readonly name: string
    /** What whoever manages the instance should know of where its data are. */
    readonly warnings: readonly string[]
    /** Null: it does not answer. While it is replaced, and after that failed, the one before does. */
    readonly runningVersion: string | null
  }
