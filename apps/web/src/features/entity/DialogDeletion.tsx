import { Trash2 } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'

type DialogDeletionProps = { label: string; onDelete: () => void; onClose: () => void }

/** Deletes what a dialog edits, and closes it. */
export function DialogDeletion({ label, onDelete, onClose }: DialogDeletionProps) {
  return (
    <div>
      <Button
        variant="danger"
        icon={Trash2}
        onClick={() => {
          onDelete()
          onClose()
        }}
      >
        {label}
      </Button>
    </div>
  )
}
