import { Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

type ItemDialogProps = Pick<ComponentProps<typeof FormDialog>, 'title' | 'entered' | 'width' | 'children'> & {
  isNew: boolean
  /** Why the item cannot be applied. */
  fault: string | undefined
  /** The label of the button that deletes an existing item. */
  deletion: string
  onApply: () => void
  onDelete: () => void
  onClose: () => void
}

/** Edits a part of an entity, such as a group: Add or Apply changes the draft, and Save of the entity stores it. */
export function ItemDialog({ isNew, fault, deletion, children, onApply, onDelete, onClose, ...form }: ItemDialogProps) {
  const thenClose = (run: () => void) => () => {
    run()
    onClose()
  }
  return (
    <FormDialog
      {...form}
      submitLabel={isNew ? 'Add' : 'Apply'}
      blocked={fault ?? false}
      onSubmit={thenClose(onApply)}
      onClose={onClose}
    >
      {children}
      {!isNew && (
        <div>
          <Button variant="danger" icon={Trash2} onClick={thenClose(onDelete)}>
            {deletion}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
