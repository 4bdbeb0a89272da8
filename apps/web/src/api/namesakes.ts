import {
  listNamesakes,
  resolveNamesakes as resolveCall,
  type NamesakeStepAnswer,
} from '@cadmus/model/contract/manifest-namesakes'
import type { NamesakeStrategy } from '@cadmus/model/namesake-plan'
import { callApi, callWithTag } from './client.ts'
import { refreshStructure } from './query-client.ts'

/** What a strategy would do with a manifest's namesakes; `etag` stands for exactly that. */
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

/** Does what the plan says; answers what was done in a sentence. */
export async function resolveNamesakes(id: number, strategy: NamesakeStrategy, ifMatch: string): Promise<string> {
  try {
    return (await callApi(resolveCall, { params: { id }, body: { strategy } }, { ifMatch })).message
  } finally {
    // Of many, some may be done where the rest was refused.
    await refreshStructure()
  }
}
