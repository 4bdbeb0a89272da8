import type { importReportLine } from '@cadmus/model/contract/import-shapes'
import type { ImportKind } from '@cadmus/model/contract/manifest-transfer'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { MessagePort } from 'node:worker_threads'
import type * as z from 'zod'
import type { JobProgress } from '../../store/job.ts'
import type { PreparedEntity, PreparedManifest } from '../../store/prepared-import.ts'

export type ImportProgress = JobProgress
export type ImportLine = z.output<typeof importReportLine>

/** An entity that the file refers to and does not bring. */
export type Outside = { uid?: string | undefined; path: string }
/** What of these is here, by the path that the file calls it. */
export type KnownElsewhere = { path: string; is: EntityReference & { uid: string } }

/** What the reading thread says; `tops` counts the manifests that are nobody's sub-manifest. It waits for the answer to all but `progress`. */
export type FromReader =
  | { kind: 'progress'; state: 'reading' | 'resolving'; done: number; total: number }
  | { kind: 'counted'; entities: number; manifests: number; tops: number; uids: string[]; outside: Outside[] }
  | { kind: 'entities'; entities: PreparedEntity[] }
  | { kind: 'manifests'; manifests: PreparedManifest[] }
  | { kind: 'report'; page: number; body: string }

/** The answer to `counted`: ids to use, what is taken. To the others it is only that they were stored. */
export type ToReader =
  | {
      kind: 'places'
      entityIds: number[]
      manifestIds: number[]
      takenUids: string[]
      takenNames: string[]
      known: KnownElsewhere[]
    }
  | { kind: 'stored' }

/** `fileName` is what the person's file is called; `root` and `asksForRoot` are for a CDM folder. */
export type ImportInput = {
  kind: ImportKind
  bytes: Uint8Array
  fileName: string
  root: string | undefined
  asksForRoot: boolean
  port: MessagePort
}

export type ImportOutcome =
  | { refused: string; roots: readonly string[] | undefined }
  | {
      refused: null
      rootId: number
      counts: { files: number; entities: number; manifests: number; relationships: number }
      /** The first lines, and how many there are. */
      report: ImportLine[]
      reportLines: number
    }
