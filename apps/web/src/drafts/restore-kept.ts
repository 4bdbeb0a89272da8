import { messages } from '@cadmus/model/messages'
import { connectionStore } from '../api/connection.ts'
import { organisationAtWork } from '../api/elsewhere.ts'
import { keptDrafts } from '../api/kept-drafts.ts'
import { dismiss, noticeStore, notify } from '../ui/notices.ts'
import { restoreDocument } from '../workbench/document-kinds.ts'

/** What waits until another draft of the same document is saved, by organisation and document, and whether it is wanted still. */
const waiting = new Map<string, { title: string; isWanted: (document: string) => boolean }>()

/** Brings back what was kept of the documents that are wanted; the others wait. */
export async function restoreKept(isWanted: (document: string) => boolean): Promise<void> {
  const unreadable: string[] = []
  const organisation = organisationAtWork()
  // The person may go on while it is read: what is of this organisation never goes into another one.
  const isStillWanted = (document: string) => organisationAtWork() === organisation && isWanted(document)
  for (const { document, title, draft, forget, release } of await keptDrafts(isStillWanted)) {
    // One by one: each may open a tab. What could not be shown now is there for the next time, or once the server is.
    const restored = await restoreDocument(document, draft, () => isStillWanted(document))
    if (restored === 'shown') await forget().catch(() => undefined)
    else if (!isStillWanted(document)) await release().catch(() => undefined)
    else if (restored === 'contested') {
      if (!waiting.has(waitingAs(document))) notify('info', messages.draftWaits(title), undefined, { stays: true })
      waiting.set(waitingAs(document), { title, isWanted: isStillWanted })
    } else if (restored === 'later') restoreOnceBack(document, isStillWanted)
    else unreadable.push(restored.unreadable)
  }
  // Nothing that a person did goes without a word; of several one says it.
  if (unreadable.length > 0) notify('error', messages.draftsUnreadable(unreadable))
}

/** What is stored could not be read, or what became of a save: its document would be shown without it. */
function restoreOnceBack(document: string, isWanted: (document: string) => boolean): void {
  if (!connectionStore.getState().away) return
  const leave = connectionStore.subscribe(({ away }) => {
    if (away) return
    leave()
    void restoreKept(one => one === document && isWanted(one))
  })
}

/** What is unsaved of a document was saved: what waited for that comes back. Not after a discard, which may be undone. */
export async function restoreWaiting(document: string): Promise<void> {
  const waits = waiting.get(waitingAs(document))
  if (!waits || !waiting.delete(waitingAs(document)) || !waits.isWanted(document)) return
  const told = noticeStore.getState().notices.find(({ text }) => text === messages.draftWaits(waits.title))
  if (told) dismiss(told.id)
  await restoreKept(one => one === document && waits.isWanted(one))
}

function waitingAs(document: string): string {
  return `${organisationAtWork()} ${document}`
}
