import { expect, it } from 'vitest'
import { CellWriter } from './cell-writer.ts'
import { boxColumn, headRow, initialSheet, newRow } from './sheet-state.ts'

type Row = { id: string; length: string; unique: string }

/** What a writer writes with the focus in a cell of row c while other rows are chosen. */
function written(
  column: string,
  act: (writer: CellWriter<Row>) => void,
  chosen: readonly string[] | null = ['a', 'c'],
) {
  const rows = ['a', 'b', 'c'].map((id, at) => ({ id, length: String(at), unique: 'no' }))
  const calls: unknown[][] = []
  const writer = new CellWriter<Row>({
    state: { ...initialSheet, cell: { row: 'c', column } },
    order: { rows: [headRow, 'a', 'b', 'c', newRow], columns: [boxColumn, 'length', 'unique'] },
    columns: [
      { id: 'length', header: 'Length', text: row => row.length },
      { id: 'unique', header: 'Unique', flag: true, text: row => row.unique },
    ],
    rowOf: id => rows.find(row => row.id === id) ?? null,
    chosenRows: () => chosen,
    problems: new Map(),
    fixed: new Set(),
    locked: null,
    onWrite: (...call) => {
      calls.push(call)
      return []
    },
  })
  act(writer)
  return calls
}

it('chosen rows are filled, toggled and filled down in the column of the current cell', () => {
  expect(written('length', writer => writer.fillWith('7'))).toEqual([[['a', 'c'], ['length'], [['7'], ['7']]]])
  expect(written('unique', writer => writer.toggleFlags())).toEqual([[['a', 'c'], ['unique'], [['yes'], ['yes']]]])
  expect(written('length', writer => writer.fillDown())).toEqual([[['c'], ['length'], [['0']]]])
})

it('without them the row of the current cell is, from the row above', () => {
  expect(written('length', writer => writer.fillDown(), null)).toEqual([[['c'], ['length'], [['1']]]])
})
