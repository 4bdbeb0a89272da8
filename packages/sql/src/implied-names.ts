import type { Dialect } from './dialect.ts'
import type { NameGiver } from './names.ts'
import type { Column, Table } from './tree.ts'

/**
 * The database chooses names for the sequence of a generated column and for type checks. If such a name would conflict
 * with a table, key or index, the sequence gets an explicit name; if a check's name would conflict with a constraint of
 * its table, that constraint is renamed.
 */
export function withImpliedNames(tables: readonly Table[], dialect: Dialect, names: NameGiver): readonly Table[] {
  const { impliedName } = dialect
  if (impliedName === null) return tables
  const nextFree = newFreeNames(impliedName)
  const declared = new Set(tables.flatMap(table => [...createdNames(table), ...table.indexes.map(({ name }) => name)]))
  const relations = new Set<string>()
  const constraints = new Set<string>()
  const withSequence = (table: Table, column: Column): Column => {
    if (!column.identity) return column
    const implied = nextFree(table.name, column.name, 'seq', relations)
    const sequence = declared.has(implied) ? names.give(implied, 'constraint') : implied
    relations.add(sequence)
    return sequence === implied ? column : { ...column, sequence }
  }
  return tables.map(table => {
    const columns = table.columns.map(column => withSequence(table, column))
    const checks = new Set<string>()
    for (const { name, type, unchecked = false } of columns) {
      if (unchecked || dialect.typeCheck(type, '') === null) continue
      const check = nextFree(table.name, name, 'check', constraints)
      constraints.add(check)
      checks.add(check)
    }
    const renamed = withoutNames(checks, table, names)
    for (const name of createdNames(renamed)) relations.add(name)
    for (const { name } of [...renamed.uniques, ...renamed.checks]) constraints.add(name)
    return columns.some(({ sequence }) => sequence !== undefined) ? { ...renamed, columns } : renamed
  })
}

type FreeNames = (table: string, column: string, label: string, taken: ReadonlySet<string>) => string

/** Names are never released, so attempts continue after the last one for the same prefix. */
function newFreeNames(impliedName: NonNullable<Dialect['impliedName']>): FreeNames {
  const attempts = new Map<string, number>()
  return (table, column, label, taken) => {
    const first = impliedName(table, column, label)
    let attempt = attempts.get(first) ?? 0
    let name = attempt === 0 ? first : impliedName(table, column, `${label}${attempt}`)
    while (taken.has(name)) {
      attempt += 1
      name = impliedName(table, column, `${label}${attempt}`)
    }
    attempts.set(first, attempt)
    return name
  }
}

/** Names that exist as soon as the table is created; they share a namespace with sequences. */
function createdNames({ name, primaryKey, uniques }: Table): string[] {
  return [name, ...(primaryKey ? [primaryKey.name] : []), ...uniques.map(unique => unique.name)]
}

/** Renames constraints of the table that use one of the names. */
function withoutNames(taken: ReadonlySet<string>, table: Table, names: NameGiver): Table {
  const { uniques, checks, foreignKeys } = table
  if (![...uniques, ...checks, ...foreignKeys].some(({ name }) => taken.has(name))) return table
  const other = <T extends { name: string }>(one: T): T =>
    taken.has(one.name) ? { ...one, name: names.give(one.name, 'constraint') } : one
  return { ...table, uniques: uniques.map(other), checks: checks.map(other), foreignKeys: foreignKeys.map(other) }
}
