import type { Served } from '../engine/served.ts'

/** A running package. */
export type RunningPackage = Served & {
  readonly name: string
  /** The namespace in addresses. */
  readonly namespace: string
  readonly version: string
  /** Warnings for administrators about its database. */
  readonly warnings: readonly string[]
}
