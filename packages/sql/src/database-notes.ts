import { hasSameItems } from '@cadmus/model/equal'
import { adaptTable, tableNamesOf, wideColumns } from './adapt-schema.ts'
import { cascades, unsafeCascades } from './safe-cascades.ts'
import type { Dialect } from './dialect.ts'
import { isLimited, noteLenience } from './differences.ts'
import { type KeyColumn, KeyGraph, tableKeys, type TableKeys } from './key-graph.ts'
import { legalName, type NameGiver, type NameRules, newNameGiver } from './names.ts'
import { newNotes, noteTexts } from './notes.ts'
import { keyCaps, type KeyCaps } from './table-limits.ts'
import type { ForeignKey, Note, Table } from './tree.ts'

/** The notes on one table, in three groups: on names, on the table itself, and on cascades. */
export type TableNotes = readonly [names: readonly Note[], table: readonly Note[], cascades: readonly Note[]]

type Row = {
  table: Table
  givenName: string
  keyColumns: readonly KeyColumn[]
  about: readonly unknown[]
  notes: TableNotes
  cascading: readonly ForeignKey[]
  isLimited: boolean
}
type RefusedCascades = { keys: readonly ForeignKey[]; notes: readonly Note[] }

const empty: readonly never[] = []
/** No note mentions the name of a constraint. */
const identityNames: NameGiver = { give: name => name }

/**
 * Computes the notes of `adaptSchema` incrementally over successive states of a schema. Names, keys and cascades depend
 * on several tables and are recomputed when any of them changed. A table is adapted again if it is another object or
 * its keys changed.
 */
export class DatabaseNotes {
  readonly #dialect: Dialect
  readonly #names: NameCache
  #rows: Row[] = []
  #givenNames: readonly string[] = []
  /** Whether the previous state had columns wider than their declared length. */
  #hadWide = false
  #schema: { text: string; notes: TableNotes } = { text: '[]', notes: [empty, empty, empty] }
  #cascades: { keys: readonly (readonly ForeignKey[])[]; refused: ReadonlyMap<Table, RefusedCascades> } = {
    keys: [],
    refused: new Map(),
  }
  /** Wide columns by table. */
  #wide: ReturnType<typeof wideColumns>[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#names = new NameCache(dialect.names)
  }

  /** Returns the notes of each table and, last, of the schema. Unchanged notes are the same objects. */
  update(schema: string, keyed: KeyedTables, graph: KeyGraph): TableNotes[] {
    const wide = this.#dialect.checksCharacters ? this.#wideIn(keyed) : empty
    const caps = keyCaps(graph, this.#dialect.limits.key, wide)
    const isWide = wide.length > 0 || this.#hadWide
    this.#hadWide = wide.length > 0
    const rows = this.#rowsOf(keyed, caps, isWide)
    if (rows !== this.#rows) this.#updateCascades(rows)
    this.#rows = rows
    return [...rows.map(({ notes }) => notes), this.#schemaNotes(schema, rows)]
  }

  /** With wide columns, the limits of a table depend on the columns of other tables. */
  #rowsOf({ tables, keyColumns, changed }: KeyedTables, caps: KeyCaps, isWide: boolean): Row[] {
    const before = this.#givenNames
    const givenNames = this.#names.give(tables.map(({ name }) => name))
    this.#givenNames = givenNames
    const previous = previousById(this.#rows, ({ table }) => table.source.id)
    const rowAt = (table: Table, index: number): Row => {
      const name = givenNames[index] ?? table.name
      const columns = keyColumns[index] ?? empty
      const row = previous(table.source.id, index)
      const about = !isWide && row?.keyColumns === columns ? row.about : caps.tableState(table.name)
      const isSame = row?.table === table && row.givenName === name && hasSameItems(row.about, about)
      if (!isSame) return this.#newRow({ table, givenName: name, keyColumns: columns, about }, caps)
      row.keyColumns = columns
      return row
    }
    if (isWide || tables.length !== this.#rows.length) return tables.map(rowAt)
    const indexes = new Set(changed)
    if (givenNames !== before) givenNames.forEach((name, index) => name !== before[index] && indexes.add(index))
    if (indexes.size === 0) return this.#rows
    const rows = [...this.#rows]
    for (const index of indexes) {
      const table = tables[index]
      if (table) rows[index] = rowAt(table, index)
    }
    return rows
  }

  #schemaNotes(name: string, rows: readonly Row[]): TableNotes {
    const notes = newNotes()
    const limited = this.#dialect.mayBeLenient ? rows.find(row => row.isLimited) : undefined
    noteLenience(limited?.table, { name }, notes)
    const text = JSON.stringify(notes.list)
    if (this.#schema.text !== text) this.#schema = { text, notes: [empty, empty, notes.list] }
    return this.#schema.notes
  }

  #newRow(row: Pick<Row, 'table' | 'givenName' | 'keyColumns' | 'about'>, caps: KeyCaps): Row {
    const { table, givenName } = row
    const dialect = this.#dialect
    const names = newNotes()
    // References to other tables keep the model's names here.
    const tableNames = { ...tableNamesOf(table, givenName, dialect, names), name: table.name }
    const notes = newNotes()
    const adapted = adaptTable(table, tableNames, { dialect, names: identityNames, caps, notes, namesByTable: null })
    return {
      ...row,
      notes: [names.list, notes.list, empty],
      cascading: orEmpty(adapted.foreignKeys.filter(cascades)),
      isLimited: isLimited(adapted),
    }
  }

  /** Examines only changed tables as long as the number of tables is the same. */
  #wideIn({ tables, changed }: KeyedTables): ReturnType<typeof wideColumns> {
    const before = this.#wide
    const isReset = before.length !== tables.length
    const wide = isReset ? tables.map(table => orEmpty(wideColumns(table, this.#dialect))) : [...before]
    for (const index of isReset ? empty : changed) {
      const table = tables[index]
      if (table) wide[index] = orEmpty(wideColumns(table, this.#dialect))
    }
    this.#wide = wide
    return wide.flat()
  }

  #updateCascades(rows: readonly Row[]): void {
    const keys = rows.map(({ cascading }) => cascading)
    const refused = hasSameItems(keys, this.#cascades.keys) ? this.#cascades.refused : this.#refusedOf(rows)
    const isEmpty = refused.size === 0 && this.#cascades.refused.size === 0
    this.#cascades = { keys, refused }
    for (const row of isEmpty ? empty : rows) {
      const notes = refused.get(row.table)?.notes ?? empty
      if (row.notes[2] !== notes) row.notes = [row.notes[0], row.notes[1], notes]
    }
  }

  #refusedOf(rows: readonly Row[]): ReadonlyMap<Table, RefusedCascades> {
    const steps = rows.map(({ table, cascading }) => ({ name: table.name, foreignKeys: cascading }))
    const unsafe = unsafeCascades(steps, this.#dialect)
    const refused = new Map<Table, RefusedCascades>()
    for (const { table, cascading } of unsafe.size === 0 ? [] : rows) {
      const keys = cascading.filter(key => unsafe.has(key))
      const before = this.#cascades.refused.get(table)
      if (keys.length === 0) continue
      refused.set(table, before && hasSameItems(before.keys, keys) ? before : { keys, notes: refusals(table, keys) })
    }
    return refused
  }
}

/** Shares one object for empty lists. */
function orEmpty<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? empty : list
}

function refusals(table: Table, keys: readonly ForeignKey[]): readonly Note[] {
  const notes = newNotes()
  for (const { source } of keys) notes.about('cascadePath', noteTexts.cascadePath(source.name), table.source, source)
  return notes.list
}

type Entry = { table: Table; keys: TableKeys; text: string }

/** The tables with their key columns, and the indexes of tables for which either changed. */
type KeyedTables = {
  readonly tables: readonly Table[]
  readonly keyColumns: readonly (readonly KeyColumn[])[]
  readonly changed: readonly number[]
}

/** Maintains the key graph over successive states of a schema. */
export class KeyCache {
  readonly graph = new KeyGraph([])
  #entries: readonly Entry[] = []
  #keyColumns: KeyedTables['keyColumns'] = []

  /** Updates the graph to the given tables. */
  update(tables: readonly Table[]): KeyedTables {
    const before = this.#entries
    const previous = previousById(before, ({ table }) => table.source.id)
    this.#entries = tables.map((table, index) => {
      const one = previous(table.source.id, index)
      return one?.table === table ? one : entryOf(table, one)
    })
    // Most tables keep their index.
    const removed = new Set(before.flatMap(({ keys }, index) => (this.#entries[index]?.keys === keys ? [] : keys)))
    const added = this.#entries.flatMap(({ keys }, index) =>
      before[index]?.keys === keys || removed.delete(keys) ? [] : keys,
    )
    if (removed.size > 0 || added.length > 0) this.graph.change([...removed], added)
    const lastKeyColumns = this.#keyColumns
    const keyColumns = tables.map(({ name }) => this.graph.columnsOf(name))
    this.#keyColumns = keyColumns
    const isSame = (index: number) =>
      before[index]?.table === tables[index] && lastKeyColumns[index] === keyColumns[index]
    return { tables, keyColumns, changed: [...tables.keys()].filter(index => !isSame(index)) }
  }
}

/** Most changes of a table do not affect its keys. */
function entryOf(table: Table, before: Entry | undefined): Entry {
  const keys = tableKeys(table)
  const text = JSON.stringify(keys)
  return { table, text, keys: before?.text === text ? before.keys : keys }
}

/** The table names of successive states of a schema, equal to the names from a new name generator for each state. */
class NameCache {
  readonly #rules: NameRules
  #requested: readonly string[] = []
  #names: readonly string[] = []
  /** Folded names, as long as all are distinct, so that no name depends on those before it. */
  #folded: Set<string> | undefined = new Set()

  constructor(rules: NameRules) {
    this.#rules = rules
  }

  give(requested: readonly string[]): readonly string[] {
    if (hasSameItems(requested, this.#requested)) return this.#names
    this.#names = this.#updateNames(requested) ?? this.#giveAll(requested)
    this.#requested = requested
    return this.#names
  }

  /** Undefined if names conflict. */
  #updateNames(requested: readonly string[]): readonly string[] | undefined {
    const folded = this.#folded
    if (!folded) return undefined
    const [before, rules] = [this.#names, this.#rules]
    const isUnchanged = (index: number) => index < before.length && requested[index] === this.#requested[index]
    before.forEach((legal, index) => isUnchanged(index) || folded.delete(rules.fold(legal)))
    const names = requested.map(
      (name, index) => (isUnchanged(index) ? before[index] : undefined) ?? this.#addName(name, folded),
    )
    if (folded.size === names.length) return names
    this.#folded = undefined
    return undefined
  }

  #addName(name: string, folded: Set<string>): string {
    const legal = legalName(name, this.#rules, 'table')
    folded.add(this.#rules.fold(legal))
    return legal
  }

  /** Caches the folded names if they are distinct. */
  #giveAll(requested: readonly string[]): readonly string[] {
    const names = newNameGiver(this.#rules)
    const legal = requested.map(name => names.give(name, 'table'))
    const folded = new Set<string>()
    for (const name of requested) this.#addName(name, folded)
    this.#folded = folded.size === requested.length ? folded : undefined
    return legal
  }
}

/** Finds items of the previous state by id, checking the same index first: successive states differ in few items. */
function previousById<K>(
  previous: readonly K[],
  idOf: (one: K) => number,
): (id: number, index: number) => K | undefined {
  let byId: Map<number, K> | undefined
  return (id, index) => {
    const candidate = previous[index]
    if (candidate !== undefined && idOf(candidate) === id) return candidate
    byId ??= new Map(previous.map(one => [idOf(one), one]))
    return byId.get(id)
  }
}
