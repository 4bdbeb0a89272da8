import type { ComparedChange } from '@cadmus/model/contract/comparison'
import type { Point } from './aligned.ts'

/** How differences are taken over from the other side. */
export type Taker = {
  /** Name of the side that is taken from; null if nothing can be taken. */
  from: string | null
  isBusy: boolean
  /** Why a difference cannot be taken; false if it can. */
  blocked: (point: Point) => string | false
  labelOf: (point: Point) => string
  /** What taking it means, where that is not evident. */
  noteOf: (point: Point) => string | null
  take: (point: Point) => void
  takeChanges: (changes: readonly ComparedChange[]) => void
  /** All changes of a row. */
  ofRow: (uid: string) => readonly ComparedChange[]
  /** Takes the whole entity; null where there is none on both sides. */
  all: { blocked: string | false; run: () => void } | null
}
