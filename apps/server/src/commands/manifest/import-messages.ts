import type { Omission } from '@cadmus/sql/read/omissions'
import type { ImportedEntity } from '@cadmus/formats/imported-model'
import type { ImportReview } from '@cadmus/model/contract/import-review'
import type { fullReportLine, importReportLine } from '@cadmus/model/contract/shared'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { Enumeration } from '@cadmus/model/enumeration'
import type { ImportKind } from '@cadmus/model/import-formats'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { MessagePort } from 'node:worker_threads'
import type * as z from 'zod'
import type { ReviewPart } from '../../store/import-review.ts'
import type { JobProgress } from '../../store/job.ts'
import type { PreparedEntity, PreparedManifest } from '../../store/import-run.ts'

export type ImportProgress = JobProgress
export type ImportLine = z.output<typeof importReportLine>
/** As stored for the download. */
export type FullImportLine = z.output<typeof fullReportLine>

/** An entity outside the file that it refers to. */
export type Outside = { uid?: string | undefined; path: string }
/** A stored entity, by its path in the file. */
export type ExistingEntity = { path: string; is: EntityReference & { uid: string } }

/**
 * Messages of the reader; `tops` counts manifests that are not sub-manifests. The reader waits for an answer to each
 * message except `progress`.
 */
export type FromReader =
  | { kind: 'progress'; state: 'reading' | 'resolving'; done: number; total: number }
  | { kind: 'counted'; entities: number; manifests: number; tops: number; uids: string[]; outside: Outside[] }
  | { kind: 'entities'; entities: PreparedEntity[] }
  | { kind: 'manifests'; manifests: PreparedManifest[] }
  | { kind: 'report'; page: number; body: string }
  | { kind: 'review'; part: ReviewPart; page: number; body: string }

/**
 * The answer to `counted`: ids to use, and names in use. The answer to other messages confirms that they were stored.
 */
export type ToReader =
  | {
      kind: 'places'
      entityIds: number[]
      manifestIds: number[]
      takenUids: string[]
      takenNames: string[]
      known: ExistingEntity[]
    }
  | { kind: 'stored' }

/** `fileName`: of the uploaded file; `root` and `asksForRoot`: for a CDM folder; `database`: whose SQL scripts are. */
export type ImportInput = {
  kind: ImportKind
  bytes: Uint8Array
  fileName: string
  root: string | undefined
  asksForRoot: boolean
  database: DatabaseType | undefined
  /** Numbers of entities that are not imported, in the order of the file. */
  leftOut: readonly number[]
  port: MessagePort
}

/** What is answered of a review. */
export type ReviewHead = Omit<ImportReview, 'key'>

export type ReadEntity = { index: number; entity: ImportedEntity }

type Refused = { refused: string; roots: readonly string[] | undefined }
export type ContentsOutcome =
  | Refused
  | {
      refused: null
      entities: readonly ReadEntity[]
      enumerations: readonly Enumeration[]
      lines: ImportLine[]
      total: number
      database: DatabaseType | undefined
      omissions: readonly Omission[] | undefined
    }
export type CheckOutcome = Refused | { refused: null; problems: ImportLine[]; total: number }
export type ReviewOutcome = Refused | { refused: null; head: ReviewHead }

export type ImportOutcome =
  | Refused
  | {
      refused: null
      rootId: number
      counts: { files: number; entities: number; manifests: number; relationships: number }
      /** The first lines of the report. */
      report: ImportLine[]
      reportLines: number
    }
