import { Checkbox } from './Checkbox.tsx'
import type { Column } from './DataTable.tsx'
import { classNames } from './class-names.ts'
import styles from './DataTable.module.css'

type DataTableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  /** Number of selected rows; undefined: rows are not selectable. */
  chosen: number | undefined
  rows: number
  onAll: (all: boolean) => void
}

/** The sticky head of a DataTable, with the checkbox for all rows. */
export function DataTableHead<Row>({ columns, chosen, rows, onAll }: DataTableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {chosen !== undefined && (
          <th scope="col" className={classNames(styles['head'], styles['check'])}>
            <Checkbox
              label="Choose all rows"
              hideLabel
              checked={chosen > 0 && chosen === rows}
              indeterminate={chosen > 0 && chosen < rows}
              onChange={onAll}
            />
          </th>
        )}
        {columns.map(column => (
          <th
            key={column.id}
            scope="col"
            className={classNames(styles['head'], column.align === 'end' && styles['end'])}
            style={{ width: column.width }}
          >
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  )
}
