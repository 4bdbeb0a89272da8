import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { organisationAtWork } from '../api/elsewhere.ts'
import { notify } from '../ui/Snackbar.tsx'
import type { Draft } from './draft.ts'
import type { DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import { settledDraft, type Deleted, type Saved } from './open-draft.ts'

/** `saves`: how many saves had been begun. */
type Discarded<S, C, E> = { before: Draft<S, C, E>; deleted: Deleted | null; saves: number }

/** Says that a draft was discarded, and offers it back as long as that is shown. */
export function offerBack<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  discarded: Discarded<S, C, E>,
): void {
  const { saved } = discarded.before
  const organisation = organisationAtWork()
  const again = () => {
    if (organisationAtWork() === organisation) bringBack(store, key, discarded)
    else notify('info', messages.locked.organisation)
  }
  notify('info', messages.discarded(store.title(saved), folderOf(saved.path)), { label: 'Undo', run: again })
}

/** Also where its tab was closed since: whatever is unsaved has one. */
function bringBack<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  discarded: Discarded<S, C, E>,
): void {
  const { before, deleted, saves } = discarded
  const known = store.get(key)
  if (known?.saving) {
    // On what the save makes of it, where that is still shown.
    const organisation = organisationAtWork()
    const ended = store.state.subscribe(() => {
      const now = store.get(key)
      if (now?.saving) return
      ended()
      if (now && organisationAtWork() === organisation) bringBack(store, key, discarded)
    })
  } else if (known) store.bringBack(key, before, saves)
  else store.put(key, { ...settledDraft, draft: before, deleted })
}
