import type { PackageModel } from '@cadmus/model/api/package-model'
import { foldName } from '@cadmus/model/paths'
import { closureOfPackage } from './api-of.ts'
import { compileSchema } from './compiler.ts'
import type { Dialect } from './dialect.ts'
import { fitted } from './fitting.ts'
import { instanceDialects, type InstanceDialect } from './instance-dialects.ts'
import { historyOf, withCustomFields, withTenancy, type Addition, type HistoryColumn } from './instance-tables.ts'
import { tablesOf } from './tables.ts'
import type { Column, Note, Schema, Table } from './tree.ts'

/**
 * A package's tables in one database as the instance needs them. `statements` make them, without semicolons, in the order in which
 * they run on a database without these tables; `notes` are what the database has less or otherwise than the model.
 */
export type InstanceSchema = {
  readonly statements: readonly string[]
  /** By the entity's name. */
  readonly tables: ReadonlyMap<string, InstanceTable>
  /** What the statements make, as one tree: for comparing it with another version's. */
  readonly schema: Schema
  readonly notes: readonly Note[]
}

/** Where an entity's records are, in the database's own names. */
export type InstanceTable = {
  readonly name: string
  /** By the field's name. */
  readonly columns: ReadonlyMap<string, InstanceColumn>
  readonly tenant: InstanceColumn | null
  readonly customFields: InstanceColumn | null
  /** Foreign keys of others that must be emptied by statements before a record is deleted, since no constraint can. */
  readonly cleared: readonly { readonly entity: string; readonly field: string; readonly by: string }[]
  /** Foreign keys of others by which they go, or are emptied, with the record that `by` names. */
  readonly dependents: readonly InstanceDependent[]
  readonly history: InstanceHistory | null
}

export type InstanceDependent = {
  readonly entity: string
  readonly field: string
  readonly by: string
  readonly action: 'cascade' | 'setNull'
}

/** `default` is what the database has of it, which may be none. */
export type InstanceColumn = Pick<Column, 'name' | 'type' | 'default'>

/** Changes of an entity's records, in the order of `sequence`. */
export type InstanceHistory = {
  readonly name: string
  readonly columns: Readonly<Record<HistoryColumn, InstanceColumn>>
  readonly tenant: InstanceColumn | null
}

/** The tables of a package: of its model, and with what its service options add. Throws as `apiOf` does. */
export function instanceSchemaOf(model: PackageModel, dialectName: InstanceDialect): InstanceSchema {
  const { sqlConfiguration, serviceConfiguration } = model.configuration.configurationBuild
  const closure = closureOfPackage(model)
  const { schema: plain, notes } = tablesOf(closure, sqlConfiguration)
  const recorded = new Set(serviceConfiguration.applySot ? serviceConfiguration.sotEntities.map(foldName) : [])
  const custom = serviceConfiguration.applyCustomField ? plain.tables.map(withCustomFields) : plain.tables
  const { applyMultiTenancy: tenancy } = serviceConfiguration
  const { tables, cleared } = tenancy ? withTenancy(custom) : { tables: custom, cleared: [] }
  const taken = new Set(tables.map(({ name }) => foldName(name)))
  const histories = tables.flatMap(table =>
    recorded.has(foldName(table.name)) ? historyOf(table, tenancy, taken) : [],
  )
  const dialect = instanceDialects[dialectName]
  const fit = fitted(
    { name: plain.name, tables: [...tables, ...histories] },
    besideOwnTables(dialect),
    ownConstraints[dialectName],
  )
  const { preamble, tables: made, indexes, foreignKeys, comments } = compileSchema(fit.schema, dialect)
  const own = fit.schema.tables.slice(0, tables.length)
  const others = new Map(fit.schema.tables.slice(tables.length).map(table => [table.source.uid, table]))
  const dependents = dependentsOf(own)
  return {
    statements: [...preamble, ...made, ...indexes, ...foreignKeys, ...comments].map(({ text }) => text),
    tables: new Map(
      own.map((table, index) => [
        tables[index]?.name ?? '',
        {
          ...instanceTable(table, cleared, others.get(table.source.uid)),
          dependents: dependents.get(table.name) ?? [],
        },
      ]),
    ),
    schema: fit.schema,
    notes: [...notes, ...fit.notes],
  }
}

/** What the instance calls tables of its own no entity's table is called. */
function besideOwnTables(dialect: Dialect): Dialect {
  const { names } = dialect
  const isBadTable = (name: string) => ownTables.test(name) || names.isBadTable(name)
  return { ...dialect, names: { ...names, isBadTable } }
}

/**
 * The constraints of those, where a schema has no two constraints, or relations, of one name. Elsewhere nothing is in the way, and what
 * packages call theirs stays.
 */
const ownConstraints: Readonly<Record<InstanceDialect, readonly string[]>> = {
  postgresql: ['pk_cadmus_package'],
  oracle: ['pk_cadmus_package'],
  mssql: ['pk_cadmus_package'],
  mysql: [],
  hsql: [],
  sqlite: [],
}

/** The one that remembers packages, and those that stand aside while tables are changed. */
const ownTables = /^cadmus_(?:package$|aside_)/i

function instanceTable(
  table: Table,
  cleared: readonly { target: string; entity: string; field: string; by: string }[],
  history: Table | undefined,
): Omit<InstanceTable, 'dependents'> {
  return {
    name: table.name,
    columns: new Map(
      table.columns.flatMap(column => (isAdded(column) ? [] : [[column.source.name.trim(), column] as const])),
    ),
    tenant: added(table, 'tenant'),
    customFields: added(table, 'customFields'),
    cleared: cleared.filter(({ target }) => target === table.source.name),
    history: history ? instanceHistory(history) : null,
  }
}

/** By the name of the table that is referred to. A tenant stands before what else a foreign key has. */
function dependentsOf(tables: readonly Table[]): ReadonlyMap<string, readonly InstanceDependent[]> {
  const names = new Map(tables.map(table => [table.name, table]))
  const found = new Map<string, InstanceDependent[]>()
  for (const { source, foreignKeys } of tables) {
    for (const { references, columns, onDelete, source: field } of foreignKeys) {
      if (onDelete !== 'cascade' && onDelete !== 'setNull') continue
      const target = names.get(references.table)?.columns.find(({ name }) => name === references.columns.at(-1))
      if (!target || columns.length === 0) continue
      const dependent = {
        entity: source.name,
        field: field.name.trim(),
        by: target.source.name.trim(),
        action: onDelete,
      }
      found.set(references.table, [...(found.get(references.table) ?? []), dependent])
    }
  }
  return found
}

function instanceHistory(table: Table): InstanceHistory {
  const column = (name: HistoryColumn) => {
    const found = added(table, name)
    if (!found) throw new RangeError(`The history '${table.name.slice(0, 120)}' has no column for '${name}'.`)
    return found
  }
  return {
    name: table.name,
    columns: {
      sequence: column('sequence'),
      operation: column('operation'),
      recordKey: column('recordKey'),
      before: column('before'),
      after: column('after'),
      changedBy: column('changedBy'),
      changedAt: column('changedAt'),
    },
    tenant: added(table, 'tenant'),
  }
}

function added(table: Table, addition: Addition): InstanceColumn | null {
  return table.columns.find(({ source }) => source.uid === `added:${addition}`) ?? null
}

function isAdded({ source }: Column): boolean {
  return source.uid.startsWith('added:')
}
