import { formatCount } from '@cadmus/model/display'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from './IconButton.tsx'
import { Select } from './Select.tsx'
import { reasons } from './reasons.ts'
import styles from './DataTable.module.css'

export type PagingProps = {
  /** Starts at 0. */
  page: number
  pages: number
  total: number
  size: number
  sizes: readonly number[]
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export const Paging = memo(function Paging({ page, pages, total, size, sizes, onPage, onSize }: PagingProps) {
  return (
    <div className={styles['paging']}>
      <div className={styles['sizes']}>
        <Select
          label="Rows per page"
          hideLabel
          inline
          options={sizes.map(option => ({ value: String(option), label: `${option} rows` }))}
          value={String(size)}
          onChange={next => onSize(Number(next))}
        />
      </div>
      <span>
        Page {page + 1} of {pages} ({formatCount(total)} in all)
      </span>
      <IconButton
        label="Previous page"
        icon={ChevronLeft}
        disabled={page === 0 && reasons.first}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label="Next page"
        icon={ChevronRight}
        disabled={page >= pages - 1 && reasons.last}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
})
