import { messages } from '@cadmus/model/messages'
import { keptDrafts } from '../api/kept-drafts.ts'
import { notify } from '../ui/notices.ts'
import { restoreDocument } from '../workbench/document-kinds.ts'

/** Brings back what was kept of the documents that are wanted; the others wait. */
export async function restoreKept(isWanted: (document: string) => boolean): Promise<void> {
  const unreadable: string[] = []
  for (const { document, draft, forget } of await keptDrafts()) {
    if (!isWanted(document)) continue
    // One by one: each may open a tab. What could not be shown now is there for the next time.
    const restored = await restoreDocument(document, draft)
    if (restored === 'shown') await forget().catch(() => undefined)
    else if (restored !== 'later') unreadable.push(restored.unreadable)
  }
  // Nothing that a person did goes without a word; of several one says it.
  if (unreadable.length > 0) notify('error', messages.draftsUnreadable(unreadable))
}
