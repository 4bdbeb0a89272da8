import type { Served } from '../engine/served.ts'

/** A package that answers: its API over its database. */
export type RunningPackage = Served & {
  readonly name: string
  /** As the protocols' addresses have it. */
  readonly namespace: string
  readonly version: string
  /** What whoever manages the instance should know of where its data are. */
  readonly warnings: readonly string[]
}
