import { entityForm } from '@cadmus/model/content'
import { editForms } from '@cadmus/model/edits/edit-forms'
import { messages } from '@cadmus/model/messages'
import { deletionOf } from '../api/logs.ts'
import { OpenDrafts } from './open-drafts.ts'
import type { OpenDraft } from './open-draft.ts'
import { draftForm } from './stored-draft.ts'
import { countRefused } from './cell-problems.ts'
import { entityDrafts, type EntityDraft } from './entity-draft.ts'

export type OpenEntity = OpenDraft<EntityDraft['saved'], EntityDraft['base'], EntityEdit>
type EntityEdit = EntityDraft['done'][number]['edits'][number]

/** Every open entity and viewed old version, with its unsaved edits. */
export const entityStore = new OpenDrafts({
  kind: 'entity',
  drafts: entityDrafts,
  title: ({ name }) => name,
  failed: messages.failed.saveEntity,
  placeOf: ({ path, currentVersion: version, targetManifest: manifest }) => ({ path, version, manifest }),
  deletion: ({ id }, scope) => deletionOf('entity', id, scope),
  countInvalid: countRefused,
})

export const entityDraftForm = draftForm('entity draft', entityForm, editForms.entity)
