import { messages } from '@cadmus/model/messages'
import { entityRequestOf } from '@cadmus/model/request-of'
import type { OnReferences } from '@cadmus/model/detach'
import { entityQuery, entitySavedBy, saveEntity, saveEntityContent } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { lastChangesOf } from '../../api/logs.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionStore } from '../../api/session-store.ts'
import { askingOfReferences } from '../../commands/references.ts'
import { DraftSaves } from '../../drafts/draft-saves.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { onlyTextSays, saidOfReferences, type EntityDraft } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { leadThere } from './refused-save.ts'
import { saveEntityAsNew } from './save-as-new.ts'

export const entitySaves = new DraftSaves({
  store: entityStore,
  send,
  answerTo: async ({ sent, saveId }, version) => {
    const found = await entitySavedBy(sent.saved.id, saveId, { etag: sent.etag, version })
    return found && { saved: found.entity, etag: found.etag }
  },
  load: async (id, version) => {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(id, version), staleTime: 0 })
    return { saved: entity, etag }
  },
  success: messages.entitySaved,
  whoChanged: async ({ id }, places) => lastChangesOf('entity', id, places),
  saveAsNew: saveEntityAsNew,
})

linkTabs(entityStore, entitySaves)

async function send(sent: EntityDraft, version: string | undefined, saveId: string) {
  const { saveTitle: title, saveText: text } = messages.referring
  const question = { title, text, confirmLabel: 'Save' }
  const isText = version === undefined && isSavedAsText(sent)
  const answer = await askingOfReferences(question, onReferences =>
    isText ? sendText(sent, { onReferences, saveId }) : sendFields(sent, version, { onReferences, saveId }),
  )
  return answer && { saved: answer.entity, etag: answer.etag }
}

type Asked = { onReferences: OnReferences | undefined; saveId: string }

async function sendFields(sent: EntityDraft, version: string | undefined, asked: Asked) {
  const { id, currentVersion, targetManifest } = sent.saved
  const request = { ...entityRequestOf(sent.content, currentVersion, targetManifest?.id), ...saidOf(sent) }
  try {
    return await saveEntity(id, request, sent.etag, { version, ...asked })
  } catch (failure) {
    throw leadThere(id, failure, sent.content)
  }
}

async function sendText(sent: EntityDraft, asked: Asked) {
  try {
    const { content, etag, saved } = sent
    const said = { version: saved.currentVersion, ...saidOf(sent) }
    return await saveEntityContent(saved.id, JSON.stringify(content), etag, { ...asked, ...said })
  } catch (failure) {
    // If the server sent no message, name what could not be saved.
    if (!(failure instanceof ApiError)) throw failure
    throw failure.with({ message: messageOf(failure, messages.failed.entityContent) })
  }
}

function saidOf(sent: EntityDraft) {
  const said = saidOfReferences(sent)
  return Object.keys(said).length > 0 ? { onReferencesTo: said } : {}
}

/**
 * Whether to save as a document: if the Json tab (administrators only) is shown, or made changes that only it can make.
 */
function isSavedAsText(sent: EntityDraft): boolean {
  if (sessionStore.getState().user?.isAdmin !== true) return false
  const tabId = tabIdOf({ kind: 'entity', id: sent.saved.id })
  return workbench.getState().shown.get(tabId)?.tab === 'json' || onlyTextSays(sent)
}
