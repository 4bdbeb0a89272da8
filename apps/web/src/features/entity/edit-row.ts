import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { notify } from '../../ui/notices.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'

type Row = { uid: string; name: string }

/**
 * Changes a row as shown. If the row was deleted concurrently, the change is kept as unsaved and the save reports the
 * conflict.
 */
export function editRow(
  { key, draft }: Pick<EntityView, 'key' | 'draft'>,
  { uid, name }: Row,
  edits: (content: EntityContent) => readonly EntityEdit[],
): void {
  const isThere = () => {
    const now = entityStore.get(key)
    if (!now) return true
    const { typeAttributes, entityAttributes } = now.draft.content
    return [...typeAttributes, ...entityAttributes].some(row => row.uid === uid)
  }
  if (isThere()) return entityStore.edit(key, edits)
  entityStore.editOn(key, draft, edits)
  if (!isThere()) throw new Error(messages.deletedRemotely(name))
  notify('info', messages.inputOfDeletedRow(name))
}
