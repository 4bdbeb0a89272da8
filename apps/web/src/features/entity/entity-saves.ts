import type { EntityEdit } from '@cadmus/model/edits/entity-edit'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { entityRequestOf } from '@cadmus/model/request-of'
import { entityQuery, saveEntity } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { askingOfReferences } from '../../commands/references.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { readDraftKey, type DraftKey } from './draft-key.ts'
import { afterSave, edited, keptMine, saidOfReferences, tookTheirs, undone, type EntityDraft } from './entity-draft.ts'
import { fail, openEntity, put, settledEntity, type OpenEntity } from './entity-store.ts'

// The one way in which an entity is saved.

/** Saves the draft. False: it did not work, the document says why and keeps every edit. */
export async function saveDraft(key: DraftKey): Promise<boolean> {
  try {
    if (!(await save(key))) return false
    notify('success', messages.entitySaved)
    return true
  } catch (failure) {
    fail(key, failure)
    return false
  }
}

/** Saves the draft with some edits more; where that does not work they are taken back and the failure is the caller's to show. False: it was not saved, as the person wanted. */
export async function saveWith(
  key: DraftKey,
  edits: (content: EntityContent) => readonly EntityEdit[],
): Promise<boolean> {
  const known = openEntity(key)
  if (!known) return false
  const draft = edited(known.draft, edits(known.draft.content))
  put(key, { ...known, draft })
  const takeBack = () => {
    const now = openEntity(key)
    if (now) put(key, { ...now, saving: false, draft: takenBack(now.draft, draft) })
  }
  try {
    const isSaved = await save(key)
    if (!isSaved) takeBack()
    return isSaved
  } catch (failure) {
    takeBack()
    throw failure
  }
}

/** After a refused save: puts the server's present state below one's own edits and saves, or takes it as it is. */
export async function settleConflict(key: DraftKey, keep: 'mine' | 'theirs'): Promise<void> {
  const place = readDraftKey(key)
  if (!place) return
  try {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(place.id, place.version), staleTime: 0 })
    const now = openEntity(key)?.draft
    if (!now) return
    const settle = keep === 'mine' ? keptMine : tookTheirs
    put(key, { ...settledEntity, draft: settle(now, entity, etag) })
    if (keep === 'mine') await saveDraft(key)
  } catch (failure) {
    fail(key, failure)
  }
}

const underWay = new Map<DraftKey, Promise<unknown>>()

/** One save of a draft after the other: what is done while one is under way is saved by the next, and not given up. */
async function save(key: DraftKey): Promise<boolean> {
  while (underWay.has(key)) await underWay.get(key)
  const known = openEntity(key)
  if (!known) return false
  // The one before took it along.
  if (known.draft.changes === 0) return true
  const saving = send(key, known)
  const over = Promise.allSettled([saving]).finally(() => underWay.delete(key))
  underWay.set(key, over)
  return saving
}

async function send(key: DraftKey, known: OpenEntity): Promise<boolean> {
  put(key, { ...known, saving: true, error: null, conflicts: [] })
  const sent = known.draft
  const { id, currentVersion, targetManifest } = sent.saved
  const said = saidOfReferences(sent)
  const request = {
    ...entityRequestOf(sent.content, currentVersion, targetManifest?.id),
    ...(Object.keys(said).length > 0 ? { onReferencesTo: said } : {}),
  }
  const version = readDraftKey(key)?.version
  const { saveTitle: title, saveText: text } = messages.referring
  const saved = await askingOfReferences({ title, text, confirmLabel: 'Save' }, onReferences =>
    saveEntity(id, request, sent.etag, { version, onReferences }),
  )
  if (!saved) {
    const asked = openEntity(key)
    if (asked) put(key, { ...asked, saving: false })
    return false
  }
  const { entity, etag } = saved
  // Edits made while the save was under way stay, on top of what it stored.
  const now = openEntity(key)?.draft ?? sent
  put(key, { ...settledEntity, draft: afterSave(now, sent, entity, etag) })
  if (version === undefined) workbench.getState().rename(tabIdOf({ kind: 'entity', id }), entity.name)
  return true
}

/** Without the step that was added for the save, if it is still the last one. */
function takenBack(now: EntityDraft, sent: EntityDraft): EntityDraft {
  // By its edits: on another state it is another step.
  const isLast = now.done.length > 0 && now.done.at(-1)?.edits === sent.done.at(-1)?.edits
  return isLast ? { ...undone(now), undone: now.undone } : now
}
