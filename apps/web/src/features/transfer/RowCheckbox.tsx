import { createContext, use } from 'react'
import type { Icon } from '../../ui/Icon.ts'
import styles from './ImportReview.module.css'

/** What pressing the box of a row does, by the row's id. */
export const RowChecking = createContext<(id: string) => void>(() => undefined)

/** The box of a tree's row, in the place of its icon. Its row has state and keys. */
function boxOf(checked: boolean | 'mixed'): Icon {
  return function RowCheckbox() {
    const check = use(RowChecking)
    return (
      <span
        aria-hidden
        data-checked={checked}
        className={styles['box']}
        onClick={event => {
          const row = event.currentTarget.closest<HTMLElement>('[data-row-id]')
          if (!row) return
          event.stopPropagation()
          check(row.dataset['rowId'] ?? '')
        }}
      />
    )
  }
}

export const rowCheckboxes = { true: boxOf(true), false: boxOf(false), mixed: boxOf('mixed') }
