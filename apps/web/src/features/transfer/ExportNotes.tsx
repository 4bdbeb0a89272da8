import { exportNoteTexts as texts } from '@cadmus/model/export-formats'
import { problemTexts } from '@cadmus/model/messages/values'
import { visibleText } from '@cadmus/model/display'
import type { ReadyExport } from './export-flow.ts'
import styles from './Transfer.module.css'

const maxLines = 500

/** Lists what the files do not support. The line is reserved from the start to avoid a layout shift. */
export function ExportNotes({ notes, files }: Pick<ReadyExport, 'notes'> & { files: string }) {
  if (notes === null) return null
  if (notes === 'loading') return <p className={styles['omissions']}>{texts.checking(files)}</p>
  if (notes.length === 0) return <p className={styles['omissions']}>{texts.count(0, files)}</p>
  const lines = notes.slice(0, maxLines).map((line, at) => ({ line, key: `${at} ${line}` }))
  return (
    <details className={styles['report']}>
      <summary>{texts.count(notes.length, files)}</summary>
      <ul aria-label={texts.list(files)}>
        {lines.map(({ line, key }) => (
          <li key={key}>{visibleText(line)}</li>
        ))}
        {notes.length > maxLines && <li>{problemTexts.more(notes.length - maxLines)}</li>}
      </ul>
    </details>
  )
}
