import { folderOf } from '@cadmus/model/paths'
import { Button } from '../ui/Button.tsx'
import { FolderPath } from '../ui/FolderPath.tsx'
import { tip } from '../ui/Tooltip.tsx'
import styles from './DocumentPath.module.css'

type DocumentPathProps = { path: string; version: string; latest: string; onLatest: () => void }

/** Where a document lives and which version of it is shown; from an old one a way back to the latest. */
export function DocumentPath({ path, version, latest, onLatest }: DocumentPathProps) {
  return (
    <div className={styles['place']}>
      {/* Without the name, which the heading says. */}
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
    </div>
  )
}
