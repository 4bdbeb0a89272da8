import { visibleText } from '@cadmus/model/visible-text'
import { Button } from '../ui/Button.tsx'
import { tip } from '../ui/Tooltip.tsx'
import styles from './DocumentPath.module.css'

type DocumentPathProps = { path: string; version: string; latest: string; onLatest: () => void }

/** Where a document lives and which version of it is shown; from an old one a way back to the latest. */
export function DocumentPath({ path, version, latest, onLatest }: DocumentPathProps) {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
  return (
    <div className={styles['place']}>
      {/* Shortened in the middle: where it begins and how it ends tell paths apart. */}
      <span className={styles['path']} {...tip(path)}>
        <span className={styles['folder']}>{visibleText(folder)}</span>
        <span className={styles['name']}>{visibleText(name)}</span>
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
