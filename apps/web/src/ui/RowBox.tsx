// A native checkbox in each row would be a form field, and shortcuts and menus treat form fields as text input.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { visibleText } from '@cadmus/model/display'
import { Check } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Checkbox } from './Checkbox.tsx'
import styles from './Checkbox.module.css'

type AllRowsBoxProps = { chosen: number; rows: number; onAll: (all: boolean) => void }

/** The checkbox in the head of a table. */
export function AllRowsBox({ chosen, rows, onAll }: AllRowsBoxProps) {
  return (
    <Checkbox
      label="Choose all rows"
      hideLabel
      checked={chosen > 0 && chosen === rows}
      indeterminate={chosen > 0 && chosen < rows}
      onChange={onAll}
    />
  )
}

type RowBoxProps = { label: string; checked: boolean; tabIndex?: 0 | -1; onToggle: () => void }

/**
 * A row's checkbox that manages its own focus. The library's checkbox is too expensive per row: its hidden input and
 * its layer slow down every frame.
 */
export function RowBox({ label, checked, tabIndex = -1, onToggle }: RowBoxProps) {
  function key(event: KeyboardEvent) {
    if (event.key !== ' ') return
    event.preventDefault()
    onToggle()
  }
  return (
    <span
      role="checkbox"
      aria-checked={checked}
      aria-label={visibleText(label)}
      tabIndex={tabIndex}
      className={styles['target']}
      onClick={onToggle}
      onKeyDown={key}
    >
      <span className={styles['drawn']} data-checked={checked || undefined}>
        {checked && <Check className={styles['mark']} size={12} strokeWidth={3} aria-hidden />}
      </span>
    </span>
  )
}
