import { columnName, columnsOf } from '@cadmus/model/columns'
import { currentScope } from '../../api/scope.ts'
import { showImpact } from '../../commands/impact.ts'
import { draftKey, placeOf } from '../../drafts/draft-key.ts'
import { editsToSend } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'

/** Shows what depends on the entity, or on the column with this uid, and what the unsaved changes mean. */
export async function showDependents({ key, entity, draft }: EntityView, uid?: string): Promise<void> {
  const { scope, version } = placeOf(key)
  const column = uid === undefined ? undefined : columnsOf(draft.content).find(one => one.uid === uid)
  const edits = draft.changes > 0 && version === undefined ? editsToSend(draft) : []
  const subject = { id: entity.id, name: draft.content.name, edits, scope }
  await showImpact(subject, column && { uid: column.uid, name: columnName(column) })
}

/** The same of an entity that may not be open. */
export async function showDependentsOf({ id, name }: { id: number; name: string }): Promise<void> {
  const draft = entityStore.get(draftKey(id, undefined))?.draft
  const edits = draft && draft.changes > 0 ? editsToSend(draft) : []
  await showImpact({ id, name: draft?.content.name ?? name, edits, scope: currentScope() })
}
