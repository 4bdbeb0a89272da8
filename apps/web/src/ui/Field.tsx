import { TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Reason } from './reasons.ts'
import { RetryButton } from './RetryButton.tsx'
import styles from './Field.module.css'

export type FieldIds = { id: string; labelId: string; describedBy: string | undefined; invalid: boolean }
/** The options of a field could not be loaded: reason and retry. */
export type ReadFailure = { message: string; busy: boolean; retry: () => void }
export type FieldProps = {
  label: string
  /** Hides the label visually if a table head already names the field. */
  hideLabel?: boolean
  hint?: ReactNode
  /** Disables the control until the user acts; shown instead of the hint. */
  reason?: Reason
  error?: string | null
  required?: boolean
  failure?: ReadFailure | null
}

/** A hint about a risk, which blocks nothing. */
export function WarningHint({ children }: { children: string }) {
  return (
    <span className={styles['warning']}>
      <TriangleAlert size={14} aria-hidden />
      {children}
    </span>
  )
}

/** Connects label, hint and error with the control, which receives the ids. */
export function Field(props: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId()
  const { label, hideLabel, error, required, failure, children } = props
  const hint = props.reason || props.hint
  const description = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  const describedBy = failure ? [`${id}-failure`, description].filter(Boolean).join(' ') : description
  return (
    <div className={styles['field']}>
      <label id={`${id}-label`} htmlFor={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
        {required && (
          <span className={styles['required']} aria-hidden>
            *
          </span>
        )}
      </label>
      {children({ id, labelId: `${id}-label`, describedBy, invalid: Boolean(error) })}
      {failure && (
        <p role="alert" className={styles['failure']}>
          <span id={`${id}-failure`}>{failure.message}</span>
          <RetryButton variant="quiet" busy={failure.busy} retry={failure.retry} aria-label={`Retry: ${label}`} />
        </p>
      )}
      {error ? (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}
