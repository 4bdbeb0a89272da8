import { type EntityStateAnswer, readEntityContents } from '@cadmus/model/contract/contents'
import { callApi } from './client.ts'
import type { CallOptions } from './send.ts'

type Tagged = { id: number; tag: string }

/** The entities of a manifest, in its order: those in the states that the caller has, and what `received` makes of others. */
export async function readContents<T extends Tagged>(
  manifestId: number,
  before: readonly T[],
  received: (state: EntityStateAnswer) => T,
  options: CallOptions,
): Promise<readonly T[]> {
  const byId = new Map(before.map(one => [one.id, one]))
  for (;;) {
    const known = Array.from(byId.values(), ({ id, tag }) => ({ id, tag }))
    const { ids, entities, more } = await callApi(
      readEntityContents,
      { params: { id: manifestId }, body: { known } },
      options,
    )
    for (const state of entities) byId.set(state.id, received(state))
    if (more && entities.length > 0) continue
    const all = ids.flatMap(id => byId.get(id) ?? [])
    return all.length === before.length && all.every((one, at) => one === before[at]) ? before : all
  }
}
