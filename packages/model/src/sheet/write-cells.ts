import { type Column, columnName, columnsInOrder, columnsOf, isKey, isTypeAttribute } from '../columns.ts'
import { renamedColumn } from '../edits/copy-columns.ts'
import { hasEffect } from '../edits/definition.ts'
import { nextPosition } from '../edits/entity-actions.ts'
import { attributeChange, type EntityEdit, relationshipChange } from '../edits/entity-edits.ts'
import { type EntityAttribute, newEntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { entityProblems } from '../rules/entity.ts'
import { isPrimaryKey, newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import { ColumnNames } from './column-names.ts'
import { type CellContext, type CellLookups, columnOfField, type SheetColumn, sheetColumns } from './columns.ts'
import { type CellProblem, RowChange } from './row-change.ts'

export type { CellProblem }

/** By uid of the row and id of the column. */
export type SheetProblems = ReadonlyMap<string, ReadonlyMap<string, CellProblem>>

/** Texts of cells by row and column. A missing row becomes a new attribute; a missing column is ignored. */
export type CellBlock = {
  rows: readonly (Column | undefined)[]
  columns: readonly (SheetColumn | undefined)[]
  texts: readonly (readonly string[])[]
}

export type WriteOptions = CellLookups & {
  /** Cells whose text could not be read so far. */
  problems?: SheetProblems
}

/** `problems`: those before, and those of the block. `uids`: of the rows written, in order; `added`: of new ones. */
export type CellsWritten = { edits: EntityEdit[]; problems: SheetProblems; uids: string[]; added: string[] }

/** One step of edits for a block of texts. A text that is refused changes nothing and is reported. */
export function writeCells(content: EntityContent, block: CellBlock, options: WriteOptions = {}): CellsWritten {
  return new BlockWriter(content, block, options).write()
}

type Cell = { column: SheetColumn; text: string }
type Change = Record<string, unknown>

class BlockWriter {
  readonly #content: EntityContent
  readonly #block: CellBlock
  readonly #context: CellContext
  readonly #problems: Map<string, ReadonlyMap<string, CellProblem>>
  readonly #attributeChanges = new Map<string, Change>()
  readonly #relationshipChanges = new Map<string, Change>()
  readonly #removed: string[] = []
  readonly #addedAttributes: TypeAttribute[] = []
  readonly #addedRelationships: EntityAttribute[] = []
  readonly #added: string[] = []
  #position: number
  /** The key that the block names. */
  #key: { uid: string; isNew: boolean } | undefined

  constructor(content: EntityContent, block: CellBlock, { problems, ...lookups }: WriteOptions) {
    this.#content = content
    this.#block = block
    this.#context = { names: new ColumnNames(content), ...lookups }
    this.#problems = new Map(problems)
    this.#position = nextPosition(content)
  }

  write(): CellsWritten {
    const { rows, columns, texts } = this.#block
    const order = columns.flatMap((column, index) => (column ? [{ column, index }] : []))
    // Types first: the other cells are read as values of their type.
    const ranked = order.toSorted((a, b) => rankOf(a.column) - rankOf(b.column))
    // The names of all rows to be renamed are free, so that rows can exchange theirs.
    if (columns.some(column => column?.id === 'name'))
      for (const row of rows.slice(0, texts.length)) if (row) this.#context.names.remove(row)
    const uids = texts.flatMap((line, at) => {
      const cells = ranked.flatMap(({ column, index }) => {
        const text = line[index]
        return text === undefined ? [] : [{ column, text }]
      })
      return this.#writeRow(rows[at], cells) ?? []
    })
    return { edits: this.#edits(), problems: this.#problems, uids, added: this.#added }
  }

  #writeRow(row: Column | undefined, cells: readonly Cell[]): string | undefined {
    const { names } = this.#context
    if (row) {
      const { change, row: after } = this.#readRow(row, row, cells)
      if (cells.some(({ column }) => column.id === 'name')) names.add(after)
      if (Object.keys(change).length > 0) this.#change(row, change, after)
      return row.uid
    }
    if (cells.every(({ text }) => text.trim() === '')) return undefined
    const fresh = newTypeAttribute({ name: '', position: this.#position++ })
    const { change, row: after } = this.#readRow(fresh, undefined, cells)
    names.add(after)
    this.#added.push(fresh.uid)
    if ('associatedEntity' in change) this.#addedRelationships.push(asRelationship(after, change))
    else if (isTypeAttribute(after)) this.#addedAttributes.push(after)
    return fresh.uid
  }

  /** `old`: undefined for a new row. */
  #readRow(base: Column, old: Column | undefined, cells: readonly Cell[]): RowChange {
    const changed = new RowChange(base, this.#problems.get(base.uid))
    for (const { column, text } of cells) {
      // A new attribute has to have a name, even an invalid one.
      if (!old && column.id === 'name' && text.length <= limits.paste.cell)
        changed.set(column, text, { name: text.trim() })
      else changed.read(column, text, this.#context)
    }
    if (cells.some(({ column }) => column.id === 'purpose')) this.#claimKey(changed)
    changed.check(old && isTypeAttribute(old) ? old : undefined)
    if (changed.problems.size > 0) this.#problems.set(base.uid, changed.problems)
    else this.#problems.delete(base.uid)
    return changed
  }

  /** The first key of the block is the key of the entity. */
  #claimKey(changed: RowChange): void {
    if (!isKey(changed.row)) return
    const isNew = changed.change['purpose'] === 'identifiedBy'
    if (this.#key && isNew) changed.takeBack('purpose', messages.oneKey)
    this.#key ??= { uid: changed.row.uid, isNew }
  }

  #change(row: Column, change: Change, candidate: Column): void {
    if (!isTypeAttribute(row)) this.#relationshipChanges.set(row.uid, change)
    else if ('associatedEntity' in change) {
      this.#removed.push(row.uid)
      this.#addedRelationships.push(asRelationship(candidate, change))
    } else this.#attributeChanges.set(row.uid, change)
  }

  #edits(): EntityEdit[] {
    for (const { uid } of this.#key?.isNew ? this.#content.typeAttributes.filter(isPrimaryKey) : [])
      if (uid !== this.#key?.uid)
        this.#attributeChanges.set(uid, { purpose: 'hasA', ...this.#attributeChanges.get(uid) })
    const attributes = [...this.#attributeChanges].map(([uid, change]) => ({
      uid,
      change: attributeChange.parse(change),
    }))
    const relationships = [...this.#relationshipChanges].map(([uid, change]) => ({
      uid,
      change: relationshipChange.parse(change),
    }))
    const last = <T>(item: T) => ({ item, before: null })
    const edits: EntityEdit[] = [
      { kind: 'changeAttributes', changes: attributes },
      { kind: 'changeRelationships', changes: relationships },
      { kind: 'removeAttributes', uids: this.#removed },
      { kind: 'addAttributes', added: this.#addedAttributes.map(last) },
      { kind: 'addRelationships', added: this.#addedRelationships.map(last) },
    ]
    return edits.filter(hasEffect)
  }
}

const ranks = new Map(sheetColumns.map(({ id }, index) => [id, id === 'dataType' ? -1 : index]))

function rankOf({ id }: SheetColumn): number {
  return ranks.get(id) ?? ranks.size
}

/** The attribute as a relationship with the same uid, name and place. */
function asRelationship(attribute: Column, change: Change): EntityAttribute {
  const { uid, description, nullable, unique, position } = attribute
  const { associatedEntity, associatedEntityTypeAttribute, ...fields } = relationshipChange.parse(change)
  if (!associatedEntity || associatedEntityTypeAttribute === undefined) throw new Error('A relationship has a target.')
  const foreignKeyTypeAttribute = columnName(attribute)
  const target = { associatedEntity, associatedEntityTypeAttribute, foreignKeyTypeAttribute }
  return newEntityAttribute({ ...fields, ...target, uid, description, nullable, unique, position })
}

/** The texts offered for all cells of a column, as one block of different names. */
export function offeredBlock(content: EntityContent, problems: SheetProblems, column: SheetColumn): CellBlock {
  const names = new ColumnNames(content)
  const offerFor = ({ uid }: Column) => problems.get(uid)?.get(column.id)?.offer
  const rows = columnsInOrder(content).filter(row => offerFor(row) !== undefined)
  if (column.id === 'name') for (const row of rows) names.remove(row)
  const texts = rows.map(row => {
    const offer = offerFor(row) ?? ''
    if (column.id !== 'name') return [offer]
    const name = names.offer(offer).offer ?? offer
    names.add(renamedColumn(row, name))
    return [name]
  })
  return { rows, columns: [column], texts }
}

/** Cells of a content whose values break a rule; values of `previous` are accepted. */
export function invalidCells(content: EntityContent, previous: EntityContent): SheetProblems {
  const names = new ColumnNames(content)
  const rows = new Map(columnsOf(content).map(row => [row.uid, row]))
  const invalid = new Map<string, Map<string, CellProblem>>()
  for (const { path, field = '', message } of entityProblems(content, { previous })) {
    const step = path.at(-1)
    const row = step && 'uid' in step && step.uid !== undefined ? rows.get(step.uid) : undefined
    const column = columnOfField(field)
    if (!row || !column || step?.kind === 'entity') continue
    const offer = column.id === 'name' ? names.offer(columnName(row)) : {}
    const cells = invalid.get(row.uid) ?? new Map<string, CellProblem>()
    cells.set(column.id, { text: column.text(row), reason: message, ...offer })
    invalid.set(row.uid, cells)
  }
  return invalid
}
