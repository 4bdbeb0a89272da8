import type { ReactNode } from 'react'
import styles from './SignIn.module.css'

export function Waiting({ text, children }: { text?: string; children?: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1 className={styles['brand']}>Cadmus</h1>
        {text && <output className={styles['text']}>{text}</output>}
        {children}
      </div>
    </main>
  )
}
