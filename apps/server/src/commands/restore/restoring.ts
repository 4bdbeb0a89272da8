import type { AuditDifference } from '@cadmus/model/audit-differences'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { OnReferences } from '@cadmus/model/detach'
import type { LoggedEntry } from '../../store/audit-of-target.ts'
import type { Tx } from '../../store/database.ts'
import type { Change, Work } from '../change.ts'
import type { ConfigurationRequest } from '../manifest/save-configuration.ts'

export type Restored = {
  document: { kind: 'entity' | 'manifest' | 'configuration'; id: number; name: string; path: string }
  differences: AuditDifference[]
  others: string[]
  missing: string[]
  edits?: { entity?: EntityEdit[]; configuration?: ConfigurationEdit[] }
}

/** `rules`: those of configurations. */
export type RestoreRequest = {
  entry: { kind: 'ENTITY' | 'MANIFEST'; id: number }
  kind: 'restore' | 'undo'
  onReferences: OnReferences | undefined
  rules: Omit<ConfigurationRequest, 'requested'>
}

/** Everything that the restoration of one entry needs. `report` collects what belongs to it and what is missing. */
export type Restoring = {
  tx: Tx
  change: Change
  work: Work
  entry: LoggedEntry
  request: RestoreRequest
  report: Pick<Restored, 'others' | 'missing'>
}

/** The restored document, and how it changed. */
export type RestoredDocument = Pick<Restored, 'document' | 'differences' | 'edits'>
