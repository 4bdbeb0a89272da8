import { visibleText } from '@cadmus/model/display'
import { classNames } from './class-names.ts'
import styles from './FolderPath.module.css'

/**
 * A folder path, shortened in the middle, because its start and end distinguish documents of the same name. A text
 * without slashes is a single segment.
 */
export function FolderPath({ folder, className }: { folder: string; className?: string | undefined }) {
  const end = folder.lastIndexOf('/') + 1
  return (
    <span className={classNames(styles['path'], className)}>
      {end > 0 && (
        <span className={styles['begin']}>
          <span className={styles['words']}>{visibleText(folder.slice(0, end))}</span>
        </span>
      )}
      <span className={styles['end']}>{visibleText(folder.slice(end))}</span>
    </span>
  )
}
