import { messages } from '@cadmus/model/messages'
import { confirm } from '../../workbench/confirm.ts'

/** What Escape and the close button do: at once while nothing was entered, else after a question. */
export function askBeforeLeaving(entered: boolean, onClose: () => void): () => void {
  return () => {
    if (!entered) return onClose()
    const { title, text, confirmLabel } = messages.leaveWizard
    void confirm({ title, text, confirmLabel, danger: true }).then(sure => {
      if (sure) onClose()
    })
  }
}
