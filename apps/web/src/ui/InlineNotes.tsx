import { visibleText } from '@cadmus/model/display'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import styles from './Inline.module.css'
import type { Refused } from './use-inline-text.ts'

/** Shown below a field being edited: the value set by another user, which the edit would overwrite. */
export function ConcurrentValue({ value }: { value: string }) {
  return (
    <output className={styles['concurrent']}>
      Someone else changed it to {value === '' ? 'nothing' : `"${visibleText(value, { lines: true })}"`}. Your input
      replaces that.
    </output>
  )
}

/** Shown in an open editor whose value was changed by another user: the value that saving would overwrite. */
export function OverwrittenValue({ value }: { value: string }) {
  return (
    <Alert kind="warning">
      <p>Someone else changed this. Save replaces:</p>
      <p>{visibleText(value || '-', { lines: true })}</p>
    </Alert>
  )
}

const maxShown = 80

type RefusedTextProps = Refused & {
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
