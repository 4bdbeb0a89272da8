import { type Column, columnName, columnsInOrder } from '@cadmus/model/columns'
import { groupOfColumns, putGroupEdits, removeGroupEdits } from '@cadmus/model/edits/group-edits'
import type { Group, GroupKind } from '@cadmus/model/group'
import { groupTexts } from '@cadmus/model/messages/groups'
import { foldName } from '@cadmus/model/paths'
import { groupFault } from '@cadmus/model/rules/groups'
import { notify } from '../../ui/notices.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { undoLastInMessage } from '../../drafts/edit-entity.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'
import type { GroupDialogProps, MemberColumn } from './GroupDialog.tsx'

const groupDialog = defineDialog<Omit<GroupDialogProps, 'onClose'>>('group', () =>
  import('./GroupDialog.tsx').then(module => module.GroupDialog),
)

type View = Pick<EntityView, 'key' | 'entity' | 'draft'>

export function newGroup(view: View): void {
  open(view, groupOfColumns('unique', []), true)
}

export function editGroup(view: View, group: Group): void {
  open(view, group, false)
}

function open(view: View, group: Group, isNew: boolean): void {
  const { key, draft } = view
  openDialog(groupDialog, {
    group,
    isNew,
    columns: memberColumns(view),
    content: draft.content,
    onApply: edited => entityStore.edit(key, content => putGroupEdits(content, edited)),
    onDelete: () => entityStore.edit(key, content => removeGroupEdits(content, group.uid)),
  })
}

/** Own columns by position, then inherited ones that they do not override. */
export function memberColumns({ entity, draft: { content } }: View): MemberColumn[] {
  const own = columnsInOrder(content).map(column => ({ uid: column.uid, name: columnName(column) }))
  const names = new Set(own.map(({ name }) => foldName(name)))
  const isKept = content.extendsEntity !== null && content.extendsEntity.id === entity.extendsEntity?.id
  const inherited = (entity.resolvedAttributes ?? []).filter(
    ({ origin, name }) => isKept && origin === 'inherited' && !names.has(foldName(name)),
  )
  return [...own, ...inherited.map(({ name }) => ({ uid: '', name }))]
}

/** Why these columns cannot become a group of this kind; undefined if they can. */
export function groupRefusal({ draft }: View, kind: GroupKind, columns: readonly Column[]): string | undefined {
  return groupFault(groupOfColumns(kind, columns), draft.content)
}

/** Adds a group of the columns. */
export function addGroup({ key }: View, kind: 'unique' | 'index', columns: readonly Column[]): void {
  entityStore.edit(key, content => putGroupEdits(content, groupOfColumns(kind, columns)))
  notify('success', groupTexts.added(kind, columns.map(columnName).join(', ')), undoLastInMessage(key))
}
