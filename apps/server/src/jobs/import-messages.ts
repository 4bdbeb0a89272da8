import type { MemberType } from '@cadmus/model/manifest'
import type { MessagePort } from 'node:worker_threads'

/** An entity ready to be stored: its content is text already, its hash is known. */
export type PreparedEntity = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string | null
  manifestId: number
  extendsId: number
  resolved: 0 | 1
  body: string
  hash: string
  references: { attributeUid: string; toId: number }[]
}

export type PreparedManifest = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string
  description: string
  importsPath: string[]
  members: { entityId: number; type: MemberType }[]
  subManifestIds: number[]
}

/** What the reading thread says. It waits for the answer to `counted`, `entities` and `manifests`. */
export type FromReader =
  | { kind: 'progress'; state: 'reading' | 'resolving'; done: number; total: number }
  | { kind: 'counted'; entities: number; manifests: number; uids: string[] }
  | { kind: 'entities'; entities: PreparedEntity[] }
  | { kind: 'manifests'; manifests: PreparedManifest[] }

/** The answer to `counted`: ids to use, what is taken. To the others it is only that they were stored. */
export type ToReader =
  | { kind: 'places'; entityIds: number[]; manifestIds: number[]; takenUids: string[]; takenNames: string[] }
  | { kind: 'stored' }

export type ImportInput = { bytes: Uint8Array; port: MessagePort }

export type ImportLine = { severity: 'error' | 'warning' | 'info'; path: string; message: string }

export type ImportOutcome =
  | { refused: string }
  | {
      refused: null
      rootId: number
      counts: { files: number; entities: number; manifests: number; relationships: number }
      report: ImportLine[]
    }
