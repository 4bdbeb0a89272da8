import { visibleText } from '@cadmus/model/display'
import type { TreeRow } from './Tree.tsx'
import styles from './Tree.module.css'

type StickyParentsProps = { rows: readonly TreeRow[]; parents: readonly number[]; onPress: (index: number) => void }

/** Sticky copies of the ancestors of the first rows in view. Visual only: the rows themselves are in the tree. */
export function StickyParents({ rows, parents, onPress }: StickyParentsProps) {
  if (parents.length === 0) return null
  return (
    <div aria-hidden className={styles['sticky']}>
      <div className={styles['parents']}>
        {parents.map(index => {
          const row = rows[index]
          if (!row) return null
          const Symbol = row.icon
          return (
            <button
              key={row.id}
              type="button"
              tabIndex={-1}
              className={styles['parent']}
              style={{ paddingInlineStart: `calc(8px + ${row.level - 1} * var(--indent))` }}
              onClick={() => onPress(index)}
            >
              <span className={styles['twist']} />
              {Symbol && <Symbol size={15} strokeWidth={1.75} className={styles['icon']} />}
              <span className={styles['label']}>{visibleText(row.label)}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
