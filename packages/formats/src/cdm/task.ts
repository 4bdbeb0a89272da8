import type { LoadedDocument } from './corpus.ts'
import type { Place } from './report.ts'
import type { ResolvedAttribute } from './resolved.ts'

export type Task = {
  view: LoadedDocument
  level: number
  attributes: Map<string, ResolvedAttribute>
  /** First spelling of each folded name. */
  spellings: Map<string, string>
  /** Groups and entities currently being included, to stop recursion. */
  open: ReadonlySet<unknown>
  budget: { steps: number; targets: number }
}

export type Context = { written: LoadedDocument; place: Place }
