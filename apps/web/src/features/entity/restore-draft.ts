import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { settleEntityEdits } from '../../api/edits.ts'
import { entityQuery } from '../../api/entities.ts'
import { currentScope } from '../../api/scope.ts'
import { queryClient } from '../../api/query-client.ts'
import { nameInBase, restoreDraft } from '../../drafts/restore-draft.ts'
import type { Restored } from '../../workbench/document-kinds.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
// Registers the saves, so that the tab shows the unsaved changes.
import './entity-saves.ts'
import { entityStore, entityDraftForm } from '../../drafts/entity-store.ts'

/** Restores an unsaved draft of an earlier visit or closed page. */
export async function restoreEntityDraft(key: string, stored: unknown, isNeeded: () => boolean): Promise<Restored> {
  const load = async (id: number, version: string | undefined) => {
    const { entity, etag } = await queryClient.fetchQuery(entityQuery(id, version))
    return { saved: entity, etag }
  }
  const settle = async ({ id }: EntityAnswer, operationId: string) => {
    const response = await settleEntityEdits({ id, version: undefined, scope: currentScope() }, operationId)
    return response && { saved: response.entity, etag: response.etag }
  }
  const options = {
    store: entityStore,
    form: entityDraftForm,
    load,
    settle,
    standIn: entityStandIn,
    nameIn: nameInBase,
  }
  return restoreDraft(options, key, stored, isNeeded)
}
