import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import type { Column, ColumnType, ForeignKey, Index, Key, Table } from './tree.ts'

export type HistoryColumn = 'sequence' | 'operation' | 'recordKey' | 'before' | 'after' | 'changedBy' | 'changedAt'

/** A column that the instance adds; its source's uid is `added:` with this. */
export type Addition = 'tenant' | 'customFields' | HistoryColumn

/** A foreign key that statements must empty before the record is deleted that `target`'s field `by` names. */
type Cleared = { target: string; entity: string; field: string; by: string }

export function withCustomFields(table: Table): Table {
  const column = addedColumn('customFields', freeName('custom_fields', table), { kind: 'json' }, true)
  return { ...table, columns: [...table.columns, column] }
}

/**
 * The tables with a tenant in every row. What is unique is so within a tenant, and refers to what is unique within the same one; a
 * generated key is nobody's choice and stays unique in the whole table.
 */
export function withTenancy(tables: readonly Table[]): { tables: Table[]; cleared: Cleared[] } {
  const tenants = new Map(tables.map(table => [table.name, freeName('tenant_id', table)]))
  const generated = new Map(tables.map(table => [table.name, generatedKey(table)]))
  const isGenerated = ({ table, columns }: ForeignKey['references']) =>
    generated.get(table) !== null && generated.get(table) === columns[0]
  const cleared = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.flatMap(({ columns: [field = ''], references, onDelete }) =>
      onDelete === 'setNull' && !isGenerated(references)
        ? [{ target: references.table, entity: name, field, by: references.columns[0] ?? '' }]
        : [],
    ),
  )
  const made = tables.map(table => {
    const tenant = addedColumn('tenant', tenants.get(table.name) ?? '', tenantType, false)
    const within = <T extends Key | Index>(key: T): T => ({
      ...key,
      columns: [tenant.name, ...key.columns],
      sources: [tenant.source, ...key.sources],
    })
    const { primaryKey } = table
    const isOwnKey = generated.get(table.name) !== null
    return {
      ...table,
      columns: [...table.columns, tenant],
      primaryKey: primaryKey && (isOwnKey ? primaryKey : within(primaryKey)),
      uniques: table.uniques.map(within),
      indexes: [...table.indexes.map(within), tenantIndex(table, tenant, isOwnKey ? primaryKey : null)],
      foreignKeys: table.foreignKeys.map(key =>
        isGenerated(key.references) ? key : withinTenant(key, tenant.name, tenants.get(key.references.table) ?? ''),
      ),
    }
  })
  return { tables: made, cleared }
}

/** The table of a recorded entity's changes, under a name that no other table has. */
export function historyOf(table: Table, tenancy: boolean, taken: Set<string>): Table {
  let name = `${table.name}_history`
  while (taken.has(foldName(name))) name += '_'
  taken.add(foldName(name))
  const sequence: Column = {
    ...addedColumn('sequence', 'sequence', { kind: 'integer', bits: 64 }, false),
    identity: true,
  }
  const recordKey = addedColumn('recordKey', 'record_key', { kind: 'varchar', length: keyLength(table) }, false)
  const tenant = tenancy ? [addedColumn('tenant', 'tenant_id', tenantType, false)] : []
  const keyed = [...tenant, recordKey]
  const index: Index = {
    name: `ix_${name}_record_key`,
    columns: keyed.map(column => column.name),
    sources: keyed.map(({ source }) => source),
    unique: false,
    onlyPresent: false,
  }
  return {
    name,
    comment: '',
    source: table.source,
    columns: [
      sequence,
      addedColumn('operation', 'operation', { kind: 'varchar', length: 10 }, false),
      recordKey,
      addedColumn('before', 'before', { kind: 'text' }, true),
      addedColumn('after', 'after', { kind: 'text' }, true),
      addedColumn('changedBy', 'changed_by', { kind: 'varchar', length: limits.keyedText }, false),
      addedColumn('changedAt', 'changed_at', { kind: 'timestamp' }, false),
      ...tenant,
    ],
    primaryKey: { name: `pk_${name}`, columns: [sequence.name], sources: [sequence.source] },
    uniques: [],
    checks: [],
    indexes: [index],
    foreignKeys: [],
  }
}

const tenantType: ColumnType = { kind: 'varchar', length: limits.tenant }

function addedColumn(addition: Addition, name: string, type: ColumnType, nullable: boolean): Column {
  const source = { kind: 'typeAttribute', uid: `added:${addition}`, name } as const
  return { name, type, nullable, default: null, identity: false, comment: '', source }
}

function freeName(wanted: string, { columns }: Table): string {
  const taken = new Set(columns.map(({ name }) => foldName(name)))
  let name = wanted
  while (taken.has(name)) name += '_'
  return name
}

function generatedKey({ columns }: Table): string | null {
  return columns.find(({ identity }) => identity)?.name ?? null
}

/** Lists of a tenant are found, and in the order of the key. */
function tenantIndex(table: Table, tenant: Column, key: Key | null): Index {
  return {
    name: `ix_${table.name}_${tenant.name}`,
    columns: [tenant.name, ...(key?.columns ?? [])],
    sources: [tenant.source, ...(key?.sources ?? [])],
    unique: false,
    onlyPresent: false,
  }
}

/** A key to what is unique within a tenant; that the tenant itself is not emptied, statements empty the rest before. */
function withinTenant(key: ForeignKey, tenant: string, other: string): ForeignKey {
  return {
    ...key,
    columns: [tenant, ...key.columns],
    references: { table: key.references.table, columns: [other, ...key.references.columns] },
    onDelete: key.onDelete === 'setNull' ? 'noAction' : key.onDelete,
  }
}

/** As a text, a key that is none takes no more than a UUID or a number of 64 bits with its sign. */
function keyLength({ primaryKey, columns }: Table): number {
  const key = columns.find(({ name }) => name === primaryKey?.columns[0])
  return key?.type.kind === 'varchar' ? key.type.length : 40
}
