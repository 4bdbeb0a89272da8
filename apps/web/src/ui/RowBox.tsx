// A native one would be a field in each row, which keys and menus take for a place to type in.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { visibleText } from '@cadmus/model/visible-text'
import { Check } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import styles from './Checkbox.module.css'

type RowBoxProps = { label: string; checked: boolean; onToggle: () => void }

/**
 * The checkbox of a row, which moves the focus itself. Not the library's: of that the page has one for each row, and the field that it
 * hides in each and the layer that each is on cost every frame of the page, whatever is typed where.
 */
export function RowBox({ label, checked, onToggle }: RowBoxProps) {
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
      tabIndex={-1}
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
