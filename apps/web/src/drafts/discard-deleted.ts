import { messages } from '@cadmus/model/messages'
import { confirm } from '../workbench/confirm.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { tabIdOf } from '../workbench/documents.ts'
import type { DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import type { Saved } from './open-draft.ts'

/**
 * Asks for confirmation, then discards the draft of a deleted document and closes its tab unless another draft uses it.
 */
export async function discardDeleted<S extends Saved, C, E>(store: DraftStore<S, C, E>, key: DraftKey): Promise<void> {
  const open = store.get(key)
  if (!open) return
  const { id, name } = open.draft.saved
  const { discardTitle: title, discard } = messages.deleted
  if (!(await confirm({ title, text: discard(name), confirmLabel: 'Discard', danger: true }))) return
  store.discard(key)
  const tabId = tabIdOf({ kind: store.kind, id })
  if (!workbench.getState().drafts.has(tabId)) workbench.getState().closeTabs([tabId])
}
