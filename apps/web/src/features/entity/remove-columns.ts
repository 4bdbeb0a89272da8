import { type Column, columnName, columnsInOrder, isKey, isRelationship, isTypeAttribute } from '@cadmus/model/columns'
import { removeAttributesEdits, removeRelationshipEdits } from '@cadmus/model/edits/entity-actions'
import type { EntityContent } from '@cadmus/model/entity'
import { checkName } from '@cadmus/model/checks'
import { constraintsWith } from '@cadmus/model/constraints'
import { groupName } from '@cadmus/model/groups'
import { dividedRelationships } from '@cadmus/model/key-pairs'
import { messages } from '@cadmus/model/messages'
import { checkTexts } from '@cadmus/model/messages/checks'
import { groupTexts } from '@cadmus/model/messages/groups'
import { keyPairTexts } from '@cadmus/model/messages/key-pairs'
import { listedNames } from '../../commands/entity-words.ts'
import { referringToAttributes } from '../../commands/references.ts'
import { notify } from '../../ui/notices.ts'
import { confirm } from '../../workbench/confirm.ts'
import { undoLastInMessage } from '../../drafts/edit-entity.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'

export const keyReason = 'The key cannot be deleted.'

/** Names the groups, checks and foreign keys that lose columns, as further sentences; '' if there are none. */
export function constraintsLosing(content: EntityContent, columns: readonly Column[], isMove = false): string {
  const uids = new Set(columns.map(({ uid }) => uid))
  const { groups, checks } = constraintsWith(content, uids)
  const keys = dividedRelationships(content, uids, isMove)
  return [
    ...losingSentences(groups.map(groupName), checks.map(checkName)),
    ...(keys.length === 0 ? [] : [keyPairTexts.losing(listedNames(keys.map(columnName)))]),
  ]
    .map(text => `. ${text}`)
    .join('')
}

export function losingSentences(groups: readonly string[], checks: readonly string[]): string[] {
  return [
    ...(groups.length > 0 ? [groupTexts.losing(listedNames(groups))] : []),
    ...(checks.length > 0 ? [checkTexts.losing(listedNames(checks))] : []),
  ]
}

/**
 * Removes attributes and relationships from the draft, as one step, after a confirmation that lists references to the
 * attributes. Resolves to false if cancelled.
 */
export async function removeColumns({ key, entity, draft }: EntityView, chosen: readonly string[]): Promise<boolean> {
  const uids = new Set(chosen)
  const columns = columnsInOrder(draft.content).filter(row => uids.has(row.uid))
  const attributes = columns.filter(isTypeAttribute).filter(row => !isKey(row))
  const relationships = columns.filter(isRelationship)
  const deletable = [...attributes, ...relationships]
  if (deletable.length === 0) return false
  const { deleteTypeAttributes, deleteEntityAttributes } = messages.confirm
  const names = listedNames(
    deletable.map(row => (isRelationship(row) ? `${columnName(row)} to ${row.associatedEntity.name}` : row.name)),
  )
  const question = {
    title: attributes.length > 0 ? deleteTypeAttributes : deleteEntityAttributes,
    text: `${names}${constraintsLosing(draft.content, deletable)}`,
    confirmLabel: 'Delete',
    danger: true,
  }
  const stored = draft.base.typeAttributes.map(row => row.uid).filter(uid => uids.has(uid))
  const { additions = {}, chosen: onReferences } =
    stored.length > 0 ? await referringToAttributes(entity.id, stored) : { chosen: () => undefined }
  if (!(await confirm({ ...question, ...additions }))) return false
  entityStore.edit(key, () => [
    ...relationships.flatMap(({ uid }) => removeRelationshipEdits(uid)),
    ...(attributes.length > 0
      ? removeAttributesEdits(
          attributes.map(({ uid }) => uid),
          onReferences(),
        )
      : []),
  ])
  if (attributes.length === 0) notify('success', messages.entityAttributesDeleted, undoLastInMessage(key))
  return true
}
