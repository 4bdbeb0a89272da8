import { listNamesakes, resolveNamesakes, type NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import type { NameConflictStrategy } from '@cadmus/model/name-conflicts'
import { callApi, callWithTag } from './client.ts'
import { refreshStructure } from './query-client.ts'

/** The effect of a strategy on entities of the same name; `etag` identifies that plan. */
export type NameConflictPlan = { steps: readonly NameConflictStepAnswer[]; etag: string }

export async function nameConflictPlan(
  id: number,
  strategy: NameConflictStrategy,
  signal?: AbortSignal,
): Promise<NameConflictPlan> {
  const input = { params: { id }, query: { strategy } }
  const { answer, etag } = await callWithTag(listNamesakes, input, signal ? { signal } : {})
  return { steps: answer.steps, etag }
}

/** Applies the plan; returns what was done, with a summary. */
export async function resolveNameConflicts(
  id: number,
  strategy: NameConflictStrategy,
  ifMatch: string,
): Promise<{ steps: readonly NameConflictStepAnswer[]; message: string }> {
  try {
    return await callApi(resolveNamesakes, { params: { id }, body: { strategy } }, { ifMatch })
  } finally {
    // A failed call may have applied a part of the plan.
    refreshStructure()
  }
}
