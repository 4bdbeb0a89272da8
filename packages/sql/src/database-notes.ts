import { hasSameItems } from '@cadmus/model/equal'
import { cascades, unsafeCascades } from './cascades.ts'
import type { Dialect } from './dialect.ts'
import { fitTable, placeOf, wideColumns, type Place } from './fitting.ts'
import { keyCaps, type KeyCaps } from './key-caps.ts'
import type { SchemaKeys } from './key-memory.ts'
import { newNameGiver, type NameGiver } from './names.ts'
import { newNotes, noteTexts } from './notes.ts'
import type { ForeignKey, Note, Table } from './tree.ts'

/** The notes on one table, in the order in which a database's are told: all names first, and what is between tables last. */
export type TableNotes = readonly [names: readonly Note[], table: readonly Note[], cascades: readonly Note[]]

type Named = { given: string; place: Place; notes: readonly Note[] }
type Fitted = { about: string; notes: readonly Note[]; cascading: readonly ForeignKey[] }
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
  #caps: { keys: SchemaKeys; wide: string; caps: KeyCaps; about: Map<string, string> } | undefined
  #cascades: { asked: readonly (readonly ForeignKey[])[]; refused: ReadonlyMap<Table, Refused> } = {
    asked: [],
    refused: new Map(),
  }
  readonly #named = new WeakMap<Table, Named>()
  readonly #wide = new WeakMap<Table, ReturnType<typeof wideColumns>>()
  readonly #fitted = new WeakMap<Table, Fitted>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** For each of the tables; lists of notes that are as before are the very same objects. */
  look(tables: readonly Table[], keys: SchemaKeys): TableNotes[] {
    const given = this.#give(tables.map(({ name }) => name))
    const { caps, about } = this.#capsOf(tables, keys)
    const found = tables.map((table, index) => {
      const named = this.#name(table, given[index] ?? table.name)
      return { table, named, fitted: this.#fit(table, named.place, caps, about.get(table.name) ?? '') }
    })
    const refused = this.#refusedOf(found)
    return found.map(({ table, named, fitted }) => [named.notes, fitted.notes, refused.get(table)?.notes ?? nothing])
  }

  #give(asked: readonly string[]): readonly string[] {
    if (hasSameItems(asked, this.#names.asked)) return this.#names.given
    const names = newNameGiver(this.#dialect.names)
    this.#names = { asked, given: asked.map(name => names.give(name, 'table')) }
    return this.#names.given
  }

  #name(table: Table, given: string): Named {
    const before = this.#named.get(table)
    if (before?.given === given) return before
    const notes = newNotes()
    // Foreign keys go by the tables' own names here.
    const place = { ...placeOf(table, given, this.#dialect, notes), name: table.name }
    const named = { given, place, notes: notes.list.length === 0 ? nothing : notes.list }
    this.#named.set(table, named)
    return named
  }

  #capsOf(tables: readonly Table[], keys: SchemaKeys): { caps: KeyCaps; about: Map<string, string> } {
    const columns = this.#dialect.checksCharacters ? tables.flatMap(table => this.#wideIn(table)) : []
    const wide = JSON.stringify(columns)
    if (this.#caps?.keys === keys && this.#caps.wide === wide) return this.#caps
    const caps = keyCaps(keys.tables, keys.ties, this.#dialect.limits.key, columns)
    const about = new Map(tables.map(({ name }) => [name, caps.aboutTable(name)]))
    this.#caps = { keys, wide, caps, about }
    return this.#caps
  }

  #wideIn(table: Table): ReturnType<typeof wideColumns> {
    const columns = this.#wide.get(table) ?? wideColumns(table, this.#dialect)
    this.#wide.set(table, columns)
    return columns
  }

  #fit(table: Table, place: Place, caps: KeyCaps, about: string): Fitted {
    const before = this.#fitted.get(table)
    if (before?.about === about) return before
    const notes = newNotes()
    const { foreignKeys } = fitTable(table, place, { dialect: this.#dialect, names: asTheyAre, caps, notes })
    const cascading = foreignKeys.filter(cascades)
    const fitted = {
      about,
      notes: notes.list.length === 0 ? nothing : notes.list,
      cascading: cascading.length === 0 ? nothing : cascading,
    }
    this.#fitted.set(table, fitted)
    return fitted
  }

  #refusedOf(found: readonly { table: Table; fitted: Fitted }[]): ReadonlyMap<Table, Refused> {
    const asked = found.map(({ fitted }) => fitted.cascading)
    if (hasSameItems(asked, this.#cascades.asked)) return this.#cascades.refused
    const steps = found.map(({ table, fitted }) => ({ name: table.name, foreignKeys: fitted.cascading }))
    const unsafe = unsafeCascades(steps, this.#dialect)
    const refused = new Map<Table, Refused>()
    for (const { table, fitted } of unsafe.size === 0 ? [] : found) {
      const keys = fitted.cascading.filter(key => unsafe.has(key))
      const before = this.#cascades.refused.get(table)
      if (keys.length === 0) continue
      refused.set(table, before && hasSameItems(before.keys, keys) ? before : { keys, notes: refusals(table, keys) })
    }
    this.#cascades = { asked, refused }
    return refused
  }
}

function refusals(table: Table, keys: readonly ForeignKey[]): readonly Note[] {
  const notes = newNotes()
  for (const { source } of keys) notes.about('cascadePath', noteTexts.cascadePath(source.name), table.source, source)
  return notes.list
}
