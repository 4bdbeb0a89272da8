import type { MemberType } from '@cadmus/model/manifest'
import type { ContentColumns } from './entity-row.ts'
import type { Reference } from './entity-reference.ts'

/** An entity ready to be stored, with its content serialised and hashed. */
export type PreparedEntity = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string | null
  manifestId: number
  /** Default: the first version. */
  version?: string
  /** The columns copied from the content. */
  row: ContentColumns
  resolved: 0 | 1
  body: string
  hash: string
  references: Reference[]
  columns: { uid: string; name: string }[]
  /** The missing targets of its references. */
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
