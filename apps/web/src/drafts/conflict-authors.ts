import type { Author } from '../api/logs.ts'
import type { DraftKey } from './draft-key.ts'
import { isSamePlace, type Place } from './draft-adapter.ts'
import type { DraftStore } from './draft-store.ts'
import { unknownChange, type Saved } from './open-draft.ts'

/** Last author and time of each place of a document; null if unknown. */
export type FindAuthors<S> = (saved: S, places: readonly Place[]) => Promise<(Author | null)[]>

/** Adds the authors to conflicts that the page detected without the server. */
export async function addAuthors<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  findAuthors: FindAuthors<S>,
): Promise<void> {
  const before = store.get(key)
  const open = before?.conflicts.filter(({ who }) => who === '') ?? []
  if (!before || open.length === 0) return
  const answers = await findAuthors(before.draft.saved, open).catch(() => [])
  const now = store.get(key)
  if (!now?.conflictState || now.conflictState.etag !== before.conflictState?.etag) return
  const authored = open.flatMap(({ path, field }, index) => {
    const answer = answers[index]
    return answer ? [{ path, field, ...answer }] : []
  })
  const reported = [...authored.map(one => ({ ...unknownChange, ...one })), ...now.conflictState.reported]
  const conflicts = now.conflicts.map(one => ({ ...one, ...authored.find(isSamePlace(one)) }))
  store.put(key, { ...now, conflicts, conflictState: { ...now.conflictState, reported } })
}
