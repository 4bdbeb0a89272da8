import type { Dialect } from './dialect.ts'
import type { NameGiver } from './names.ts'
import type { Column, Table } from './tree.ts'

/**
 * The sequence of a generated column and the check of a column's type get their names from the database: some that nothing has at
 * that moment. Where a table, key or index that is made later is to have the sequence's name, the column says another one; where a
 * constraint of the same table is to have the check's, the constraint gets another one. All others are as they were.
 */
export function withImpliedNames(tables: readonly Table[], dialect: Dialect, names: NameGiver): readonly Table[] {
  const { impliedName } = dialect
  if (impliedName === null) return tables
  const free = newFreeNames(impliedName)
  const wanted = new Set(tables.flatMap(table => [...madeWith(table), ...table.indexes.map(({ name }) => name)]))
  const relations = new Set<string>()
  const constraints = new Set<string>()
  const withSequence = (table: Table, column: Column): Column => {
    if (!column.identity) return column
    const chosen = free(table.name, column.name, 'seq', relations)
    const sequence = wanted.has(chosen) ? names.give(chosen, 'constraint') : chosen
    relations.add(sequence)
    return sequence === chosen ? column : { ...column, sequence }
  }
  return tables.map(table => {
    const columns = table.columns.map(column => withSequence(table, column))
    const checks = new Set<string>()
    for (const { name, type, unchecked = false } of columns) {
      if (unchecked || dialect.typeCheck(type, '') === null) continue
      const check = free(table.name, name, 'check', constraints)
      constraints.add(check)
      checks.add(check)
    }
    const made = withoutNames(checks, table, names)
    for (const name of madeWith(made)) relations.add(name)
    for (const { name } of [...made.uniques, ...made.checks]) constraints.add(name)
    return columns.some(({ sequence }) => sequence !== undefined) ? { ...made, columns } : made
  })
}

type FreeNames = (table: string, column: string, label: string, taken: ReadonlySet<string>) => string

/** What is taken stays so: of names that begin alike none is tried twice. */
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

/** What there is as soon as the table is made; each shares its name with no other, nor with a sequence. */
function madeWith({ name, primaryKey, uniques }: Table): string[] {
  return [name, ...(primaryKey ? [primaryKey.name] : []), ...uniques.map(unique => unique.name)]
}

/** The table whose constraints have other names than those. */
function withoutNames(taken: ReadonlySet<string>, table: Table, names: NameGiver): Table {
  const { uniques, checks, foreignKeys } = table
  if (![...uniques, ...checks, ...foreignKeys].some(({ name }) => taken.has(name))) return table
  const other = <T extends { name: string }>(one: T): T =>
    taken.has(one.name) ? { ...one, name: names.give(one.name, 'constraint') } : one
  return { ...table, uniques: uniques.map(other), checks: checks.map(other), foreignKeys: foreignKeys.map(other) }
}
