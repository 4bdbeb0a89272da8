import { withAttributes } from '@cadmus/model/conditions/condition'
import { foldName } from '@cadmus/model/paths'
import { decodedName, modelNamesHeader } from '../script-names.ts'
import type { SqlTable } from './sql-model.ts'

/** The names of the model in the comments of a script whose options changed them. */
export class ModelNames {
  #isListing = false
  readonly #tables = new Map<string, string>()
  /** By the names of tables in the script. */
  readonly #columns = new Map<string, Map<string, string>>()
  /** Of groups and checks. */
  readonly #constraints = new Map<string, Map<string, string>>()

  comment(text: string): void {
    if (!this.#isListing) {
      this.#isListing = text === modelNamesHeader
      return
    }
    const [, table, dots, part, name] = /^([^.\s]+)(?:(\.\.?)([^.\s]+))? = (\S+)$/.exec(text) ?? []
    this.#isListing = table !== undefined && name !== undefined
    if (table === undefined || name === undefined) return
    this.#add(decodedName(table), { part, isConstraint: dots === '..' }, decodedName(name))
  }

  /** Names that tables or columns would then have twice stay as they are. */
  restored(tables: readonly SqlTable[]): SqlTable[] {
    if (this.#tables.size + this.#columns.size + this.#constraints.size === 0) return [...tables]
    const names = distinct(tables, this.#tables)
    const columnNames = tables.map(({ name, columns }) => distinct(columns, this.#columns.get(name)))
    const columnOf = (table: number, name: string) => columnNames[table]?.get(name) ?? name
    const constraintOf = (table: SqlTable, name: string) => this.#constraints.get(table.name)?.get(name) ?? name
    return tables.map((table, at) => ({
      ...table,
      name: names.get(table.name) ?? table.name,
      columns: table.columns.map(column => ({
        ...column,
        name: columnOf(at, column.name),
        reference: column.reference && {
          ...column.reference,
          column: columnOf(column.reference.table, column.reference.column),
          further: column.reference.further.map(pair => ({
            name: columnOf(at, pair.name),
            target: columnOf(column.reference?.table ?? -1, pair.target),
          })),
        },
      })),
      groups: table.groups.map(group => ({
        ...group,
        name: constraintOf(table, group.name),
        members: group.members.map(member => ({ ...member, name: columnOf(at, member.name) })),
      })),
      checks: table.checks.map(check => ({
        ...check,
        name: constraintOf(table, check.name),
        condition: withAttributes(check.condition, one => ({ ...one, name: columnOf(at, one.name) })),
      })),
    }))
  }

  #add(
    table: string | null,
    { part, isConstraint }: { part: string | undefined; isConstraint: boolean },
    name: string | null,
  ): void {
    if (table === null || name === null) return
    if (part === undefined) return void this.#tables.set(table, name)
    const all = isConstraint ? this.#constraints : this.#columns
    const parts = all.get(table) ?? new Map<string, string>()
    all.set(table, parts)
    parts.set(decodedName(part) ?? part, name)
  }
}

/** The new names by those in the script, as far as all names then differ. */
function distinct(
  items: readonly { name: string }[],
  names: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  if (!names) return new Map()
  const taken = new Set(items.filter(({ name }) => !names.has(name)).map(({ name }) => foldName(name)))
  const given = new Map<string, string>()
  for (const { name } of items) {
    const next = names.get(name)
    if (next === undefined || given.has(name)) continue
    if (!taken.has(foldName(next))) given.set(name, next)
    taken.add(foldName(given.get(name) ?? name))
  }
  return given
}
