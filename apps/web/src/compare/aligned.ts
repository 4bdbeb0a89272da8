import { type Column, columnName, columnsInOrder, isTypeAttribute } from '@cadmus/model/columns'
import { type Change, compareEntities } from '@cadmus/model/compare'
import type { ComparedChange, ComparedContents } from '@cadmus/model/contract/comparison'
import { visibleText } from '@cadmus/model/display'
import type { EntityContent } from '@cadmus/model/entity'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { listText } from '@cadmus/model/sheet/words'
import { columnOfField, columnsById, type SheetColumn, sheetColumns } from '@cadmus/model/sheet/columns'
import { conflictValue, conflictWords } from '../commands/entity-words.ts'

/** A difference that can be gone to. `key`: unique in its entity. `changes`: empty if it cannot be taken. */
export type Point = {
  key: string
  label: string
  before: string
  after: string
  changes: readonly ComparedChange[]
  /** The row that it is in; null for the entity itself. */
  row: string | null
}

export type RowState = 'same' | 'added' | 'removed' | 'changed'

/** A column of the entity on both sides. */
export type AlignedRow = {
  uid: string
  before: Column | null
  after: Column | null
  state: RowState
  isRenamed: boolean
  isMoved: boolean
  /** Ids of the sheet's columns that differ. */
  differing: ReadonlySet<string>
}

export type AlignedEntity = {
  /** Differing rows first. */
  rows: readonly AlignedRow[]
  columns: readonly SheetColumn[]
  /** Of the entity itself. */
  fields: readonly Point[]
  /** In the order shown: those of the entity, then by row and column. */
  points: readonly Point[]
}

/** Columns that are shown even if they are the same in all rows. */
const mainColumns = new Set(['name', 'dataType', 'length', 'nullable', 'references'])

/** Both contents by uid; null for a side that does not have the entity. */
export function alignEntity({ before, after }: ComparedContents): AlignedEntity {
  const both = before !== null && after !== null
  const changes = both ? compareEntities(before, after) : []
  const byRow = Map.groupBy(changes, change => change.step?.uid ?? '')
  const rows = pairedColumns(before, after).map(pair => alignedRow(pair, byRow.get(pair.uid) ?? [], both))
  const ordered = [...rows.filter(({ state }) => state !== 'same'), ...rows.filter(({ state }) => state === 'same')]
  const used = new Set(rows.flatMap(({ differing }) => [...differing]))
  const columns = sheetColumns.filter(({ id }) => mainColumns.has(id) || used.has(id))
  const fields = (byRow.get('') ?? []).map(fieldPoint)
  const ofRows = both ? ordered.flatMap(row => rowPoints(row, byRow.get(row.uid) ?? [], columns)) : []
  return { rows: ordered, columns, fields, points: [...fields, ...ofRows] }
}

/** Name, type and what differs in a row, then the others if a row is on one side only. */
export function columnsOfDifferences({ columns, rows }: Pick<AlignedEntity, 'columns' | 'rows'>): SheetColumn[] {
  const isFirst = ({ id, isFixed }: SheetColumn) => isFixed || rows.some(({ differing }) => differing.has(id))
  const isOneSided = rows.some(({ state }) => state === 'added' || state === 'removed')
  return [...columns.filter(isFirst), ...(isOneSided ? columns.filter(column => !isFirst(column)) : [])]
}

type Pair = Pick<AlignedRow, 'uid' | 'before' | 'after'>

/** In the order of `after`; a removed column stands behind the one that it followed. */
function pairedColumns(before: EntityContent | null, after: EntityContent | null): Pair[] {
  const old = before ? columnsInOrder(before) : []
  const now = after ? columnsInOrder(after) : []
  const oldByUid = new Map(old.map(column => [column.uid, column]))
  const nowUids = new Set(now.map(({ uid }) => uid))
  const removedBehind = new Map<string, Column[]>()
  let previous = ''
  for (const column of old) {
    if (nowUids.has(column.uid)) previous = column.uid
    else removedBehind.set(previous, [...(removedBehind.get(previous) ?? []), column])
  }
  const removed = (uid: string) =>
    (removedBehind.get(uid) ?? []).map((column): Pair => ({ uid: column.uid, before: column, after: null }))
  return [
    ...removed(''),
    ...now.flatMap(column => [
      { uid: column.uid, before: oldByUid.get(column.uid) ?? null, after: column },
      ...removed(column.uid),
    ]),
  ]
}

function alignedRow(pair: Pair, changes: readonly Change[], hasBoth: boolean): AlignedRow {
  const { before, after } = pair
  const isRenamed = changes.some(({ kind }) => kind === 'renamed')
  const isMoved = changes.some(({ kind }) => kind === 'moved')
  const fields = changes.flatMap(change => (change.kind === 'changed' ? (columnOfField(change.field)?.id ?? []) : []))
  const converted = changes.some(({ kind }) => kind === 'converted')
  const differing = converted && before && after ? textsDiffering(before, after) : fields
  const isChanged = changes.length > 0
  const state = !after ? 'removed' : !before ? 'added' : isChanged ? 'changed' : 'same'
  return {
    ...pair,
    state: hasBoth ? state : before ? 'removed' : 'added',
    isRenamed,
    isMoved,
    differing: new Set([...(isRenamed ? ['name'] : []), ...differing]),
  }
}

function textsDiffering(before: Column, after: Column): string[] {
  return sheetColumns.filter(column => cellText(column, before) !== cellText(column, after)).map(({ id }) => id)
}

function fieldPoint(change: Change): Point {
  const field = change.kind === 'changed' ? change.field : 'name'
  const [before, after] = change.kind === 'changed' || change.kind === 'renamed' ? [change.before, change.after] : []
  return {
    key: `field ${field}`,
    label: conflictWords({ path: '', field }),
    before: conflictValue({ path: '', field }, before),
    after: conflictValue({ path: '', field }, after),
    changes: [change],
    row: null,
  }
}

/** A point for each differing cell, and one for what no cell shows. */
function rowPoints(row: AlignedRow, changes: readonly Change[], columns: readonly SheetColumn[]): Point[] {
  const { uid, before, after, state } = row
  const column = after ?? before
  if (state === 'same' || !column) return []
  const name = columnName(column)
  if (state !== 'changed' || !before || !after) {
    const text = column ? visibleText(name) : ''
    const [from, to] = state === 'added' ? [texts.missing, text] : [text, texts.missing]
    const label = texts.point(name, texts.kinds[state])
    return [{ key: uid, label, before: from, after: to, changes, row: uid }]
  }
  const isConverted = changes.some(({ kind }) => kind === 'converted')
  const left = new Set(changes)
  const cells = isConverted
    ? []
    : columns.flatMap((cell): Point[] => {
        const own = changes.filter(change => columnOfChange(change) === cell.id)
        for (const change of own) left.delete(change)
        if (own.length === 0) return []
        const words = [before, after].map(one => cellText(cell, one) || texts.nothing)
        const [from = '', to = ''] = words
        const label = texts.point(name, cell.header)
        return [{ key: pointKey(uid, cell.id), label, before: from, after: to, changes: own, row: uid }]
      })
  const others = [...left].map((change): Point => {
    const field = change.kind === 'changed' ? change.field : ''
    const what =
      change.kind === 'moved' ? texts.order : isConverted ? texts.kinds.changed : conflictWords({ path: '', field })
    const [from, to] = otherWords(change, before, after)
    return {
      key: pointKey(uid, `${change.kind} ${field}`),
      label: texts.point(name, what),
      before: from,
      after: to,
      changes: [change],
      row: uid,
    }
  })
  return [...cells, ...others]
}

function otherWords(change: Change, before: Column, after: Column): [string, string] {
  if (change.kind === 'moved') return ['', texts.kinds.moved]
  if (change.kind !== 'changed') {
    const kindOf = (column: Column) => texts.kindOfColumn[isTypeAttribute(column) ? 'typeAttribute' : 'entityAttribute']
    return [kindOf(before), kindOf(after)]
  }
  const place = { path: '', field: change.field }
  return [conflictValue(place, change.before), conflictValue(place, change.after)]
}

function columnOfChange(change: Change): string | undefined {
  if (change.kind === 'renamed') return columnsById.get('name')?.id
  return change.kind === 'changed' ? columnOfField(change.field)?.id : undefined
}

export function pointKey(uid: string, column: string): string {
  return `${uid} ${column}`
}

/** Whether a difference of a row is shown by none of its cells. */
export function isBesideCells({ key, row }: Point): boolean {
  return row !== null && key !== row && key.slice(row.length + 1).includes(' ')
}

/** The text of a cell; blank where the row has no such value. */
export function cellText(column: SheetColumn, row: Column): string {
  if (!column.applies(row)) return ''
  // Enumerations of one name may have other values.
  const choices = column.id === 'choices' && isTypeAttribute(row) && row.enumeration ? row.choices : []
  return visibleText([column.text(row), ...(choices.length > 0 ? [listText(choices)] : [])].join(': '))
}
