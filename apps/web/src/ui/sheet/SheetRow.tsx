import { visibleText } from '@cadmus/model/display'
import { Check, Lock, Plus } from 'lucide-react'
import { memo, useRef, type ReactNode } from 'react'
import { RowBox } from '../RowBox.tsx'
import { tip } from '../Tooltip.tsx'
import { classNames } from '../class-names.ts'
import { type After, CellEditor } from './CellEditor.tsx'
import { type Edge, useRowMoves } from './use-row-moves.ts'
import { boxColumn, type Cell, type CellMark, type CellText } from './sheet-state.ts'
import styles from './Sheet.module.css'

export type SheetColumn<Row> = {
  id: string
  header: string
  /** Explains the header. */
  hint?: string | undefined
  /** A flag shows a mark and toggles; its texts are 'yes' and 'no'. */
  flag?: boolean
  mono?: boolean
  /** The text may have several lines. */
  lines?: boolean
  /** Takes the width that is left. */
  fills?: boolean
  /** The value as text, as it is edited and copied. */
  text: (row: Row) => string
  /** Replaces the text as shown. */
  cell?: ((row: Row) => ReactNode) | undefined
  /** The text is a list, separated by commas: suggestions complete its last item and replace no other text. */
  isList?: boolean
  /** What is typed is taken as it is, unless a suggestion is chosen. */
  isFree?: boolean
  /** Suggestions in the editor; null: of a new row. */
  options?: ((row: Row | null) => readonly string[]) | undefined
  /** Searches suggestions for the text in the editor, in place of options. */
  find?: ((text: string) => Promise<readonly string[]>) | undefined
  /** In a locked sheet F2 and a double click open what a cell names. */
  opens?: boolean
  /** Whether the cell can be edited; absent: always. */
  isEditable?: ((row: Row) => boolean) | undefined
}

export type RowActions = {
  toggle: (id: string) => void
  apply: (edited: Cell, text: string, after: After) => void
  cancel: () => void
  /** Another row was dropped at an edge of this row. */
  drop: (source: string, target: string, edge: Edge) => void
}

export type SheetRowProps<Row> = {
  id: string
  name: string
  kind: string
  /** null: the row for a new item. */
  row: Row | null
  /** Row index within the whole table; the head is the first. */
  index: number
  columns: readonly SheetColumn<Row>[]
  pinned: boolean
  /** It is only shown. */
  fixed: boolean
  selected: boolean
  movable: boolean
  /** The column of the cell with the focus or the tab stop; null: in another row. */
  current: string | null
  /** First and last column of the range, -1 outside. */
  left: number
  right: number
  editing: { text: string; isTyped: boolean } | null
  /** Texts that could not be applied, by column. */
  problems: ReadonlyMap<string, CellText> | undefined
  /** What was found about values, by column. */
  marks: ReadonlyMap<string, CellMark> | undefined
  actions: RowActions
}

function Row<Row>(props: SheetRowProps<Row>) {
  const { id, row, columns, pinned, fixed, selected, current, actions } = props
  const element = useRef<HTMLTableRowElement>(null)
  const movable = props.movable && !pinned && !fixed && row !== null && props.editing === null
  const { edge, dragging } = useRowMoves(element, { id, movable }, (source, at) => actions.drop(source, id, at))
  const Mark = fixed ? Lock : Plus
  return (
    <tr
      ref={element}
      data-row-id={row === null ? undefined : id}
      data-new={row === null || undefined}
      data-kind={props.kind || undefined}
      aria-rowindex={props.index}
      data-current={current !== null || undefined}
      data-pinned={pinned || undefined}
      data-fixed={fixed || undefined}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      aria-selected={row === null || fixed ? undefined : selected}
      aria-keyshortcuts={movable ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
      tabIndex={-1}
      className={styles['row']}
    >
      <td data-column={boxColumn} className={classNames(styles['cell'], styles['check'])}>
        {row === null || fixed ? (
          <Mark size={14} aria-hidden className={styles['mark']} />
        ) : (
          <RowBox
            label={`Choose ${props.name}`}
            checked={selected}
            tabIndex={current === boxColumn ? 0 : -1}
            onToggle={() => actions.toggle(id)}
          />
        )}
      </td>
      {columns.map((column, at) => (
        <SheetCell key={column.id} row={row} column={column} at={at + 1} props={props} />
      ))}
    </tr>
  )
}

/** A key in a cell renders its row alone. */
export const SheetRow = memo(Row) as typeof Row

type SheetCellProps<Row> = { row: Row | null; column: SheetColumn<Row>; at: number; props: SheetRowProps<Row> }

function SheetCell<Row>({ row, column, at, props }: SheetCellProps<Row>) {
  const { current, left, right, editing, problems, marks, actions } = props
  const problem = problems?.get(column.id)
  const mark = problem ? undefined : marks?.get(column.id)
  const words = problem?.reason ?? mark?.text
  const isCurrent = current === column.id
  const isInRange = at >= left && at <= right
  const isLocked = row !== null && column.isEditable?.(row) === false
  return (
    <td
      data-column={column.id}
      tabIndex={isCurrent ? 0 : -1}
      data-editing={(isCurrent && editing !== null) || undefined}
      data-range={isInRange || undefined}
      aria-selected={isInRange || undefined}
      aria-invalid={problem ? true : undefined}
      aria-readonly={isLocked || undefined}
      data-mark={mark?.severity}
      className={classNames(styles['cell'], column.mono && styles['mono'], column.flag && styles['flag'])}
      {...(words !== undefined && { ...tip(words), 'aria-description': words })}
    >
      {isCurrent && editing ? (
        <CellEditor
          label={column.header}
          text={editing.text}
          isTyped={editing.isTyped}
          options={column.options?.(row) ?? []}
          find={column.find}
          mono={column.mono ?? false}
          lines={column.lines ?? false}
          isList={column.isList ?? false}
          isFree={column.isFree ?? column.isList ?? false}
          invalid={problem !== undefined}
          onApply={(text, after) => actions.apply({ row: props.id, column: column.id }, text, after)}
          onCancel={actions.cancel}
        />
      ) : (
        (contentOf(row, column, problem) ?? (at === 1 && <span className={styles['placeholder']}>{props.name}</span>))
      )}
    </td>
  )
}

function contentOf<Row>(row: Row | null, column: SheetColumn<Row>, problem: CellText | undefined) {
  if (problem) return visibleText(problem.text, { lines: true })
  if (row === null) return null
  if (column.cell) return column.cell(row)
  const text = column.text(row)
  if (!column.flag) return visibleText(text, { lines: true })
  if (text !== 'yes') return <span className="visually-hidden">{text === '' ? '' : 'No'}</span>
  return (
    <>
      <Check size={14} aria-hidden />
      <span className="visually-hidden">Yes</span>
    </>
  )
}
