import { useStore } from 'zustand'
import type { DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import type { OpenDraft, Saved } from './open-draft.ts'

export function useOpenDraft<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
): OpenDraft<S, C, E> | undefined {
  return useStore(store.state, state => state.open.get(key))
}
