import { problemAnswer, resultAnswer } from '@cadmus/model/contract/shared'
import type { Problem } from '@cadmus/model/problem'
import { firstError } from '@cadmus/model/validate'
import { gzipOf, pieceOf, plainOf, type Piece } from './gzip-pieces.ts'

/** A problem in the wire format. */
export function problemItem({ severity, code, message, path, databases }: Problem) {
  return { severity, code, message, path: [...path], ...(databases && { databases: [...databases] }) }
}

/** Maximum problems per cached run. */
const maxRun = 32

type Run = { problems: readonly Problem[]; piece: Piece }

/**
 * Serialises all problems of one manifest. There may be thousands, mostly unchanged since the last answer: runs of
 * identical objects in the same order are validated, serialised and compressed only once.
 */
export class ProblemWriter {
  /** Runs by their first problem. */
  #runs = new Map<Problem, Run>()

  /** Number of cached bytes. */
  get size(): number {
    return this.#runs.values().reduce((sum, { piece }) => sum + piece.deflated.buffer.byteLength, 0)
  }

  write(problems: readonly Problem[], encoding: 'gzip' | 'identity'): Uint8Array<ArrayBuffer> {
    const runs = this.#runsOf(problems)
    const message = firstError(problems)?.message ?? ''
    const head = JSON.stringify(resultAnswer.parse({ result: 'OK', message }))
    const pieces = [
      pieceOf(Buffer.from(`${head.slice(0, -1)},"problems":[`)),
      ...runs.flatMap(({ piece }, index) => (index === 0 ? [piece] : [comma, piece])),
      end,
    ]
    return encoding === 'gzip' ? gzipOf(pieces) : plainOf(pieces)
  }

  #runsOf(problems: readonly Problem[]): Run[] {
    const runs: Run[] = []
    const runsByProblem = new Map<Problem, Run>()
    for (let start = 0; start < problems.length;) {
      const first = problems[start]
      if (!first) break
      const cachedRun = this.#runs.get(first)
      const run = cachedRun && isAt(cachedRun, problems, start) ? cachedRun : this.#newRun(problems, start)
      runsByProblem.set(first, run)
      runs.push(run)
      start += run.problems.length
    }
    this.#runs = runsByProblem
    return runs
  }

  /** Ends before a problem that starts a cached run. */
  #newRun(problems: readonly Problem[], start: number): Run {
    const end = problems.slice(start + 1, start + maxRun).findIndex(problem => this.#runs.has(problem))
    const part = problems.slice(start, end < 0 ? start + maxRun : start + 1 + end)
    const text = JSON.stringify(part.map(problem => problemAnswer.parse(problemItem(problem))))
    return { problems: part, piece: pieceOf(Buffer.from(text.slice(1, -1))) }
  }
}

/** A plain loop for speed: it runs over all problems each time. */
function isAt({ problems: own }: Run, problems: readonly Problem[], start: number): boolean {
  for (let index = 0; index < own.length; index += 1) if (own[index] !== problems[start + index]) return false
  return true
}

const comma = pieceOf(Buffer.from(','))
const end = pieceOf(Buffer.from(']}'))
