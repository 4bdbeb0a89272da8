import { messages } from '@cadmus/model/messages'
import { connectionStore } from '../api/connection.ts'
import { organisationAtWork } from '../api/elsewhere.ts'
import { keptDrafts } from '../api/kept-drafts.ts'
import { dismiss, noticeStore, notify } from '../ui/notices.ts'
import { restoreDocument } from '../workbench/document-kinds.ts'

/** Drafts that wait until another draft of the same document is saved, by organisation and document. */
const waiting = new Map<string, { title: string; isWanted: (document: string) => boolean }>()

/** Restores the stored drafts of the requested documents; others remain stored. */
export async function restoreKept(isWanted: (document: string) => boolean): Promise<void> {
  const unreadable: string[] = []
  const organisation = organisationAtWork()
  // The user may switch organisation during the read; drafts must not move to another one.
  const isStillWanted = (document: string) => organisationAtWork() === organisation && isWanted(document)
  for (const { document, title, draft, forget, release } of await keptDrafts(isStillWanted)) {
    // Sequentially, because each may open a tab. Drafts that cannot be shown now remain for the next visit or until
    // the server is reachable.
    const restored = await restoreDocument(document, draft, () => isStillWanted(document))
    if (restored === 'shown') await forget().catch(() => undefined)
    else if (!isStillWanted(document)) await release().catch(() => undefined)
    else if (restored === 'contested') {
      if (!waiting.has(waitingAs(document))) notify('info', messages.draftWaits(title), undefined, { stays: true })
      waiting.set(waitingAs(document), { title, isWanted: isStillWanted })
    } else if (restored === 'later') restoreOnceBack(document, isStillWanted)
    else unreadable.push(restored.unreadable)
  }
  // One notice reports all unreadable drafts.
  if (unreadable.length > 0) notify('error', messages.draftsUnreadable(unreadable))
}

/** Retries once the server is reachable, if the document or the outcome of a save could not be read. */
function restoreOnceBack(document: string, isWanted: (document: string) => boolean): void {
  if (!connectionStore.getState().away) return
  const leave = connectionStore.subscribe(({ away }) => {
    if (away) return
    leave()
    void restoreKept(one => one === document && isWanted(one))
  })
}

/** Restores waiting drafts after a save of the document; not after a discard, which can be undone. */
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
