import { removeAttributesEdits } from '@cadmus/model/edits/entity-actions'
import { messages } from '@cadmus/model/messages'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import { listedNames } from '../../commands/entity-words.ts'
import { referringToAttributes } from '../../commands/references.ts'
import { confirm } from '../../workbench/confirm.ts'
import { attributeRows } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'

export const keyReason = 'The key cannot be deleted.'

/**
 * Removes type attributes from the draft after a confirmation that lists references to them. Resolves to false if
 * cancelled.
 */
export async function removeAttributes(
  { key, entity, draft }: EntityView,
  chosen: readonly string[],
): Promise<boolean> {
  const uids = new Set(chosen)
  const deletable = attributeRows(draft).filter(row => uids.has(row.uid) && !isPrimaryKey(row))
  if (deletable.length === 0) return false
  const question = {
    title: messages.confirm.deleteTypeAttributes,
    text: listedNames(deletable.map(row => row.name)),
    confirmLabel: 'Delete',
    danger: true,
  }
  const stored = draft.base.typeAttributes.map(row => row.uid).filter(uid => uids.has(uid))
  const { additions, chosen: onReferences } = await referringToAttributes(entity.id, stored)
  if (!(await confirm({ ...question, ...additions }))) return false
  const removedUids = deletable.map(row => row.uid)
  entityStore.edit(key, () => removeAttributesEdits(removedUids, onReferences()))
  return true
}
