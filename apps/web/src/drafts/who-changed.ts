import type { Whose } from '../api/logs.ts'
import type { DraftKey } from './draft-key.ts'
import { isSamePlace, type Place } from './draft-law.ts'
import type { DraftStore } from './draft-store.ts'
import { unknownChange, type Saved } from './open-draft.ts'

/** Last author and time of each place of a document; null if unknown. */
export type WhoChanged<S> = (saved: S, places: readonly Place[]) => Promise<(Whose | null)[]>

/** Adds the authors to conflicts that the page detected without the server. */
export async function tellWhoChanged<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  whoChanged: WhoChanged<S>,
): Promise<void> {
  const known = store.get(key)
  const open = known?.conflicts.filter(({ who }) => who === '') ?? []
  if (!known || open.length === 0) return
  const answers = await whoChanged(known.draft.saved, open).catch(() => [])
  const now = store.get(key)
  if (!now?.against || now.against.etag !== known.against?.etag) return
  const told = open.flatMap(({ path, field }, index) => {
    const answer = answers[index]
    return answer ? [{ path, field, ...answer }] : []
  })
  const found = [...told.map(one => ({ ...unknownChange, ...one })), ...now.against.found]
  const conflicts = now.conflicts.map(one => ({ ...one, ...told.find(isSamePlace(one)) }))
  store.put(key, { ...now, conflicts, against: { ...now.against, found } })
}
