import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import type { Column, ColumnSource, ColumnType, ForeignKey, Index, Key, Table } from './tree.ts'

export type HistoryColumn = 'sequence' | 'operation' | 'recordKey' | 'before' | 'after' | 'changedBy' | 'changedAt'

/** A column added by the instance; the uid of its source is `added:` followed by this. */
export type Addition = 'tenant' | 'customFields' | HistoryColumn

/** Whether a column is none of the model's. */
export function isAdded({ uid }: ColumnSource): boolean {
  return uid.startsWith('added:')
}

/** A foreign key that statements must empty before the record of `target` identified by `by` is deleted. */
type ClearedReference = {
  target: string
  entity: string
  field: string
  by: string
  further: { field: string; by: string }[]
}

export function withCustomFields(table: Table): Table {
  const column = addedColumn('customFields', freeName('custom_fields', table), { kind: 'json' }, true)
  return { ...table, columns: [...table.columns, column] }
}

/**
 * Adds the tenant to every row. Keys and foreign keys apply within a tenant, except generated keys, which are unique in
 * the whole table.
 */
export function withTenancy(tables: readonly Table[]): { tables: Table[]; cleared: ClearedReference[] } {
  const tenants = new Map(tables.map(table => [table.name, freeName('tenant_id', table)]))
  const generated = new Map(tables.map(table => [table.name, generatedKey(table)]))
  const isGenerated = ({ table, columns }: ForeignKey['references']) =>
    generated.get(table) !== null && columns.length === 1 && generated.get(table) === columns[0]
  const cleared = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.flatMap(({ columns, references, onDelete }) => {
      const [first, ...further] = columns.map((field, at) => ({ field, by: references.columns[at] ?? '' }))
      const isCleared = first && onDelete === 'setNull' && !isGenerated(references)
      return isCleared ? [{ target: references.table, entity: name, ...first, further }] : []
    }),
  )
  const withTenants = tables.map(table => {
    const tenant = addedColumn('tenant', tenants.get(table.name) ?? '', tenantType, false)
    const within = <T extends Key | Index>(key: T): T => ({
      ...key,
      columns: [tenant.name, ...key.columns],
      sources: [tenant.source, ...key.sources],
      ...('descending' in key && key.descending ? { descending: [false, ...key.descending] } : {}),
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
  return { tables: withTenants, cleared }
}

/** The history table of a recorded entity, with a name that no other table has. */
export function historyOf(table: Table, tenancy: boolean, usedNames: Set<string>): Table {
  let name = `${table.name}_history`
  while (usedNames.has(foldName(name))) name += '_'
  usedNames.add(foldName(name))
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

function freeName(preferred: string, { columns }: Table): string {
  const usedNames = new Set(columns.map(({ name }) => foldName(name)))
  let name = preferred
  while (usedNames.has(name)) name += '_'
  return name
}

function generatedKey({ columns }: Table): string | null {
  return columns.find(({ identity }) => identity)?.name ?? null
}

/** An index for lists of a tenant, ordered by key. */
function tenantIndex(table: Table, tenant: Column, key: Key | null): Index {
  return {
    name: `ix_${table.name}_${tenant.name}`,
    columns: [tenant.name, ...(key?.columns ?? [])],
    sources: [tenant.source, ...(key?.sources ?? [])],
    unique: false,
    onlyPresent: false,
  }
}

/**
 * A foreign key within a tenant. SET NULL would also empty the tenant column, so statements empty the reference
 * instead.
 */
function withinTenant(key: ForeignKey, tenant: string, other: string): ForeignKey {
  const { onUpdate, ...rest } = key
  return {
    ...rest,
    ...(onUpdate && onUpdate !== 'setNull' ? { onUpdate } : {}),
    columns: [tenant, ...key.columns],
    references: { table: key.references.table, columns: [other, ...key.references.columns] },
    onDelete: key.onDelete === 'setNull' ? 'noAction' : key.onDelete,
  }
}

/** The maximum length of a key as text: other types need no more than a UUID or a signed 64-bit integer. */
function keyLength({ primaryKey, columns }: Table): number {
  const key = columns.find(({ name }) => name === primaryKey?.columns[0])
  return key?.type.kind === 'varchar' ? key.type.length : 40
}
