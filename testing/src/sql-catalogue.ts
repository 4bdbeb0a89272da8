import type { CheckedDialect, ColumnType } from './sql-types.ts'

export interface CheckedColumn {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}

export interface CheckedReference {
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  readonly toColumns: readonly string[]
  readonly onDelete: string | null
  readonly onUpdate: string | null
}

interface CheckedTable {
  readonly name: string
  readonly columns: Map<string, CheckedColumn>
  /** Column lists of primary key and unique constraints. */
  readonly keys: string[][]
  /** Column lists of all indexes, including indexes of keys. */
  readonly indexes: string[][]
}

const LONGEST_NAME = 128

/** The objects created so far by a script, against which later statements are checked. */
export class Catalogue {
  readonly #tables = new Map<string, CheckedTable>()
  readonly #names = new Set<string>()
  readonly #references: CheckedReference[] = []
  readonly #dialect: CheckedDialect

  constructor(dialect: CheckedDialect) {
    this.#dialect = dialect
  }

  addTable(name: string, columns: readonly CheckedColumn[]): string[] {
    const table = { name, columns: new Map<string, CheckedColumn>(), keys: [], indexes: [] }
    const problems = [...this.#nameProblems(name), ...(columns.length === 0 ? [`Table ${name} has no column.`] : [])]
    for (const column of columns) {
      problems.push(...this.#nameProblems(column.name))
      if (table.columns.has(this.#fold(column.name))) problems.push(`${name} has two columns ${column.name}.`)
      table.columns.set(this.#fold(column.name), column)
    }
    if (this.#tables.has(this.#fold(name))) return [...problems, `There is already a table ${name}.`]
    this.#tables.set(this.#fold(name), table)
    return [...problems, ...this.addName('table', name)]
  }

  /** SQL Server has one namespace for tables and constraints, Oracle two. */
  addName(kind: 'table' | 'constraint', name: string | undefined): string[] {
    if (name === undefined) return []
    const key = `${this.#dialect === 'mssql' ? 'object' : kind}/${this.#fold(name)}`
    const problems = this.#names.has(key) ? [`The name ${name} is used twice.`] : []
    this.#names.add(key)
    return [...problems, ...(kind === 'constraint' ? this.#nameProblems(name) : [])]
  }

  addKey(tableName: string, columns: readonly string[], primary: boolean): string[] {
    const table = this.#tables.get(this.#fold(tableName))
    if (table === undefined) return [`There is no table ${tableName}.`]
    const problems = this.#keyColumnProblems(table, columns)
    const folded = columns.map(name => this.#fold(name))
    if (this.#dialect === 'oracle' && table.keys.some(key => same(key, folded))) {
      problems.push(`${tableName} has a key on (${columns.join(', ')}) already (ORA-02261).`)
    }
    if (this.#dialect === 'mssql' && primary) {
      const nullableColumns = columns.filter(name => table.columns.get(this.#fold(name))?.nullable === true)
      problems.push(...nullableColumns.map(name => `The key column ${tableName}.${name} allows NULL (error 8111).`))
    }
    table.keys.push(folded)
    table.indexes.push(folded)
    return problems
  }

  /** `descending`: the columns in descending order, which make another list. */
  addIndex(name: string, tableName: string, columns: readonly string[], descending: readonly string[] = []): string[] {
    const table = this.#tables.get(this.#fold(tableName))
    if (table === undefined) return [`There is no table ${tableName}.`]
    const folded = columns.map(column => `${this.#fold(column)}${descending.includes(column) ? ' DESC' : ''}`)
    const key = this.#dialect === 'oracle' ? `index/${name}` : `index/${this.#fold(tableName)}/${this.#fold(name)}`
    const problems = [...this.#nameProblems(name), ...this.#keyColumnProblems(table, columns)]
    if (this.#names.has(key)) problems.push(`There is already an index ${name}.`)
    if (this.#dialect === 'oracle' && table.indexes.some(index => same(index, folded))) {
      problems.push(`${tableName} has an index on (${columns.join(', ')}) already (ORA-01408).`)
    }
    this.#names.add(key)
    table.indexes.push(folded)
    return problems
  }

  addReference(reference: CheckedReference): string[] {
    const from = this.#tables.get(this.#fold(reference.from))
    const to = this.#tables.get(this.#fold(reference.to))
    if (from === undefined) return [`There is no table ${reference.from}.`]
    if (to === undefined) return [`${reference.from} refers to ${reference.to}, which is not there.`]
    this.#references.push(reference)
    return [
      ...this.#pairProblems(from, to, reference),
      ...this.#actionProblems(from, reference),
      ...this.#cascadeProblems(reference),
    ]
  }

  has(table: string, column?: string): boolean {
    const match = this.#tables.get(this.#fold(table))
    return match !== undefined && (column === undefined || match.columns.has(this.#fold(column)))
  }

  #pairProblems(from: CheckedTable, to: CheckedTable, { columns, toColumns }: CheckedReference): string[] {
    const targets = toColumns.map(name => this.#fold(name))
    const unique = to.keys.some(key => key.length === targets.length && key.every(name => targets.includes(name)))
    const pairs = columns.map((name, at) => {
      const own = from.columns.get(this.#fold(name))
      const target = to.columns.get(targets[at] ?? '')
      if (own === undefined) return `${from.name} has no column ${name}.`
      if (target === undefined) return `${to.name} has no column ${toColumns[at] ?? `for ${name}`}.`
      if (this.#isSameType(own.type.text, target.type.text)) return ''
      return `${from.name}.${name} is ${own.type.text}, its target ${target.type.text}.`
    })
    return [...pairs, unique ? '' : `(${toColumns.join(', ')}) is no key of ${to.name}.`].filter(text => text !== '')
  }

  /** Oracle compares texts of any length. */
  #isSameType(own: string, target: string): boolean {
    const ofText = (type: string) => (this.#dialect === 'oracle' ? type.replace(/^(N?VARCHAR2)\(.*/, '$1') : type)
    return ofText(own) === ofText(target)
  }

  #actionProblems(from: CheckedTable, { columns, onDelete, onUpdate }: CheckedReference): string[] {
    const isOracle = this.#dialect === 'oracle'
    const allowed = isOracle ? ['Cascade', 'SetNull'] : ['Cascade', 'SetNull', 'SetDefault', 'NoAction']
    const events = { DELETE: onDelete, UPDATE: onUpdate }
    return Object.entries(events).flatMap(([event, action]) => {
      if (action === null) return []
      if (!allowed.includes(action) || (isOracle && event === 'UPDATE'))
        return [`ON ${event} ${action} does not exist.`]
      if (isOracle || action !== 'SetNull') return []
      return columns
        .filter(name => from.columns.get(this.#fold(name))?.nullable === false)
        .map(name => `ON ${event} SET NULL on ${from.name}.${name}, which is NOT NULL (error 1761).`)
    })
  }

  /** SQL Server rejects cascades with cycles or several paths (error 1785). */
  #cascadeProblems(added: CheckedReference): string[] {
    if (this.#dialect === 'oracle') return []
    const edges = this.#references.filter(({ onDelete, onUpdate }) =>
      [onDelete, onUpdate].some(action => action === 'Cascade' || action === 'SetNull'),
    )
    const roots = new Set(edges.map(({ to }) => this.#fold(to)))
    const twice = [...roots].some(root => this.#reachesTwice(root, edges))
    return twice && edges.includes(added)
      ? [`The foreign key of ${added.from} to ${added.to} may cause cycles or multiple cascade paths (error 1785).`]
      : []
  }

  #reachesTwice(root: string, edges: readonly CheckedReference[]): boolean {
    const reached = new Set([root])
    const queue = [root]
    for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
      for (const next of edges.filter(({ to }) => this.#fold(to) === table)) {
        const name = this.#fold(next.from)
        if (reached.has(name)) return true
        reached.add(name)
        queue.push(name)
      }
    }
    return false
  }

  #keyColumnProblems(table: CheckedTable, columns: readonly string[]): string[] {
    return columns.flatMap(name => {
      const column = table.columns.get(this.#fold(name))
      if (column === undefined) return [`${table.name} has no column ${name}.`]
      return column.type.indexable ? [] : [`${table.name}.${name} is ${column.type.text}: not for keys and indexes.`]
    })
  }

  #nameProblems(name: string): string[] {
    const length = this.#dialect === 'oracle' ? Buffer.byteLength(name) : name.length
    if (length === 0) return ['A name is empty.']
    return length > LONGEST_NAME ? [`The name ${name} is longer than ${LONGEST_NAME}.`] : []
  }

  #fold(name: string): string {
    return this.#dialect === 'mssql' ? name.toLowerCase() : name
  }
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}
