import { visibleText } from '@cadmus/model/display'
import { KeyRound } from 'lucide-react'
import styles from './EntityDocument.module.css'

/** Shows a key icon for the primary key. */
export function AttributeName({ name, isKey }: { name: string; isKey: boolean }) {
  return (
    <>
      {isKey && (
        <>
          <KeyRound size={14} aria-hidden className={styles['key']} />
          <span className="visually-hidden">Primary key </span>
        </>
      )}
      {visibleText(name)}
    </>
  )
}
