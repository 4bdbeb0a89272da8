import { entityIn } from '@cadmus/model/problem'
import type { LiveProblem } from '../api/problems.ts'
import { openAt } from '../commands/DocumentLink.tsx'
import { documentOf, lineOf } from './problem-groups.ts'

/** Opens what a problem is about: the document, its part, the row and its cell. */
export function goTo(problem: LiveProblem): void {
  openAt(documentOf(problem), lineOf(problem).place)
}

/**
 * The index of the problem `step` further than the one gone to last, around the end. -1 without problems. `last`: its key; where it is
 * solved, its former index counts.
 */
export function nextIndex(keys: readonly string[], last: { key: string; index: number } | null, step: 1 | -1): number {
  const { length } = keys
  if (length === 0) return -1
  if (!last) return step === 1 ? 0 : length - 1
  const at = keys.indexOf(last.key)
  // The one behind a solved problem has its index.
  const next = at >= 0 ? at + step : step === 1 ? last.index : last.index - 1
  return (next + length) % length
}

export function keyOf({ code, path, value = '' }: LiveProblem): string {
  return JSON.stringify([code, entityIn(path)?.id ?? null, path.at(-1), value])
}
