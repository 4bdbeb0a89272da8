import {
  listNamesakes,
  resolveNamesakes as resolveCall,
  type NamesakeStepAnswer,
} from '@cadmus/model/contract/manifest-namesakes'
import type { NamesakeStrategy } from '@cadmus/model/namesake-plan'
import { callApi, callWithTag } from './client.ts'
import { refreshStructure } from './query-client.ts'

/** The effect of a strategy on entities of the same name; `etag` identifies exactly that plan. */
export type NamesakePlan = { steps: readonly NamesakeStepAnswer[]; etag: string }

export async function namesakePlan(
  id: number,
  strategy: NamesakeStrategy,
  signal?: AbortSignal,
): Promise<NamesakePlan> {
  const input = { params: { id }, query: { strategy } }
  const { answer, etag } = await callWithTag(listNamesakes, input, signal ? { signal } : {})
  return { steps: answer.steps, etag }
}

/** Applies the plan; returns a summary. */
export async function resolveNamesakes(id: number, strategy: NamesakeStrategy, ifMatch: string): Promise<string> {
  try {
    return (await callApi(resolveCall, { params: { id }, body: { strategy } }, { ifMatch })).message
  } finally {
    // A failed call may have applied a part of the plan.
    await refreshStructure()
  }
}
