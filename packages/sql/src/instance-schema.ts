import type { PackageModel } from '@cadmus/model/api/package-model'
import { foldName } from '@cadmus/model/paths'
import { resolvePackage } from './api-of.ts'
import { compileSchema } from './compiler.ts'
import type { Dialect } from './dialect.ts'
import { adaptSchema } from './adapt-schema.ts'
import { databases, type RunDatabase } from './databases.ts'
import {
  type Addition,
  historyOf,
  type HistoryColumn,
  isAdded,
  withCustomFields,
  withTenancy,
} from './instance-tables.ts'
import { tablesOf } from './tables.ts'
import type { Column, ForeignKey, Note, Schema, Table } from './tree.ts'

/**
 * The tables of a package in one database. `statements` create them, without semicolons and in order, on a database
 * that has none of them; `notes` are differences from the model.
 */
export type InstanceSchema = {
  readonly statements: readonly string[]
  /** Tables by entity name. */
  readonly tables: ReadonlyMap<string, InstanceTable>
  /** The schema that the statements create, for comparison with another version. */
  readonly schema: Schema
  readonly notes: readonly Note[]
}

/** The table of an entity, with names of the database. */
export type InstanceTable = {
  readonly name: string
  /** Columns by field name. */
  readonly columns: ReadonlyMap<string, InstanceColumn>
  readonly tenant: InstanceColumn | null
  readonly customFields: InstanceColumn | null
  /** Foreign keys of other entities that statements must empty before a record is deleted, as no constraint can. */
  readonly cleared: readonly Omit<InstanceDependent, 'action'>[]
  /** Foreign keys of other entities that cascade or are set to null when the record identified by `by` is deleted. */
  readonly dependents: readonly InstanceDependent[]
  readonly history: InstanceHistory | null
}

/** A column of a foreign key, and the field of the target that it refers to. */
type InstancePair = { readonly field: string; readonly by: string }

export type InstanceDependent = {
  readonly entity: string
  readonly field: string
  readonly by: string
  /** Further columns of the foreign key, if it has several. */
  readonly further: readonly InstancePair[]
  readonly action: 'cascade' | 'setNull'
}

/** `default` is the default in the database, which may lack the default of the model. */
export type InstanceColumn = Pick<Column, 'name' | 'type' | 'default'>

/** The table of an entity's recorded changes, ordered by `sequence`. */
export type InstanceHistory = {
  readonly name: string
  readonly columns: Readonly<Record<HistoryColumn, InstanceColumn>>
  readonly tenant: InstanceColumn | null
}

/** The tables of a package, including those added by service options. Throws the errors of `apiOf`. */
export function instanceSchemaOf(model: PackageModel, database: RunDatabase): InstanceSchema {
  const { sqlConfiguration, serviceConfiguration } = model.configuration.configurationBuild
  const resolvedModel = resolvePackage(model)
  const { schema: plain, notes } = tablesOf(resolvedModel, sqlConfiguration)
  const recorded = new Set(serviceConfiguration.applySot ? serviceConfiguration.sotEntities.map(foldName) : [])
  const custom = serviceConfiguration.applyCustomField ? plain.tables.map(withCustomFields) : plain.tables
  const { applyMultiTenancy: tenancy } = serviceConfiguration
  const { tables, cleared } = tenancy ? withTenancy(custom) : { tables: custom, cleared: [] }
  const usedNames = new Set(tables.map(({ name }) => foldName(name)))
  const histories = tables.flatMap(table =>
    recorded.has(foldName(table.name)) ? historyOf(table, tenancy, usedNames) : [],
  )
  const { dialect, sharesConstraintNames } = databases[database].run
  const fit = adaptSchema(
    { name: plain.name, tables: [...tables, ...histories] },
    { ...reserveOwnTables(dialect), sharesPairLengths: sharingPairLengths.has(database) },
    sharesConstraintNames ? ownConstraints : [],
  )
  const { preamble, tables: tableStatements, indexes, foreignKeys, comments } = compileSchema(fit.schema, dialect)
  const own = fit.schema.tables.slice(0, tables.length)
  const others = new Map(fit.schema.tables.slice(tables.length).map(table => [table.source.uid, table]))
  const names = new Map(own.map(table => [table.name, table]))
  const dependents = dependentsOf(own, names)
  return {
    statements: [...preamble, ...tableStatements, ...indexes, ...foreignKeys, ...comments],
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

/** Where tables with other lengths were refused. Elsewhere those of former versions have them. */
const sharingPairLengths: ReadonlySet<RunDatabase> = new Set(['mysql', 'mssql'])

/** Reserves the names of the instance's own tables, which constraints and indexes of some databases share. */
function reserveOwnTables(dialect: Dialect): Dialect {
  const { names } = dialect
  const isReservedTable = (name: string) => ownTables.test(name) || names.isReservedTable(name)
  const isReservedConstraint = (name: string) => ownTables.test(name) || names.isReservedConstraint(name)
  return { ...dialect, names: { ...names, isReservedTable, isReservedConstraint } }
}

/** Reserved only where necessary, so that existing names elsewhere do not change. */
const ownConstraints = ['pk_cadmus_package']

/** The instance's table of packages, and temporary tables of alterations. */
const ownTables = /^cadmus_(?:package$|aside_)/i

function instanceTable(
  table: Table,
  cleared: readonly (InstanceTable['cleared'][number] & { target: string })[],
  history: Table | undefined,
): Omit<InstanceTable, 'dependents'> {
  return {
    name: table.name,
    columns: new Map(
      table.columns.flatMap(column => (isAdded(column.source) ? [] : [[column.source.name.trim(), column] as const])),
    ),
    tenant: added(table, 'tenant'),
    customFields: added(table, 'customFields'),
    cleared: cleared.filter(({ target }) => target === table.source.name),
    history: history ? instanceHistory(history) : null,
  }
}

function pairsOf(
  { columns, references }: Pick<ForeignKey, 'columns' | 'references'>,
  own: readonly Column[],
  others: readonly Column[],
): InstancePair[] {
  return columns.flatMap((name, at) => {
    const one = own.find(column => column.name === name)
    const other = others.find(column => column.name === references.columns[at])
    if (!one || !other || isAdded(one.source)) return []
    return [{ field: one.source.name.trim(), by: other.source.name.trim() }]
  })
}

/** By the name of the referenced table. With tenancy, the tenant column precedes all other columns of a foreign key. */
function dependentsOf(
  tables: readonly Table[],
  names: ReadonlyMap<string, Table>,
): ReadonlyMap<string, readonly InstanceDependent[]> {
  const dependents = new Map<string, InstanceDependent[]>()
  for (const { source, columns: own, foreignKeys } of tables) {
    for (const { references, columns, onDelete, source: field } of foreignKeys) {
      if (onDelete !== 'cascade' && onDelete !== 'setNull') continue
      const others = names.get(references.table)?.columns ?? []
      const pairs = pairsOf({ columns, references }, own, others)
      const main = pairs.find(pair => pair.field === field.name.trim())
      if (!main) continue
      const further = pairs.filter(pair => pair !== main)
      const dependent = { entity: source.name, ...main, further, action: onDelete }
      dependents.set(references.table, [...(dependents.get(references.table) ?? []), dependent])
    }
  }
  return dependents
}

function instanceHistory(table: Table): InstanceHistory {
  const column = (name: HistoryColumn) => {
    const dependents = added(table, name)
    if (!dependents) throw new RangeError(`The history '${table.name.slice(0, 120)}' has no column for '${name}'.`)
    return dependents
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
