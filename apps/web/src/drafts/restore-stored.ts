import { firstTexts } from '@cadmus/model/messages/first-load'
import { connectionStore } from '../api/connection.ts'
import { currentScope, scopeText } from '../api/scope.ts'
import { storedDrafts } from '../api/stored-drafts.ts'
import { dismiss, noticeStore, notify } from '../ui/notices.ts'
import { hasRestore, restoreDocument } from '../workbench/document-kinds.ts'

/** Drafts that wait until another draft of the same document is saved, by organisation and document. */
const waiting = new Map<string, { title: string; isRequested: (document: string) => boolean }>()

/** Restores the stored drafts of the requested documents; the remaining drafts are not loaded. */
export async function restoreStored(isRequested: (document: string) => boolean): Promise<void> {
  const unreadable: string[] = []
  const organisation = scopeText(currentScope())
  // The user may switch organisation during the read; drafts must not move to another organisation.
  const isStillRequested = (document: string) =>
    scopeText(currentScope()) === organisation && hasRestore(document) && isRequested(document)
  for (const { document, title, draft, forget, release } of await storedDrafts(isStillRequested)) {
    // Sequentially, because each may open a tab. Drafts that cannot be shown now remain for the next visit or until
    // the server is reachable.
    const restored = await restoreDocument(document, draft, () => isStillRequested(document))
    if (restored === 'shown') await forget().catch(() => undefined)
    else if (!isStillRequested(document)) await release().catch(() => undefined)
    else if (restored === 'conflicted') {
      if (!waiting.has(waitingKey(document))) notify('info', firstTexts.draftWaits(title), undefined, { stays: true })
      waiting.set(waitingKey(document), { title, isRequested: isStillRequested })
    } else if (restored === 'later') restoreWhenReachable(document, isStillRequested)
    else unreadable.push(restored.unreadable)
  }
  // One notice reports all unreadable drafts.
  if (unreadable.length > 0) notify('error', firstTexts.draftsUnreadable(unreadable))
}

/** Retries once the server is reachable, if the document or the outcome of a save could not be read. */
function restoreWhenReachable(document: string, isRequested: (document: string) => boolean): void {
  if (!connectionStore.getState().away) return
  const leave = connectionStore.subscribe(({ away }) => {
    if (away) return
    leave()
    void restoreStored(one => one === document && isRequested(one))
  })
}

/** Restores waiting drafts after a save of the document; not after a discard, which can be undone. */
export async function restoreWaiting(document: string, scope = currentScope()): Promise<void> {
  const key = waitingKey(document, scope)
  const waits = waiting.get(key)
  if (!waits || !waits.isRequested(document) || !waiting.delete(key)) return
  const notice = noticeStore.getState().notices.find(({ text }) => text === firstTexts.draftWaits(waits.title))
  if (notice) dismiss(notice.id)
  await restoreStored(one => one === document && waits.isRequested(one))
}

function waitingKey(document: string, scope = currentScope()): string {
  return `${scopeText(scope)} ${document}`
}
