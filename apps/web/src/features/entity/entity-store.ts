import { entityForm } from '@cadmus/model/content'
import { entityEditSchema } from '@cadmus/model/edits/entity-edit'
import { messages } from '@cadmus/model/messages'
import { readStored } from '@cadmus/model/stored/stored-form'
import { deletionOf } from '../../api/logs.ts'
import { DraftStore } from '../../drafts/draft-store.ts'
import type { OpenDraft } from '../../drafts/open-draft.ts'
import { storedDraftSchema } from '../../drafts/stored-draft.ts'
import { entityDrafts, type EntityDraft } from './entity-draft.ts'

export type OpenEntity = OpenDraft<EntityDraft['saved'], EntityDraft['base'], EntityEdit>
type EntityEdit = EntityDraft['done'][number]['edits'][number]

/** Every open entity and viewed old version, with its unsaved edits. */
export const entityStore = new DraftStore({
  kind: 'entity',
  drafts: entityDrafts,
  title: ({ name }) => name,
  failed: messages.failed.saveEntity,
  placeOf: ({ path, currentVersion: version, targetManifest: manifest }) => ({ path, version, manifest }),
  deletion: ({ id }) => deletionOf('entity', id),
})

export const storedEntitySchema = storedDraftSchema(json => readStored(entityForm, json), entityEditSchema)
