import type { Dialect } from '../dialect.ts'
import type { Action } from './action.ts'

/** A statement of a script without its end, and the line above it. */
export type ScriptPiece = { readonly sql: string; readonly remark?: string; readonly isBlock?: true }

/**
 * How a database runs all of a migration or none of it; where it cannot, a table notes each step that is done, so that the script can be
 * run again after it was broken off.
 */
export type Frame = {
  /** Whether a transaction holds all of it, rather than the journal. */
  readonly isTransaction: boolean
  readonly begin: (context: FrameContext) => readonly ScriptPiece[]
  /** Stops the script if the question counts anything. */
  readonly test: (number: number, text: string, question: string, context: FrameContext) => readonly ScriptPiece[]
  readonly step: (number: number, action: Action, context: FrameContext) => readonly ScriptPiece[]
  readonly end: (context: FrameContext) => readonly ScriptPiece[]
  /** What to do after the script was broken off. */
  readonly advice: string
}

export type FrameContext = { readonly dialect: Dialect; readonly hash: string }
