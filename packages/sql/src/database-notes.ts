import { hasSameItems } from '@cadmus/model/equal'
import { keptById } from './by-place.ts'
import { cascades, unsafeCascades } from './cascades.ts'
import type { Dialect } from './dialect.ts'
import { isLimited, noteLenience } from './differences.ts'
import { fitTable, placeOf, wideColumns } from './fitting.ts'
import { keyCaps, type KeyCaps } from './key-caps.ts'
import type { KeyedTables } from './key-memory.ts'
import type { KeyTies, Tied } from './key-ties.ts'
import { NameMemory } from './name-memory.ts'
import type { NameGiver } from './names.ts'
import { newNotes, noteTexts } from './notes.ts'
import type { ForeignKey, Note, Table } from './tree.ts'

/** The notes on one table, in the order in which a database's are told: all names first, and what is between tables last. */
export type TableNotes = readonly [names: readonly Note[], table: readonly Note[], cascades: readonly Note[]]

type Row = {
  table: Table
  given: string
  tied: readonly Tied[]
  about: readonly unknown[]
  notes: TableNotes
  cascading: readonly ForeignKey[]
  isLimited: boolean
}
type Refused = { keys: readonly ForeignKey[]; notes: readonly Note[] }

const nothing: readonly never[] = []
/** No note is about the name of a constraint. */
const asTheyAre: NameGiver = { give: name => name }

/**
 * The notes of `fitted` on the tables of one state of a schema after the other. Names, keys and cascades are between tables: these
 * are found anew where anything in them changed. A table is fitted again where it is another object or its keys mean something else.
 */
export class DatabaseNotes {
  readonly #dialect: Dialect
  readonly #names: NameMemory
  #rows: Row[] = []
  #given: readonly string[] = []
  /** Whether a column needed more room than its length says. */
  #isWide = false
  #schema: { text: string; notes: TableNotes } = { text: '[]', notes: [nothing, nothing, nothing] }
  #cascades: { asked: readonly (readonly ForeignKey[])[]; refused: ReadonlyMap<Table, Refused> } = {
    asked: [],
    refused: new Map(),
  }
  /** Of each table. */
  #wide: ReturnType<typeof wideColumns>[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#names = new NameMemory(dialect.names)
  }

  /** For each of the tables, and last for the schema itself; what is as before is the very same object. */
  look(schema: string, keyed: KeyedTables, ties: KeyTies): TableNotes[] {
    const wide = this.#dialect.checksCharacters ? this.#wideIn(keyed) : nothing
    const caps = keyCaps(ties, this.#dialect.limits.key, wide)
    const isWide = wide.length > 0 || this.#isWide
    this.#isWide = wide.length > 0
    const rows = this.#rowsOf(keyed, caps, isWide)
    if (rows !== this.#rows) this.#tell(rows)
    this.#rows = rows
    return [...rows.map(({ notes }) => notes), this.#ofSchema(schema, rows)]
  }

  /** Where widths are told, what keys have to do with a table depends on columns of others. */
  #rowsOf({ tables, tied, changed }: KeyedTables, caps: KeyCaps, isWide: boolean): Row[] {
    const before = this.#given
    const given = this.#names.give(tables.map(({ name }) => name))
    this.#given = given
    const known = keptById(this.#rows, ({ table }) => table.source.id)
    const rowAt = (table: Table, index: number): Row => {
      const name = given[index] ?? table.name
      const ties = tied[index] ?? nothing
      const row = known(table.source.id, index)
      const about = !isWide && row?.tied === ties ? row.about : caps.aboutTable(table.name)
      const isSame = row?.table === table && row.given === name && hasSameItems(row.about, about)
      if (!isSame) return this.#look({ table, given: name, tied: ties, about }, caps)
      row.tied = ties
      return row
    }
    if (isWide || tables.length !== this.#rows.length) return tables.map(rowAt)
    const places = new Set(changed)
    if (given !== before) given.forEach((name, index) => name !== before[index] && places.add(index))
    if (places.size === 0) return this.#rows
    const rows = [...this.#rows]
    for (const index of places) {
      const table = tables[index]
      if (table) rows[index] = rowAt(table, index)
    }
    return rows
  }

  #ofSchema(name: string, rows: readonly Row[]): TableNotes {
    const notes = newNotes()
    const limited = this.#dialect.mayBeLenient ? rows.find(row => row.isLimited) : undefined
    noteLenience(limited?.table, { name }, notes)
    const text = JSON.stringify(notes.list)
    if (this.#schema.text !== text) this.#schema = { text, notes: [nothing, nothing, notes.list] }
    return this.#schema.notes
  }

  #look(row: Pick<Row, 'table' | 'given' | 'tied' | 'about'>, caps: KeyCaps): Row {
    const { table, given } = row
    const dialect = this.#dialect
    const names = newNotes()
    // Foreign keys go by the tables' own names here.
    const place = { ...placeOf(table, given, dialect, names), name: table.name }
    const notes = newNotes()
    const fitted = fitTable(table, place, { dialect, names: asTheyAre, caps, notes })
    return {
      ...row,
      notes: [names.list, notes.list, nothing],
      cascading: orNothing(fitted.foreignKeys.filter(cascades)),
      isLimited: isLimited(fitted),
    }
  }

  /** Of tables that are at their places only what changed is looked at. */
  #wideIn({ tables, changed }: KeyedTables): ReturnType<typeof wideColumns> {
    const before = this.#wide
    const isAnew = before.length !== tables.length
    const wide = isAnew ? tables.map(table => orNothing(wideColumns(table, this.#dialect))) : [...before]
    for (const index of isAnew ? nothing : changed) {
      const table = tables[index]
      if (table) wide[index] = orNothing(wideColumns(table, this.#dialect))
    }
    this.#wide = wide
    return wide.flat()
  }

  /** Adds what is to be told of cascades. */
  #tell(rows: readonly Row[]): void {
    const asked = rows.map(({ cascading }) => cascading)
    const refused = hasSameItems(asked, this.#cascades.asked) ? this.#cascades.refused : this.#refusedOf(rows)
    const isNone = refused.size === 0 && this.#cascades.refused.size === 0
    this.#cascades = { asked, refused }
    for (const row of isNone ? nothing : rows) {
      const notes = refused.get(row.table)?.notes ?? nothing
      if (row.notes[2] !== notes) row.notes = [row.notes[0], row.notes[1], notes]
    }
  }

  #refusedOf(rows: readonly Row[]): ReadonlyMap<Table, Refused> {
    const steps = rows.map(({ table, cascading }) => ({ name: table.name, foreignKeys: cascading }))
    const unsafe = unsafeCascades(steps, this.#dialect)
    const refused = new Map<Table, Refused>()
    for (const { table, cascading } of unsafe.size === 0 ? [] : rows) {
      const keys = cascading.filter(key => unsafe.has(key))
      const before = this.#cascades.refused.get(table)
      if (keys.length === 0) continue
      refused.set(table, before && hasSameItems(before.keys, keys) ? before : { keys, notes: refusals(table, keys) })
    }
    return refused
  }
}

/** One object for all that are empty. */
function orNothing<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? nothing : list
}

function refusals(table: Table, keys: readonly ForeignKey[]): readonly Note[] {
  const notes = newNotes()
  for (const { source } of keys) notes.about('cascadePath', noteTexts.cascadePath(source.name), table.source, source)
  return notes.list
}
