import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import type { InstanceDependent } from '../instance-schema.ts'
import { statement, type Query } from './context.ts'
import { fieldOf, type Field, type EntityMapping, type EntityMappings } from './fields.ts'
import type { BoundStatement, SqlRows } from './plan.ts'
import { padToPowerOfTwo, allFields } from './reading.ts'
import { recordOf } from './records.ts'
import { columnOf, parameter, read, sorting, tenantCondition } from './selects.ts'
import { newSelect } from './tree.ts'
import { readCompared } from './values.ts'

/** A record that is deleted (`after` is null) or changed together with another one. */
export type Affected = {
  readonly mapping: EntityMapping
  readonly before: WireRecord
  readonly after: WireRecord | null
}

/** Maximum number of values per query. */
const maxValues = 1000

/**
 * Reads the records of recorded entities that the database itself deletes or empties through foreign keys, so that
 * their changes can be recorded. Reads nothing if no such record can exist.
 */
export function* affectedBy(
  query: Query,
  root: EntityMapping,
  record: WireRecord,
): Generator<BoundStatement, readonly Affected[], SqlRows> {
  const deleted = new AffectedRecords()
  const changed = new AffectedRecords()
  deleted.add(root, record)
  let level = [{ mapping: root, records: [record] }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { mapping, records } of level) {
      for (const dependent of dependentsOf(mapping, mapping === root)) {
        const other = query.mappings.of(dependent.entity)
        if (!leadsToHistory(query.mappings, other, dependent)) continue
        const dependents = yield* readDependents(query, mapping, records, dependent)
        const added = dependent.action === 'cascade' ? dependents.filter(one => deleted.add(other, one)) : []
        if (added.length > 0) next.push({ mapping: other, records: added })
        if (dependent.action === 'setNull') for (const one of dependents) changed.change(other, one, dependent.field)
      }
    }
    level = next
  }
  return [
    ...deleted.affected.slice(1),
    ...changed.affected.filter(({ mapping, before }) => !deleted.has(mapping, before)),
  ].filter(({ mapping }) => mapping.table.history !== null)
}

/**
 * Whether deleting a record adds to any history: its own history, or the history of records deleted or emptied with it.
 */
export function isRecorded(mappings: EntityMappings, mapping: EntityMapping): boolean {
  if (mapping.table.history) return true
  return dependentsOf(mapping, true).some(dependent =>
    leadsToHistory(mappings, mappings.of(dependent.entity), dependent),
  )
}

/** Statements, unlike constraints, empty references only to the deleted record itself, not to those deleted with it. */
function dependentsOf({ table }: EntityMapping, isRoot: boolean): readonly InstanceDependent[] {
  const cleared = isRoot ? table.cleared.map(one => ({ ...one, action: 'setNull' }) as const) : []
  return [...table.dependents, ...cleared]
}

function leadsToHistory(mappings: EntityMappings, mapping: EntityMapping, { action }: InstanceDependent): boolean {
  if (action === 'setNull') return mapping.table.history !== null
  const reached = new Set([mapping])
  // The set grows during the iteration.
  for (const { table } of reached) {
    if (table.history) return true
    for (const dependent of table.dependents) {
      const other = mappings.of(dependent.entity)
      if (dependent.action === 'cascade') reached.add(other)
      else if (other.table.history) return true
    }
  }
  return false
}

function* readDependents(
  query: Query,
  mapping: EntityMapping,
  records: readonly WireRecord[],
  { entity, field: name, by }: InstanceDependent,
): Generator<BoundStatement, readonly WireRecord[], SqlRows> {
  const other = query.mappings.of(entity)
  const field = fieldOf(other, name)
  const values = [...new Set(records.map(record => record[fieldOf(mapping, by).name] ?? null))].filter(
    value => value !== null,
  )
  const dependents: WireRecord[] = []
  for (let start = 0; start < values.length; start += maxValues) {
    dependents.push(...(yield* readAmong(query, other, field, values.slice(start, start + maxValues))))
  }
  return dependents
}

function* readAmong(
  query: Query,
  other: EntityMapping,
  field: Field,
  values: readonly WireValue[],
): Generator<BoundStatement, readonly WireRecord[], SqlRows> {
  const { checker } = query
  const slots = padToPowerOfTwo(values).map(value => checker.addValue(readCompared(field, value)))
  const build = () =>
    newSelect({
      columns: other.fields.map(one => read(one, 't0')),
      from: { table: other.table.name, alias: 't0' },
      where: [
        {
          kind: 'in',
          ref: columnOf(field, 't0'),
          values: slots.map(slot => parameter(slot, field.column.type)),
        },
        ...tenantCondition(other, 't0'),
      ],
      orderBy: other.key ? [sorting(other.key, false, 't0')] : [],
      forUpdate: true,
    })
  const shape = `with ${other.index} ${field.index} ${slots[0]} ${slots.length}`
  const rows = yield statement(query, shape, build, checker.values)
  return rows.map(row => recordOf(allFields(other), row, false))
}

/** Affected records, each once. Records without a key cannot be identified. */
class AffectedRecords {
  readonly affected: Affected[] = []
  readonly #mappings = new Map<string, number>()

  has(mapping: EntityMapping, record: WireRecord): boolean {
    const name = nameOf(mapping, record)
    return name !== null && this.#mappings.has(name)
  }

  /** Returns false if the record is already known. */
  add(mapping: EntityMapping, before: WireRecord): boolean {
    if (this.has(mapping, before)) return false
    this.#push(mapping, before, null)
    return true
  }

  change(mapping: EntityMapping, before: WireRecord, field: string): void {
    const at = this.#mappings.get(nameOf(mapping, before) ?? '')
    const existing = at === undefined ? undefined : this.affected[at]
    if (at === undefined || !existing) this.#push(mapping, before, { ...before, [field]: null })
    else this.affected[at] = { ...existing, after: { ...existing.after, [field]: null } }
  }

  #push(mapping: EntityMapping, before: WireRecord, after: WireRecord | null): void {
    const name = nameOf(mapping, before)
    if (name !== null) this.#mappings.set(name, this.affected.length)
    this.affected.push({ mapping, before, after })
  }
}

function nameOf({ index, key }: EntityMapping, record: WireRecord): string | null {
  return key ? `${index} ${String(record[key.name])}` : null
}
