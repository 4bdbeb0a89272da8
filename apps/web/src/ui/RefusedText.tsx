import { visibleText } from '@cadmus/model/display'
import { Button } from './Button.tsx'
import type { Refused } from './use-field-text.ts'
import styles from './Inline.module.css'

const maxShown = 80

export type RefusedTextProps = Refused & {
  id: string
  /** The value is a secret. */
  hidden?: boolean
  onEdit: (text: string) => void
}

/** Below a field that shows its old value again: the refused text, the reason, and a button to edit it. */
export function RefusedText({ id, text, problem, hidden = false, onEdit }: RefusedTextProps) {
  return (
    <div className={styles['refused']}>
      <p id={id} role="alert">
        <span>{nameOf(text, hidden)} was not applied: </span>
        <span>{problem}</span>
      </p>
      {text.trim() !== '' && (
        <Button variant="quiet" onClick={() => onEdit(text)}>
          Edit your input
        </Button>
      )}
    </div>
  )
}

function nameOf(text: string, hidden: boolean): string {
  if (text.trim() === '') return 'An empty value'
  if (hidden) return 'Your input'
  return `"${visibleText(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)}"`
}
