import type { LoadedDocument } from './corpus.ts'
import type { Place } from './report.ts'
import type { ResolvedAttribute } from './resolved.ts'

/** The resolving of one entity: what it has until now. */
export type Task = {
  view: LoadedDocument
  level: number
  attributes: Map<string, ResolvedAttribute>
  /** The name that was first written for each folded name. */
  spellings: Map<string, string>
  /** Groups and entities that are being taken in, so that one that contains itself ends. */
  open: ReadonlySet<unknown>
  effort: { steps: number; targets: number }
}

/** Where the members that are read stand. */
export type Context = { written: LoadedDocument; place: Place }
