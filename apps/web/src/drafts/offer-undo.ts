import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { currentScope, scopeText } from '../api/scope.ts'
import { notify } from '../ui/Snackbar.tsx'
import type { Draft } from './draft.ts'
import type { DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import { settledDraft, type Deleted, type Saved } from './open-draft.ts'

/** `saves`: number of saves started before the draft was discarded. */
type Discarded<S, C, E> = { before: Draft<S, C, E>; deleted: Deleted | null; saves: number }

/** Notifies that a draft was discarded and offers Undo while the notice is shown. */
export function offerUndo<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  discarded: Discarded<S, C, E>,
): void {
  const { saved } = discarded.before
  const organisation = scopeText(currentScope())
  const again = () => {
    if (scopeText(currentScope()) === organisation) restoreDiscarded(store, key, discarded)
    else notify('info', messages.locked.organisation)
  }
  notify('info', messages.discarded(store.title(saved), folderOf(saved.path)), { label: 'Undo', run: again })
}

/** Reopens the tab if it was closed, because every unsaved document has one. */
function restoreDiscarded<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
  discarded: Discarded<S, C, E>,
): void {
  const { before, deleted, saves } = discarded
  const open = store.get(key)
  if (open?.saving) {
    // Applies to the state after a pending save, if the draft is still open.
    const organisation = scopeText(currentScope())
    const ended = store.state.subscribe(() => {
      const now = store.get(key)
      if (now?.saving) return
      ended()
      if (now && scopeText(currentScope()) === organisation) restoreDiscarded(store, key, discarded)
    })
  } else if (open) store.bringBack(key, before, saves)
  else store.put(key, { ...settledDraft, draft: before, deleted })
}
