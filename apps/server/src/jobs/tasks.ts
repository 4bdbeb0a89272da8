import type { DatabaseType } from '@cadmus/model/database-types'
import type { Problem } from '@cadmus/model/problem'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { StoreSettings } from '../store/database.ts'

/** A manifest of the organisation or the library; with a version, as it was then. */
export type ModelPlace = { organisationId: number; manifestId: number; version: string | null }

/** What the workers do, by name: computing and reading; they never write to the store. */
export type Tasks = {
  validate: { input: ModelPlace & { databaseTypes: readonly DatabaseType[] }; output: Problem[] }
  exportScript: {
    input: ModelPlace & { databaseType: DatabaseType; applyAutoIncrement: boolean }
    output: { fileName: string; zip: Uint8Array; notes: number } | { problems: Problem[] }
  }
  relationships: { input: ModelPlace; output: ManifestAnswer['relationships'] }
  orphanContents: { input: { organisationId: number }; output: string[] }
}

export type WorkerSettings = { store: StoreSettings }
