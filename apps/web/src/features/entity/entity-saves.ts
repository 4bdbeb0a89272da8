import { messages } from '@cadmus/model/messages'
import { entityRequestOf } from '@cadmus/model/request-of'
import { entityQuery, saveEntity } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { askingOfReferences } from '../../commands/references.ts'
import { DraftSaves } from '../../drafts/draft-saves.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { saidOfReferences, type EntityDraft } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { saveEntityAsNew } from './save-as-new.ts'

/** The one way in which an entity is saved. */
export const entitySaves = new DraftSaves({
  store: entityStore,
  send,
  load: async (id, version) => {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(id, version), staleTime: 0 })
    return { saved: entity, etag }
  },
  success: messages.entitySaved,
  saveAsNew: saveEntityAsNew,
})

linkTabs(entityStore, entitySaves)

async function send(sent: EntityDraft, version: string | undefined) {
  const { id, currentVersion, targetManifest } = sent.saved
  const said = saidOfReferences(sent)
  const request = {
    ...entityRequestOf(sent.content, currentVersion, targetManifest?.id),
    ...(Object.keys(said).length > 0 ? { onReferencesTo: said } : {}),
  }
  const { saveTitle: title, saveText: text } = messages.referring
  const answer = await askingOfReferences({ title, text, confirmLabel: 'Save' }, onReferences =>
    saveEntity(id, request, sent.etag, { version, onReferences }),
  )
  return answer && { saved: answer.entity, etag: answer.etag }
}
