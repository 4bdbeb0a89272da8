import { type EntityStateAnswer, readEntityContents } from '@cadmus/model/contract/contents'
import { callApi } from './client.ts'
import type { CallOptions } from './send.ts'

type Tagged = { id: number; tag: string }

/** The entities of a manifest, in its order: those in the states that the caller has, and what `received` makes of others. */
export async function readContents<T extends Tagged>(
  manifestId: number,
  before: readonly T[],
  received: (states: readonly EntityStateAnswer[]) => Promise<readonly T[]>,
  options: CallOptions,
): Promise<readonly T[]> {
  const byId = new Map(before.map(one => [one.id, one]))
  const tags = new Map(before.map(({ id, tag }) => [id, tag]))
  const readPart = async () => {
    const known = Array.from(tags, ([id, tag]) => ({ id, tag }))
    return callApi(readEntityContents, { params: { id: manifestId }, body: { known } }, options)
  }
  let part = await readPart()
  for (;;) {
    const { ids, entities, more } = part
    for (const { id, tag } of entities) tags.set(id, tag)
    // The server makes the next part while the page takes this one.
    const [next, taken] = await Promise.all([more && entities.length > 0 ? readPart() : null, received(entities)])
    for (const one of taken) byId.set(one.id, one)
    if (next) {
      part = next
      continue
    }
    const all = ids.flatMap(id => byId.get(id) ?? [])
    return all.length === before.length && all.every((one, at) => one === before[at]) ? before : all
  }
}
