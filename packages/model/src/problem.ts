import type { DatabaseType } from './database-types.ts'

/** A finding of a rule or validation. `path` leads to its subject, outermost first. */
export type Problem = {
  /** 'note': the model is valid, but a database stores or compares values differently. */
  severity: 'error' | 'warning' | 'note'
  code: string
  message: string
  path: readonly ProblemStep[]
  /** The field of the last step, for findings about a field. */
  field?: string
  /** The databases it applies to, unless it applies to all. */
  databases?: readonly DatabaseType[]
}

export type ProblemStep =
  | { kind: 'manifest'; id: number; uid?: string; name: string }
  /** The path distinguishes entities of the same name. */
  | { kind: 'entity'; id: number; uid?: string; name: string; path?: string }
  | { kind: 'typeAttribute'; uid: string; name: string }
  | { kind: 'entityAttribute'; uid: string; name: string }
