import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { InstanceDependent } from '../instance-schema.ts'
import { type Query, statement, withOwnSlots } from './context.ts'
import { faults } from './faults.ts'
import { type EntityMapping, type EntityMappings, type Field, fieldOf } from './fields.ts'
import { recordChange } from './history.ts'
import { keyIn } from './keys.ts'
import { type BoundStatement, PlanFault, type SqlRows } from './plan.ts'
import { padToPowerOfTwo } from './reading.ts'
import { recordOf } from './records.ts'
import { columnOf, parameter, read, sorting, tenantCondition } from './selects.ts'
import { newSelect } from './tree.ts'
import { readCompared } from './values.ts'

/** A record that is deleted or changed together with another one. */
type Affected = {
  readonly mapping: EntityMapping
  /** The fields that identify the record, and those that others refer to; all fields of a record without a short key. */
  readonly record: WireRecord
  /** The fields set to null; null: the record is deleted. */
  readonly emptied: readonly string[] | null
}

type Work<T> = Generator<BoundStatement, T, SqlRows>

/** Maximum number of values per query. */
const maxValues = 1000

/**
 * Finds the records of recorded entities that the database itself deletes or empties through foreign keys, so that
 * their changes can be recorded. Reads nothing if no such record can exist. Throws a PlanFault for more than
 * `limits.cascade`, or for records without a short key larger than an answer, because all are held in memory.
 */
export function* affectedBy(query: Query, root: EntityMapping, record: WireRecord): Work<readonly Affected[]> {
  const deleted = new AffectedRecords()
  const changed = new AffectedRecords()
  deleted.add(root, record)
  const room = { left: limits.cascade, bytes: limits.databaseAnswer }
  let level = [{ mapping: root, records: [record] }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { mapping, records } of level) {
      for (const dependent of dependentsOf(mapping, mapping === root)) {
        const other = query.mappings.of(dependent.entity)
        if (!leadsToHistory(query.mappings, other, dependent)) continue
        const dependents = yield* readDependents(query, mapping, records, dependent, room)
        const added = dependent.action === 'cascade' ? dependents.filter(one => deleted.add(other, one)) : []
        if (added.length > 0) next.push({ mapping: other, records: added })
        const emptied = [dependent.field, ...dependent.further.map(({ field }) => field)]
        if (dependent.action === 'setNull')
          for (const one of dependents) for (const field of emptied) changed.empty(other, one, field)
      }
    }
    level = next
  }
  return [
    ...deleted.affected.slice(1),
    ...changed.affected.filter(({ mapping, record: one }) => !deleted.has(mapping, one)),
  ].filter(({ mapping }) => mapping.table.history !== null)
}

/** Records the changes of affected records, reading a few whole records at a time. */
export function* recordAffected(query: Query, affected: readonly Affected[]): Work<void> {
  for (const group of groupsOf(affected)) {
    const [{ mapping } = { mapping: null }] = group
    const key = mapping && shortKey(mapping)
    const whole = mapping && key ? yield* readWhole(query, mapping, key, group) : null
    for (const { mapping: other, record, emptied } of group) {
      const before = whole === null ? record : whole.get(nameOf(other, record) ?? '')
      // The records are locked, so none is missing.
      if (before === undefined) throw new RangeError('An affected record is missing.')
      const after = emptied && { ...before, ...Object.fromEntries(emptied.map(name => [name, null])) }
      yield* recordChange(query, other, { operation: after ? 'update' : 'delete', before, after })
    }
  }
}

/** Groups consecutive records of one entity that are not large together. */
function* groupsOf(affected: readonly Affected[]): Generator<readonly Affected[]> {
  let start = 0
  while (start < affected.length) {
    const mapping = affected[start]?.mapping
    if (!mapping) return
    const max = recordsAtOnce(mapping)
    let end = start + 1
    while (end < start + max && affected[end]?.mapping === mapping) end += 1
    yield affected.slice(start, end)
    start = end
  }
}

/** Records of unlimited fields are read one by one. */
function recordsAtOnce({ fields }: EntityMapping): number {
  let bytes = 0
  for (const { type, maxLength } of fields) {
    if (type.kind === 'json' || type.kind === 'binary') return 1
    bytes += type.kind === 'text' ? (maxLength ?? Infinity) : maxNumberLength
  }
  return Math.max(1, Math.min(Math.floor(limits.quickAnswer / bytes), maxValues))
}

/** Maximum characters of a value that is not text. */
const maxNumberLength = 100

function* readWhole(
  query: Query,
  mapping: EntityMapping,
  key: Field,
  group: readonly Affected[],
): Work<ReadonlyMap<string, WireRecord>> {
  const keys = group.map(({ record }) => record[key.name] ?? null)
  const records = yield* readAmong(query, mapping, key, keys, mapping.fields, keys.length)
  return new Map(records.map(record => [nameOf(mapping, record) ?? '', record]))
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
  { entity, field: name, by, further }: InstanceDependent,
  room: { left: number; bytes: number },
): Work<readonly WireRecord[]> {
  const other = query.mappings.of(entity)
  const field = fieldOf(other, name)
  const values = [...new Set(records.map(record => record[fieldOf(mapping, by).name] ?? null))].filter(
    value => value !== null,
  )
  const refers = referrersOf(records, mapping, other, [{ field: name, by }, ...further])
  const dependents: WireRecord[] = []
  for (let start = 0; start < values.length; start += maxValues) {
    const some = values.slice(start, start + maxValues)
    const fields = further.length === 0 ? linksOf(other) : other.fields
    const page = yield* readAmong(query, other, field, some, fields, room.left + 1)
    room.left -= page.length
    if (room.left < 0) throw new PlanFault('invalid', faults.cascade(limits.cascade))
    if (!shortKey(other)) for (const one of page) room.bytes -= JSON.stringify(one).length
    if (room.bytes < 0) throw new PlanFault('invalid', faults.cascadeBytes(limits.databaseAnswer))
    // Added one by one, as there may be more than a call accepts as arguments.
    for (const one of page) if (further.length === 0 || refers(one)) dependents.push(one)
  }
  return dependents
}

/** Whether a record refers to one of these by all columns of a foreign key. */
function referrersOf(
  records: readonly WireRecord[],
  mapping: EntityMapping,
  other: EntityMapping,
  pairs: InstanceDependent['further'],
): (record: WireRecord) => boolean {
  const tuple = (record: WireRecord, fields: readonly Field[]) =>
    JSON.stringify(fields.map(field => record[field.name] ?? null))
  const [fields, others] = [
    pairs.map(({ field }) => fieldOf(other, field)),
    pairs.map(({ by }) => fieldOf(mapping, by)),
  ]
  const tuples = new Set(records.map(record => tuple(record, others)))
  return record => tuples.has(tuple(record, fields))
}

/**
 * Returns the key and the fields to which records deleted with the record refer; records without a short key are read
 * whole.
 */
function linksOf(mapping: EntityMapping): readonly Field[] {
  const { fields, byName, table } = mapping
  const key = shortKey(mapping)
  if (!key) return fields
  const links = new Set([
    key.name,
    ...table.dependents.flatMap(({ by, further }) => [by, ...further.map(one => one.by)]),
  ])
  return [...links].map(name => byName.get(name)).filter(field => field !== undefined)
}

/** Reads and locks the records whose field has one of the values, at most `max` where a limited query can lock. */
function* readAmong(
  query: Query,
  other: EntityMapping,
  field: Field,
  values: readonly WireValue[],
  fields: readonly Field[],
  max: number,
): Work<readonly WireRecord[]> {
  const { checker } = withOwnSlots(query)
  const slots = padToPowerOfTwo(values).map(value => checker.addValue(readCompared(field, value)))
  const limit = query.dialect.locksPages ? checker.addValue({ kind: 'number', value: String(max) }) : null
  const build = () =>
    newSelect({
      columns: fields.map(one => read(one, 't0')),
      from: { table: other.table.name, alias: 't0' },
      where: [
        {
          kind: 'in',
          ref: columnOf(field, 't0'),
          values: slots.map(slot => parameter(slot, field.column.type)),
        },
        ...tenantCondition(other, 't0'),
      ],
      orderBy: (other.key.length > 0 ? other.key : [field]).map(one => sorting(one, false, 't0')),
      page: limit === null ? null : { limit: parameter(limit, { kind: 'integer', bits: 64 }), offset: null },
      forUpdate: true,
    })
  const shape = `with ${other.index} ${field.index} ${slots.length} ${fields === other.fields}`
  const rows = yield { ...statement(query, shape, build, checker.values), isInternal: true }
  const reading = { mapping: other, fields, relations: [], layout: null }
  return rows.map(row => recordOf(reading, row, false))
}

/** Affected records, each once. Records without a key cannot be identified. */
class AffectedRecords {
  readonly affected: Affected[] = []
  readonly #indexes = new Map<string, number>()

  has(mapping: EntityMapping, record: WireRecord): boolean {
    const name = nameOf(mapping, record)
    return name !== null && this.#indexes.has(name)
  }

  /** Returns false if the record is already known. */
  add(mapping: EntityMapping, record: WireRecord): boolean {
    if (this.has(mapping, record)) return false
    this.#push({ mapping, record, emptied: null })
    return true
  }

  empty(mapping: EntityMapping, record: WireRecord, field: string): void {
    const at = this.#indexes.get(nameOf(mapping, record) ?? '')
    const existing = at === undefined ? undefined : this.affected[at]
    if (at === undefined || !existing) this.#push({ mapping, record, emptied: [field] })
    else this.affected[at] = { ...existing, emptied: [...(existing.emptied ?? []), field] }
  }

  #push(affected: Affected): void {
    const name = nameOf(affected.mapping, affected.record)
    if (name !== null) this.#indexes.set(name, this.affected.length)
    this.affected.push(affected)
  }
}

function nameOf(mapping: EntityMapping, record: WireRecord): string | null {
  const values = keyIn(mapping, record)
  return values.length === 0 ? null : `${mapping.index} ${JSON.stringify(values.map(String))}`
}

/** A key by which many records can be read at once; not one of several fields. */
function shortKey({ key: [field, ...others] }: EntityMapping): Field | null {
  return field && others.length === 0 ? field : null
}
