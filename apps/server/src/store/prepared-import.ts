import type { MemberType } from '@cadmus/model/manifest'
import type { ContentColumns } from './entity-row.ts'
import type { Reference } from './entity-reference.ts'

/** An entity ready to be stored: its content is text already, its hash is known. */
export type PreparedEntity = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string | null
  manifestId: number
  /** The first where it is not said. */
  version?: string
  /** What its row repeats of the content. */
  row: ContentColumns
  resolved: 0 | 1
  body: string
  hash: string
  references: Reference[]
  columns: { uid: string; name: string }[]
  /** What its references wait for whose entity is not there. */
  open: { uid: string; path: string }[]
}

export type PreparedManifest = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string
  description: string
  importsPath: string[]
  version: string
  members: { entityId: number; type: MemberType }[]
  subManifestIds: number[]
}
