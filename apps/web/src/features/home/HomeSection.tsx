import { type ReactNode, useId } from 'react'
import styles from './Home.module.css'

type HomeSectionProps = {
  title: string
  /** The sentence shown instead of the content; false if there is content. */
  empty: string | false
  children: ReactNode
}

export function HomeSection({ title, empty, children }: HomeSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id}>{title}</h2>
      {empty === false ? children : <p className={styles['empty']}>{empty}</p>}
    </section>
  )
}
