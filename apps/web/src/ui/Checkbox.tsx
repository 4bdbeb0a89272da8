import { Checkbox as Base } from '@base-ui/react/checkbox'
import { visibleText } from '@cadmus/model/display'
import { Check, Minus } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import styles from './Checkbox.module.css'

export type CheckboxProps = {
  label: string
  /** Hides the label visually; screen readers still read it. */
  hideLabel?: boolean
  hint?: ReactNode
  checked: boolean
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function Checkbox(props: CheckboxProps) {
  const { label, hideLabel, hint, checked, indeterminate = false, disabled = false, onChange } = props
  const id = useId()
  const Mark = indeterminate ? Minus : Check
  const box = (
    <Base.Root
      checked={checked}
      indeterminate={indeterminate}
      disabled={disabled}
      onCheckedChange={onChange}
      {...(hideLabel ? { 'aria-label': visibleText(label) } : { 'aria-labelledby': id })}
      aria-describedby={hint && !hideLabel ? `${id}-hint` : undefined}
      className={styles['box']}
    >
      {/* The library's indicator waits for animations, which costs two more renders per step through a table. */}
      {(checked || indeterminate) && <Mark className={styles['mark']} size={12} strokeWidth={3} aria-hidden />}
    </Base.Root>
  )
  if (hideLabel) return box
  return (
    // The label element is for the pointer; the accessible name comes from aria-labelledby.
    <label className={styles['row']} data-disabled={disabled || undefined}>
      {box}
      <span>
        <span id={id}>{visibleText(label)}</span>
        {hint && (
          <span id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
