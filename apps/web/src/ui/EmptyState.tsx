import type { ReactNode } from 'react'
import type { Icon } from './Icon.ts'
import styles from './State.module.css'

export type EmptyStateProps = { icon: Icon; text: string; action?: ReactNode }

/** Placeholder for an empty list: icon, sentence, action. */
export function EmptyState({ icon: Symbol, text, action }: EmptyStateProps) {
  return (
    <div className={styles['state']}>
      <Symbol size={24} strokeWidth={1.5} aria-hidden />
      <p>{text}</p>
      {action}
    </div>
  )
}
