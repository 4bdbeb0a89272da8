import { problemAnswer } from '@cadmus/model/contract/problem'
import { resultAnswer } from '@cadmus/model/contract/shared'
import type { Problem } from '@cadmus/model/problem'
import { firstError } from '@cadmus/model/validate'

/** A problem as the wire has it. */
export function problemItem({ severity, code, message, path, databases }: Problem) {
  return { severity, code, message, path: [...path], ...(databases && { databases: [...databases] }) }
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')
const written = new WeakMap<Problem, Uint8Array>()

/**
 * The answer with all problems, as JSON. There may be thousands, most of them the same as in the answer before: each is checked and
 * written once, as long as it is the same object.
 */
export function writtenProblems(problems: readonly Problem[]): Uint8Array {
  const message = firstError(problems)?.message ?? ''
  const head = JSON.stringify(resultAnswer.parse({ result: 'OK', message }))
  const pieces: Uint8Array[] = [Buffer.from(`${head.slice(0, -1)},"problems":[`)]
  for (const [index, problem] of problems.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(pieceOf(problem))
  }
  pieces.push(end)
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function pieceOf(problem: Problem): Uint8Array {
  const known = written.get(problem)
  if (known) return known
  const piece = Buffer.from(JSON.stringify(problemAnswer.parse(problemItem(problem))))
  written.set(problem, piece)
  return piece
}
