import type { Check } from '@cadmus/model/checks'
import { putCheckEdits, removeCheckEdits } from '@cadmus/model/edits/constraint-edits'
import { newUid } from '@cadmus/model/uid'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { CheckDialogProps } from './CheckDialog.tsx'
import type { EntityView } from './entity-view.ts'
import { memberColumns } from './group-commands.ts'

const checkDialog = defineDialog<Omit<CheckDialogProps, 'onClose'>>('check', () =>
  import('./CheckDialog.tsx').then(module => module.CheckDialog),
)

type View = Pick<EntityView, 'key' | 'entity' | 'draft'>

export function newCheck(view: View): void {
  open(view, null)
}

export function editCheck(view: View, check: Check): void {
  open(view, check)
}

function open(view: View, check: Check | null): void {
  const { key, draft } = view
  const uid = check?.uid ?? newUid()
  openDialog(checkDialog, {
    check,
    uid,
    columns: memberColumns(view),
    content: draft.content,
    onApply: edited => entityStore.edit(key, content => putCheckEdits(content, edited)),
    onDelete: () => entityStore.edit(key, content => removeCheckEdits(content, uid)),
  })
}
