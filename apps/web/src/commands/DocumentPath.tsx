import { folderOf } from '@cadmus/model/paths'
import { Button } from '../ui/Button.tsx'
import { FolderPath } from '../ui/FolderPath.tsx'
import { tip } from '../ui/Tooltip.tsx'
import styles from './DocumentPath.module.css'

type DocumentPathProps = { path: string; version: string; latest: string; onLatest: () => void }

/** Shows the location and version of a document, with a link from an old version to the latest. */
export function DocumentPath({ path, version, latest, onLatest }: DocumentPathProps) {
  return (
    <div className={styles['place']}>
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
    </div>
  )
}
