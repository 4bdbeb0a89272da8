import { columnsOf } from '@cadmus/model/columns'
import { isRecord } from '@cadmus/model/equal'
import type { EntityContent } from '@cadmus/model/entity'
import { columnsById } from '@cadmus/model/sheet/columns'
import type { CellProblem, SheetProblems } from '@cadmus/model/sheet/write-cells'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'
import type { DraftKey } from './draft-key.ts'

/** `value`: text of the cell's value when the text was refused. */
type Refused = CellProblem & { value: string }
export type RefusedCells = ReadonlyMap<string, ReadonlyMap<string, Refused>>

/** Texts that cells of the attribute sheet could not take, by draft. Stored by the browser, so that a reload loses none. */
const cellStore = createStore<{ refused: ReadonlyMap<DraftKey, RefusedCells> }>()(() => ({ refused: new Map() }))

const none: RefusedCells = new Map()

export function useRefusedCells(key: DraftKey): RefusedCells {
  return useStore(cellStore, ({ refused }) => refused.get(key) ?? storedCells(key))
}

export function refusedCells(key: DraftKey): RefusedCells {
  return cellStore.getState().refused.get(key) ?? storedCells(key)
}

/** Those of cells whose value did not change since. A removed row may come back by Undo. */
export function refusedIn(refused: RefusedCells, content: EntityContent): SheetProblems {
  const rows = new Map(columnsOf(content).map(row => [row.uid, row]))
  const present = [...refused].flatMap(([uid, cells]) => {
    const row = rows.get(uid)
    const left = row && [...cells].filter(([id, { value }]) => columnsById.get(id)?.text(row) === value)
    return left && left.length > 0 ? [[uid, new Map(left)] as const] : []
  })
  return new Map(present)
}

/** Replaces the refused texts of a draft. `content`: its present state. */
export function setRefusedCells(key: DraftKey, problems: SheetProblems, content: EntityContent): void {
  const rows = new Map(columnsOf(content).map(row => [row.uid, row]))
  const before = cellStore.getState().refused.get(key) ?? none
  const withValue = ([uid, cells]: readonly [string, ReadonlyMap<string, CellProblem>]) => {
    const row = rows.get(uid)
    const own = [...cells].map(([id, problem]): [string, Refused] => {
      const existing = before.get(uid)?.get(id)
      const value = row ? (columnsById.get(id)?.text(row) ?? '') : ''
      return [id, existing?.text === problem.text ? existing : { ...problem, value }]
    })
    return [uid, new Map(own)] as const
  }
  restoreRefusedCells(key, new Map([...problems].map(withValue)))
}

/** Adds refused texts, as of copied rows. `content`: the present state of the draft. */
export function addRefusedCells(key: DraftKey, added: SheetProblems, content: EntityContent): void {
  if (added.size > 0) setRefusedCells(key, new Map([...refusedIn(refusedCells(key), content), ...added]), content)
}

/** Replaces the refused texts of a draft by those that it had. */
export function restoreRefusedCells(key: DraftKey, refused: RefusedCells): void {
  cellStore.setState(state => ({ refused: new Map(state.refused).set(key, refused) }))
  storeOwnSettings('cells', { [key]: refused.size === 0 ? undefined : linesOf(refused) })
}

function linesOf(refused: RefusedCells) {
  return [...refused].flatMap(([uid, cells]) => [...cells].map(([column, problem]) => ({ uid, column, ...problem })))
}

const restored = new Map<DraftKey, RefusedCells>()

/** Read once: afterwards the store has them. */
function storedCells(key: DraftKey): RefusedCells {
  const existing = restored.get(key)
  if (existing) return existing
  const cells = new Map<string, Map<string, Refused>>()
  const stored = ownSettings('cells')[key]
  for (const line of Array.isArray(stored) ? stored : []) {
    if (!isLine(line)) continue
    const { uid, column, ...problem } = line
    cells.set(uid, (cells.get(uid) ?? new Map()).set(column, problem))
  }
  restored.set(key, cells)
  return cells
}

function isLine(line: unknown): line is Refused & { uid: string; column: string } {
  return isRecord(line) && ['uid', 'column', 'text', 'reason', 'value'].every(name => typeof line[name] === 'string')
}

/** Number of cells of a draft whose text was not applied. */
export function countRefused(key: DraftKey, content: EntityContent): number {
  return [...refusedIn(refusedCells(key), content).values()].reduce((sum, cells) => sum + cells.size, 0)
}
