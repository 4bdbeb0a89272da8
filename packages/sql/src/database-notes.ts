import { hasSameItems } from '@cadmus/model/equal'
import { cascades, unsafeCascades } from './cascades.ts'
import type { Dialect } from './dialect.ts'
import { isLimited, noteLenience } from './differences.ts'
import { fitTable, placeOf, wideColumns } from './fitting.ts'
import { keyCaps, type KeyCaps } from './key-caps.ts'
import type { SchemaKeys } from './key-memory.ts'
import { newNameGiver, type NameGiver } from './names.ts'
import { newNotes, noteTexts } from './notes.ts'
import type { ForeignKey, Note, Schema, Table } from './tree.ts'

/** The notes on one table, in the order in which a database's are told: all names first, and what is between tables last. */
export type TableNotes = readonly [names: readonly Note[], table: readonly Note[], cascades: readonly Note[]]

type Row = {
  table: Table
  given: string
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
  #names: { asked: readonly string[]; given: readonly string[] } = { asked: [], given: [] }
  #caps: { keys: SchemaKeys; wide: string; caps: KeyCaps; about: Map<string, readonly unknown[]> } | undefined
  #rows = new Map<Table, Row>()
  #schema: { text: string; notes: TableNotes } = { text: '[]', notes: [nothing, nothing, nothing] }
  #cascades: { asked: readonly (readonly ForeignKey[])[]; refused: ReadonlyMap<Table, Refused> } = {
    asked: [],
    refused: new Map(),
  }
  readonly #wide = new WeakMap<Table, ReturnType<typeof wideColumns>>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** For each of the tables, and last for the schema itself; what is as before is the very same object. */
  look({ name: schema, tables }: Schema, keys: SchemaKeys): TableNotes[] {
    const given = this.#give(tables.map(({ name }) => name))
    const { caps, about } = this.#capsOf(tables, keys)
    const rows = tables.map((table, index) => {
      const name = given[index] ?? table.name
      const said = about.get(table.name) ?? nothing
      const before = this.#rows.get(table)
      return before?.given === name && hasSameItems(before.about, said) ? before : this.#look(table, name, caps, said)
    })
    this.#tell(rows)
    this.#rows = new Map(rows.map(row => [row.table, row]))
    return [...rows.map(({ notes }) => notes), this.#ofSchema(schema, rows)]
  }

  #ofSchema(name: string, rows: readonly Row[]): TableNotes {
    const notes = newNotes()
    const limited = this.#dialect.mayBeLenient ? rows.find(row => row.isLimited) : undefined
    noteLenience(limited?.table, { name }, notes)
    const text = JSON.stringify(notes.list)
    if (this.#schema.text !== text) this.#schema = { text, notes: [nothing, nothing, notes.list] }
    return this.#schema.notes
  }

  #look(table: Table, given: string, caps: KeyCaps, about: readonly unknown[]): Row {
    const dialect = this.#dialect
    const names = newNotes()
    // Foreign keys go by the tables' own names here.
    const place = { ...placeOf(table, given, dialect, names), name: table.name }
    const notes = newNotes()
    const fitted = fitTable(table, place, { dialect, names: asTheyAre, caps, notes })
    return {
      table,
      given,
      about,
      notes: [names.list, notes.list, nothing],
      cascading: orNothing(fitted.foreignKeys.filter(cascades)),
      isLimited: isLimited(fitted),
    }
  }

  #give(asked: readonly string[]): readonly string[] {
    if (hasSameItems(asked, this.#names.asked)) return this.#names.given
    const names = newNameGiver(this.#dialect.names)
    this.#names = { asked, given: asked.map(name => names.give(name, 'table')) }
    return this.#names.given
  }

  #capsOf(tables: readonly Table[], keys: SchemaKeys): { caps: KeyCaps; about: Map<string, readonly unknown[]> } {
    const columns = this.#dialect.checksCharacters ? tables.flatMap(table => this.#wideIn(table)) : []
    const wide = JSON.stringify(columns)
    if (this.#caps?.keys === keys && this.#caps.wide === wide) return this.#caps
    const caps = keyCaps(keys.ties, this.#dialect.limits.key, columns)
    const about = new Map(tables.map(({ name }) => [name, caps.aboutTable(name)]))
    this.#caps = { keys, wide, caps, about }
    return this.#caps
  }

  #wideIn(table: Table): ReturnType<typeof wideColumns> {
    const columns = this.#wide.get(table) ?? orNothing(wideColumns(table, this.#dialect))
    this.#wide.set(table, columns)
    return columns
  }

  /** Adds what is to be told of cascades. */
  #tell(rows: readonly Row[]): void {
    const asked = rows.map(({ cascading }) => cascading)
    const refused = hasSameItems(asked, this.#cascades.asked) ? this.#cascades.refused : this.#refusedOf(rows)
    this.#cascades = { asked, refused }
    for (const row of rows) {
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
