import { firstError } from '@cadmus/model/validate'
import type { Problem, ProblemStep } from '@cadmus/model/problem'
import { ApiError } from '../../errors/api-error.ts'
import { problemItem } from '../../jobs/problem-writer.ts'

/** Throws 400 with the first error's message and all problems, if there is an error. */
export function refuseErrors(problems: readonly Problem[]): void {
  const first = firstError(problems)
  if (first === undefined) return
  const errors = problems
    .filter(problem => problem.severity === 'error')
    .map(({ path, message }) => ({ path: path.map(stepText).join('/'), message }))
  throw new ApiError(400, 'invalid_manifest', first.message, { errors, problems: problems.map(problemItem) })
}

function stepText({ name }: ProblemStep): string {
  return name
}
