import type { ReactNode } from 'react'
import { Lock } from 'lucide-react'
import { visibleText } from '@cadmus/model/display'
import { folderOf } from '@cadmus/model/paths'
import { Button } from '../ui/Button.tsx'
import { FolderPath } from '../ui/FolderPath.tsx'
import { tip } from '../ui/Tooltip.tsx'
import type { DocumentRef } from '../workbench/documents.ts'
import { FavouriteButton } from './FavouriteButton.tsx'
import styles from './DocumentHeader.module.css'

type DocumentPathProps = { path: string; version: string; latest: string; onLatest: () => void }

type DocumentHeaderProps = DocumentPathProps & {
  name: string
  /** The document, where it may be a favourite. */
  document?: Pick<DocumentRef, 'kind' | 'id'>
  /** Beside the name. */
  note?: ReactNode
  /** At the end of the line, where there is room for it. */
  details?: ReactNode
  /** The toolbar. */
  children: ReactNode
}

/** The head of a document, one line: name, notes, place, version and toolbar. */
export function DocumentHeader({ name, document, note, details, children, ...path }: DocumentHeaderProps) {
  return (
    <header className={styles['header']}>
      <div className={styles['titles']}>
        <h1 data-truncates>{visibleText(name)}</h1>
        {document && <FavouriteButton document={{ ...document, name, path: path.path }} />}
        {note}
        <DocumentPath {...path} />
        <div className={styles['details']}>{details}</div>
      </div>
      {children}
    </header>
  )
}

/** The description of a document in the rest of its line. */
export function DocumentDescription({ children }: { children: string }) {
  return (
    <p data-truncates className={styles['description']}>
      {visibleText(children)}
    </p>
  )
}

/** The line that states why a document is read-only. */
export function LockedNote({ children }: { children: ReactNode }) {
  return (
    <p className={styles['locked']}>
      <Lock size={14} aria-hidden />
      {children}
    </p>
  )
}

/** Shows the location and version of a document, with a link from an old version to the latest. */
function DocumentPath({ path, version, latest, onLatest }: DocumentPathProps) {
  return (
    <>
      {/* Shows only the folder, because the name is the heading. */}
      <span className={styles['folder']} {...tip(path)}>
        <FolderPath folder={folderOf(path)} />
      </span>
      <span className={styles['version']} data-old={version !== latest || undefined}>
        <span className="visually-hidden">Version </span>
        {version}
      </span>
      {version !== latest && (
        <Button variant="quiet" onClick={onLatest}>
          Back to {latest}
        </Button>
      )}
    </>
  )
}
