import type { ReferentialAction } from '../tree.ts'
import { Catalogue, type Named, NameIndex, type Scope } from './catalogue.ts'
import type { Thing } from '@cadmus/model/import-things'
import type { Expression } from './expression.ts'
import { OtherObjects } from './other-objects.ts'
import { Waiting } from './waiting.ts'

/** A type as written. `texts` are the values of an enumeration. */
export type RawType = {
  name: string
  args: readonly string[]
  texts: readonly string[]
  isUnsigned: boolean
  isArray: boolean
  charset: string
  /** The type of the script with this name, which may be created later. */
  named: NamedType | null
}

/** A type that the script creates: an enumeration, or another type with constraints, written as a column. */
export type NamedType = Named & {
  definition: { values: string[] } | { column: RawColumn; checks: readonly RawCheck[] } | null
  isDropped: boolean
  /** Where it is created. */
  line: number
  comment: string
}

/** The offsets of an expression in the script. */
export type Span = readonly [from: number, to: number]

/** `expression` is null if it is not supported. */
export type RawDefault = { expression: Expression | null; span: Span; line: number }

export type RawColumn = {
  name: string
  line: number
  type: RawType
  nullable: boolean
  default: RawDefault | null
  identity: boolean
  comment: string
  /** Empty for the table's. */
  collation: string
  isDropped: boolean
}

type Part = Named & { line: number; table: RawTable; columns: readonly RawColumn[] }

/**
 * `isOneNull`: only one row may have no value; `onlyPresent`: rows with a missing value do not count; `stated`: the name in the script, ''
 * without one.
 */
export type RawKey = Part & {
  kind: 'primary' | 'unique' | 'index'
  isOneNull: boolean
  stated: string
  onlyPresent?: boolean
  descending?: readonly RawColumn[]
}

/** `column`: the only column of the condition; `named`: its columns by the names that they had in it; `stated`: the name in the script, '' without one. */
export type RawCheck = Part & {
  kind: 'check'
  expression: Expression | null
  span: Span
  column: RawColumn | null
  named: ReadonlyMap<string, RawColumn | undefined>
  stated: string
}

/** What the REFERENCES clause of a foreign key says. */
export type RawReference = {
  line: number
  path: readonly string[]
  /** Empty if the foreign key refers to the primary key of the other table. */
  references: readonly string[]
  onDelete: ReferentialAction
  onUpdate: ReferentialAction
}

export type RawForeignKey = Part &
  RawReference & {
    kind: 'foreignKey'
    /** Null until the table is created. */
    target: { table: RawTable; columns: readonly (RawColumn | undefined)[] } | null
  }

/** The name of a default value, and anything that models do not have. */
export type RawOther = Part & { kind: 'default' | 'other'; message: string; thing: Thing }

export type RawPart = RawKey | RawCheck | RawForeignKey | RawOther

/** Parts of different kinds can have the same name. */
const nameSpaces: Readonly<Record<RawPart['kind'], string>> = {
  primary: 'index',
  unique: 'index',
  index: 'index',
  other: 'index',
  foreignKey: 'foreignKey',
  check: 'check',
  default: 'default',
}
const allKinds = ['primary', 'foreignKey', 'check', 'default'] as const

export function newColumn(name: string, line: number, type: RawType): RawColumn {
  return {
    name,
    line,
    type,
    nullable: true,
    default: null,
    identity: false,
    comment: '',
    collation: '',
    isDropped: false,
  }
}

/** The state of a table after the statements read so far. */
export class RawTable {
  name: string
  schema: string
  readonly line: number
  comment = ''
  /** Also dropped ones. */
  readonly columns: RawColumn[] = []
  readonly #byName = new NameIndex<RawColumn>()
  readonly #parts = new Map<string, RawPart>()
  /** The key of a part in the map, which differs from others of the same name. */
  readonly #keys = new Map<RawPart, string>()
  #nameless = 0
  primaryKey: RawKey | null = null
  // Most tables have none of these.
  #numbers: Map<string, number> | undefined
  /** While the table is created, to be called when its columns are known. */
  unbound: (() => void)[] | null = []
  /** To be called then, if no part is the primary key. */
  impliedKey: (() => void) | undefined
  partitionOf: RawTable | null = null
  #partitions: Set<RawTable> | undefined
  #heirs: Set<RawTable> | undefined
  /** Of texts without another one. */
  collation = ''
  isStorageReported = false
  #referrers: Set<RawForeignKey> | undefined
  /** How the table was dropped. CASCADE drops the foreign keys to it. */
  dropped: 'no' | 'alone' | 'cascade' = 'no'

  constructor(parts: readonly string[], schema: string, line: number) {
    this.name = parts.at(-1) ?? ''
    this.schema = parts.at(-2) ?? schema
    this.line = line
  }

  /** The numbers of names that the database makes up. */
  get numbers(): Map<string, number> {
    return (this.#numbers ??= new Map())
  }

  get partitions(): Set<RawTable> {
    return (this.#partitions ??= new Set())
  }

  /** Tables that inherit the columns of this one. */
  get heirs(): Set<RawTable> {
    return (this.#heirs ??= new Set())
  }

  /** The foreign keys that refer to this table. */
  get referrers(): Set<RawForeignKey> {
    return (this.#referrers ??= new Set())
  }

  get liveColumns(): RawColumn[] {
    return this.columns.filter(({ isDropped, type }) => !isDropped && type.named?.isDropped !== true)
  }

  column(name: string): RawColumn | undefined {
    return this.#byName.find(name)
  }

  addColumn(column: RawColumn): void {
    this.columns.push(column)
    this.#byName.add(column.name, column)
  }

  /** Moves the last columns to the beginning. */
  putFirst(columns: readonly RawColumn[]): void {
    const others = this.columns.splice(0).slice(0, -columns.length)
    for (const column of columns) this.columns.push(column)
    for (const column of others) this.columns.push(column)
  }

  /** Moves a column after another one, or to the beginning. */
  move(column: RawColumn, after: RawColumn | null): void {
    // No database that can move columns has more.
    if (this.columns.length > 5000) return
    this.columns.splice(this.columns.indexOf(column), 1)
    this.columns.splice(after ? this.columns.indexOf(after) + 1 : 0, 0, column)
  }

  renameColumn(column: RawColumn, name: string): void {
    this.#byName.delete(column.name, column)
    column.name = name
    this.#byName.add(name, column)
  }

  dropColumn(column: RawColumn): void {
    this.#byName.delete(column.name, column)
    column.isDropped = true
  }

  get parts(): readonly RawPart[] {
    return [...this.#parts.values()]
  }

  hasName(kind: RawPart['kind'], name: string): boolean {
    return this.#parts.has(keyOf(kind, name))
  }

  addPart(part: RawPart): void {
    const key = keyOf(part.kind, part.name)
    const isTaken = part.name === '' || this.#parts.has(key)
    if (isTaken) this.#nameless += 1
    const own = isTaken ? `${key}\0${this.#nameless}` : key
    this.#parts.set(own, part)
    this.#keys.set(part, own)
    if (part.kind === 'primary') this.primaryKey = part
  }

  /** The part of the name, in the name spaces of the kinds. */
  part(name: string, kinds: readonly RawPart['kind'][] = allKinds): RawPart | undefined {
    for (const kind of kinds) {
      const part = this.#parts.get(keyOf(kind, name))
      if (part) return part
    }
    return undefined
  }

  deletePart(part: RawPart): void {
    if (part === this.primaryKey) this.primaryKey = null
    this.#parts.delete(this.#keys.get(part) ?? '')
    this.#keys.delete(part)
  }
}

function keyOf(kind: RawPart['kind'], name: string): string {
  return `${nameSpaces[kind]} ${name.toLowerCase()}`
}

/** The tables and types of a script, built while it is read. */
export class ReadSchema {
  readonly scope: Scope
  readonly tables: Catalogue<RawTable>
  readonly types: Catalogue<NamedType>
  readonly indexes: Catalogue<RawPart>
  /** Parts other than indexes and keys. */
  readonly constraints: Catalogue<RawPart>
  readonly waiting = new Waiting()
  readonly otherObjects = new OtherObjects()
  renamedSchemas = 0

  constructor(usualSchema: string) {
    this.scope = { current: '', usual: usualSchema }
    this.tables = new Catalogue(this.scope)
    this.types = new Catalogue(this.scope)
    this.indexes = new Catalogue(this.scope)
    this.constraints = new Catalogue(this.scope)
  }

  add(table: RawTable): void {
    this.tables.add(table)
    this.waiting.arrive('table', table)
  }

  /** A table of the same name that is created later is a new one. */
  drop(table: RawTable, how: 'alone' | 'cascade'): void {
    this.tables.delete(table)
    table.dropped = how
    for (const part of table.parts) this.#namesOf(part).delete(part)
    table.partitionOf?.partitions.delete(table)
    for (const partition of table.partitions) this.drop(partition, how)
  }

  rename(table: RawTable, name: Partial<Named>): void {
    this.tables.rename(table, name)
    this.waiting.arrive('table', table)
  }

  addPart(part: RawPart): void {
    part.table.addPart(part)
    if (part.name !== '') this.#namesOf(part).add(part)
  }

  /** Binds a foreign key to its target, so that it follows later changes of names. */
  bindTarget(key: RawForeignKey): void {
    const table = this.tables.find(key.path, key.table.schema)
    if (!table) return this.waiting.add('table', key.path, () => this.bindTarget(key))
    key.target = { table, columns: key.references.map(name => table.column(name)) }
    table.referrers.add(key)
  }

  deletePart(part: RawPart): void {
    part.table.deletePart(part)
    if (part.kind === 'foreignKey') part.target?.table.referrers.delete(part)
    this.#namesOf(part).delete(part)
  }

  renamePart(part: RawPart, name: string): void {
    this.deletePart(part)
    part.name = name
    this.addPart(part)
    if (part.kind === 'foreignKey') part.target?.table.referrers.add(part)
  }

  #namesOf({ kind }: RawPart): Catalogue<RawPart> {
    return nameSpaces[kind] === 'index' ? this.indexes : this.constraints
  }

  /** The type of the name; one that is created later, if there is none. */
  typeNamed(parts: readonly string[]): NamedType {
    const known = this.types.find(parts)
    if (known) return known
    return this.newType(parts)
  }

  newType(parts: readonly string[]): NamedType {
    const schema = parts.at(-2) ?? this.scope.current
    const type: NamedType = {
      name: parts.at(-1) ?? '',
      schema,
      definition: null,
      isDropped: false,
      line: 0,
      comment: '',
    }
    this.types.add(type)
    return type
  }
}
