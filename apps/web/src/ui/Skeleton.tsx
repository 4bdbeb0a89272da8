import { useDelayed } from './use-debounced.ts'
import { useUiSettings } from './settings.ts'
import styles from './Skeleton.module.css'

const widths = ['72%', '54%', '63%', '46%', '68%']

export type SkeletonProps = {
  /** Number of lines, shaped like the expected rows. */
  lines?: number
  /** Row height in pixels; default 32. */
  rowHeight?: number
  label?: string
}

/** Placeholder lines while loading; invisible for the first 150 ms. */
export function Skeleton({ lines = 6, rowHeight = 32, label = 'Loading' }: SkeletonProps) {
  const shown = useDelayed(true, useUiSettings().skeletonDelay)
  if (!shown) return null
  return (
    <output aria-label={label} className={styles['skeleton']}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles['row']} style={{ height: rowHeight }}>
          <span style={{ width: widths[line % widths.length] }} />
        </span>
      ))}
    </output>
  )
}
