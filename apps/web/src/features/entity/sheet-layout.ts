import type { Column } from '@cadmus/model/columns'
import { dataTypes } from '@cadmus/model/data-types'
import { sheetColumns, type SheetColumn } from '@cadmus/model/sheet/columns'
import { useMemo, useState } from 'react'
import { ownSettings, storeOwnSettings } from '../../api/own-settings.ts'
import { textWidth } from '../../ui/text-width.ts'

const [least, most] = [48, 640]
/** Fitted widths end here; a user may widen a column. */
const mostFitted: Readonly<Record<string, number>> = { name: 280, references: 220 }
const mostFittedElse = 140
const padding = 17

type Layout = { shown: Readonly<Record<string, boolean>>; widths: Readonly<Record<string, number>> }

/** The columns that a user shows and their widths, the same for all entities. Other columns fit their content. */
export function useSheetLayout(rows: readonly Column[]) {
  const [{ shown, widths }, setLayout] = useState(storedLayout)
  const columns = useMemo(() => sheetColumns.filter(column => isShown(column, shown)), [shown])
  // Once for the entity: a column must not move while a user types.
  const [{ fitted, count }, setFitted] = useState(() => ({ fitted: fittedWidths(rows), count: rows.length }))
  const fit = (now: Readonly<Record<string, number>>) => setFitted({ fitted: now, count: rows.length })
  // A paste brings several rows; a typed one moves no column.
  if (rows.length !== count) fit(rows.length > count + 1 ? widened(fitted, fittedWidths(rows)) : fitted)
  const change = (layout: Layout) => {
    setLayout(layout)
    storeOwnSettings('sheet', layout)
  }
  return {
    columns,
    isShown: (column: SheetColumn) => isShown(column, shown),
    widths: useMemo(() => ({ ...fitted, ...widths }), [fitted, widths]),
    toggle: (column: SheetColumn) => change({ shown: { ...shown, [column.id]: !isShown(column, shown) }, widths }),
    /** null: fits the content. */
    resize(id: string, width: number | null) {
      const { [id]: _width, ...others } = widths
      if (width === null) fit(fittedWidths(rows))
      change({ shown, widths: width === null ? others : { ...widths, [id]: clamped(width) } })
    },
    fitAll() {
      fit(fittedWidths(rows))
      change({ shown, widths: {} })
    },
  }
}

/** Whether a user sees inherited attributes in the sheet. */
export function useInheritedShown() {
  const [isShown, setShown] = useState(() => ownSettings('sheet')['inherited'] === true)
  const toggle = () => {
    setShown(!isShown)
    storeOwnSettings('sheet', { inherited: !isShown })
  }
  return { isShown, toggle }
}

function isShown({ id, isFixed, isHidden }: SheetColumn, shown: Layout['shown']): boolean {
  return isFixed || (shown[id] ?? !isHidden)
}

function storedLayout(): Layout {
  const { shown, widths } = ownSettings('sheet')
  const flags = entriesOf(shown).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
  const pixels = entriesOf(widths).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
  return {
    shown: Object.fromEntries(flags),
    widths: Object.fromEntries(pixels.map(([id, width]) => [id, clamped(width)])),
  }
}

function entriesOf(stored: unknown): [string, unknown][] {
  return typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
}

function clamped(width: number): number {
  return Math.round(Math.min(most, Math.max(least, width)))
}

function widened(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(now).map(([id, width]) => [id, Math.max(width, before[id] ?? 0)]))
}

/** Widths of the longest texts. */
function fittedWidths(rows: readonly Column[]): Record<string, number> {
  return Object.fromEntries(sheetColumns.map(column => [column.id, fittedWidth(column, rows)]))
}

function fittedWidth({ id, header, kind, isCode, text }: SheetColumn, rows: readonly Column[]): number {
  // Each type fits, so that choosing another one needs no wider column.
  const texts = kind === 'flag' ? [] : [...(id === 'dataType' ? dataTypes : []), ...rows.map(row => text(row))]
  const longest = texts.reduce((most, one) => (one.length > most.length ? one : most), '')
  // The name has an icon; new names are mostly longer than the first ones.
  const [icon, room] = id === 'name' ? [20, 140] : [id === 'references' ? 24 : 0, 0]
  const width = Math.max(textWidth(header, 'head'), textWidth(longest, isCode ? 'mono' : 'text') + icon, room) + padding
  return Math.ceil(Math.min(mostFitted[id] ?? mostFittedElse, Math.max(least, width)))
}
