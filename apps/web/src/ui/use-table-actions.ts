import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

export type Edge = 'top' | 'bottom'

export type TableActions<Row> = {
  toggle: (row: Row) => void
  press: (row: Row, event: MouseEvent) => void
  open: (row: Row) => void
  key: (row: Row, event: KeyboardEvent) => void
  focus: (row: Row) => void
  /** Another row was dropped at an edge of this row. */
  drop: (source: string, row: Row, edge: Edge) => void
  chooseAll: (all: boolean) => void
  turn: (page: number) => void
  resize: (size: number) => void
}

/** A stable object that delegates to the current actions, so that memoised parts need no re-render. */
export function useTableActions<Row>(now: TableActions<Row>): TableActions<Row> {
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  const [actions] = useState<TableActions<Row>>(() => ({
    toggle: row => latest.current.toggle(row),
    press: (row, event) => latest.current.press(row, event),
    open: row => latest.current.open(row),
    key: (row, event) => latest.current.key(row, event),
    focus: row => latest.current.focus(row),
    drop: (source, row, edge) => latest.current.drop(source, row, edge),
    chooseAll: all => latest.current.chooseAll(all),
    turn: page => latest.current.turn(page),
    resize: size => latest.current.resize(size),
  }))
  return actions
}
