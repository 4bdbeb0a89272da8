import { visibleText } from '@cadmus/model/visible-text'
import styles from './Inline.module.css'

/** Below a field that is typed in: what somebody else made of its value meanwhile, which what is typed replaces. */
export function Meanwhile({ value }: { value: string }) {
  return (
    <output className={styles['meanwhile']}>
      Changed meanwhile to {value === '' ? 'nothing' : `"${visibleText(value, { lines: true })}"`}. What you type
      replaces that.
    </output>
  )
}
