import type { DatabaseSettings } from '../drivers/settings.ts'
import type { ServedPackage } from '../engine/served-package.ts'

export type RunningPackage = ServedPackage & {
  readonly name: string
  /** The namespace in addresses. */
  readonly namespace: string
  readonly version: string
  readonly database: DatabaseSettings
  /** Warnings for administrators about its database. */
  readonly warnings: readonly string[]
}
