import type { ReactNode } from 'react'
import type { MenuEntry } from '../MenuEntries.tsx'
import type { SheetColumn } from './SheetRow.tsx'
import type { Problems } from './cell-writer.ts'
import type { CopiedCells, SheetClipboard } from './sheet-clipboard.ts'
import type { Cell, CellMark } from './sheet-state.ts'

export type SheetProps<Row> = {
  label: string
  columns: readonly SheetColumn<Row>[]
  /** Pixels, by column. */
  widths: Readonly<Record<string, number>>
  /** null: fits the content. */
  onResize: (column: string, width: number | null) => void
  rows: readonly Row[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** Distinguishes rows of several kinds. */
  rowKind: (row: Row) => string
  /** Pinned rows come first, stay in view and cannot be moved. */
  isPinned: (row: Row) => boolean
  /** Ids of rows that are only shown: they cannot be chosen, edited or moved. */
  fixed: { rows: Pick<ReadonlySet<string>, 'has'>; reason: string }
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** A row to show and focus, once; the caller selects it. */
  reveal: string | null
  /** The column to focus in it; absent: the current one. */
  revealColumn?: string | undefined
  onRevealed: () => void
  /** Reason why nothing can be edited. */
  locked: string | null
  /** Placeholder of the last row, which takes new items; null: there is none. */
  growing: string | null
  /** Texts that cells could not take, by row and column. */
  problems: Problems
  /** What was found about values, by row and column. */
  marks?: ReadonlyMap<string, ReadonlyMap<string, CellMark>> | undefined
  /**
   * Writes a block of texts as one step; rows may include `newRow`. Returns the ids of the rows, with those of new
   * items.
   */
  onWrite: (rows: readonly string[], columns: readonly string[], texts: readonly (readonly string[])[]) => string[]
  /** Drops a text that a cell could not take. */
  onRevert: (row: string, column: string) => void
  /** Writes the offers for all cells of a column that have one, as one step. */
  onTakeOffers: (column: string) => void
  /** `cells`: the chosen ones, or all of the chosen rows. */
  onDelete: (cells: CopiedCells | null) => void
  /** Label of the button for it; absent: 'Delete'. */
  deleteLabel?: string
  /** Reason why the selected rows cannot be deleted. */
  undeletable: string | false
  /** Receives the ids of the unpinned rows in their new order. */
  onReorder?: ((ids: string[]) => void) | undefined
  /** Called for F2 and a double click on a cell of a locked sheet that opens something. */
  onOpen: (row: Row) => void
  /** Called for Alt+PageDown and Alt+PageUp: shows the same cell of the next or previous sheet. */
  onNeighbour: (step: 1 | -1, cell: Cell) => void
  /** `cells`: those that the menu applies to. */
  entriesFor: (row: Row, cells: CopiedCells | null) => readonly MenuEntry[]
  /** Search text of the rows. */
  filter: string
  /** Number of rows from which they are shown in pages. */
  pagedFrom: number
  /** Shown instead of rows. */
  empty: ReactNode
  clipboard: SheetClipboard
}
