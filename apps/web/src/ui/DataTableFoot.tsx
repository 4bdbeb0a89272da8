import { formatCount } from '@cadmus/model/display'
import { Button } from './Button.tsx'
import { Paging, type PagingProps } from './Paging.tsx'
import styles from './DataTable.module.css'

type DataTableFootProps = {
  chosen: number
  /** Follows the number of selected rows. */
  note?: string
  onDelete: (() => void) | undefined
  deleteLabel: string
  undeletable: string | false
  onClear: () => void
  /** Reserves the space from the start, so that selecting a row shifts nothing; otherwise it lies over the rows. */
  counts: boolean
  paging: Pick<PagingProps, 'page' | 'pages' | 'total' | 'size' | 'sizes'>
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Number of selected rows with their actions, and the paging control unless all rows fit on one page. */
export function DataTableFoot({
  chosen,
  note,
  onDelete,
  deleteLabel,
  undeletable,
  onClear,
  counts,
  paging,
  onPage,
  onSize,
}: DataTableFootProps) {
  const { page, pages, total, size, sizes } = paging
  if (chosen === 0 && pages <= 1 && !counts) return null
  return (
    <div className={styles['foot']} data-over={(pages <= 1 && !counts) || undefined}>
      {chosen > 0 && (
        <>
          <span className={styles['count']}>
            {chosen} selected{note}
          </span>
          {onDelete && (
            <Button disabled={undeletable} onClick={onDelete}>
              {deleteLabel}
            </Button>
          )}
          <Button variant="quiet" onClick={onClear}>
            Clear
          </Button>
        </>
      )}
      {chosen === 0 && pages <= 1 && <span>{total === 1 ? '1 row' : `${formatCount(total)} rows`}</span>}
      {pages > 1 && <Paging {...{ page, pages, total, size, sizes }} onPage={onPage} onSize={onSize} />}
    </div>
  )
}
