import type { DatabaseType } from './database-types.ts'

/** One finding of a rule or a validation. `path` leads to what it is about, outermost first. */
export type Problem = {
  /** 'note': nothing to mend in the model; a database holds or compares it otherwise. */
  severity: 'error' | 'warning' | 'note'
  code: string
  message: string
  path: readonly ProblemStep[]
  /** The field of the last step that it is about, where it is about one. */
  field?: string
  /** The databases that it is about, where it is about some and not about others. */
  databases?: readonly DatabaseType[]
}

export type ProblemStep =
  | { kind: 'manifest'; id: number; uid?: string; name: string }
  /** Its path tells namesakes apart. */
  | { kind: 'entity'; id: number; uid?: string; name: string; path?: string }
  | { kind: 'typeAttribute'; uid: string; name: string }
  | { kind: 'entityAttribute'; uid: string; name: string }
