import { visibleText } from '@cadmus/model/display'
import styles from './Inline.module.css'

/** Shown below a field being edited: the value set by another user, which the edit would overwrite. */
export function ConcurrentValue({ value }: { value: string }) {
  return (
    <output className={styles['meanwhile']}>
      Someone else changed it to {value === '' ? 'nothing' : `"${visibleText(value, { lines: true })}"`}. Your input
      replaces that.
    </output>
  )
}
