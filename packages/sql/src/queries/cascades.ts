import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import type { InstanceDependent } from '../instance-schema.ts'
import { statement, type Asked } from './context.ts'
import { fieldOf, type Field, type Place, type Places } from './fields.ts'
import type { BoundStatement, SqlRows } from './plan.ts'
import { padded, whole } from './reading.ts'
import { recordOf } from './records.ts'
import { columnOf, parameter, read, sorting, tenantCondition } from './selects.ts'
import { selecting } from './tree.ts'
import { readCompared } from './values.ts'

/** A record that goes or changes with another one. */
export type Affected = { readonly place: Place; readonly before: WireRecord; readonly after: WireRecord | null }

/** One query takes so many values. */
const mostValues = 1000

/**
 * The recorded records that the database itself deletes or empties with one, by its foreign keys: whoever tells of changes must know
 * them before. Nothing is read where no such record is recorded.
 */
export function* affectedBy(
  asked: Asked,
  root: Place,
  record: WireRecord,
): Generator<BoundStatement, readonly Affected[], SqlRows> {
  const gone = new Met()
  const changed = new Met()
  gone.add(root, record)
  let level = [{ place: root, records: [record] }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { place, records } of level) {
      for (const dependent of dependentsOf(place, place === root)) {
        const other = asked.places.of(dependent.entity)
        if (!leadsToHistory(asked.places, other, dependent)) continue
        const found = yield* readDependents(asked, place, records, dependent)
        const news = dependent.action === 'cascade' ? found.filter(one => gone.add(other, one)) : []
        if (news.length > 0) next.push({ place: other, records: news })
        if (dependent.action === 'setNull') for (const one of found) changed.change(other, one, dependent.field)
      }
    }
    level = next
  }
  return [
    ...gone.affected.slice(1),
    ...changed.affected.filter(({ place, before }) => !gone.has(place, before)),
  ].filter(({ place }) => place.table.history !== null)
}

/** Whether the deletion of a record is told to any history: its own, or one of those that go or are emptied with it. */
export function isRecorded(places: Places, place: Place): boolean {
  if (place.table.history) return true
  return dependentsOf(place, true).some(dependent => leadsToHistory(places, places.of(dependent.entity), dependent))
}

/** What statements empty is emptied for the record alone that is deleted, not for those that go with it. */
function dependentsOf({ table }: Place, isRoot: boolean): readonly InstanceDependent[] {
  const cleared = isRoot ? table.cleared.map(one => ({ ...one, action: 'setNull' }) as const) : []
  return [...table.dependents, ...cleared]
}

function leadsToHistory(places: Places, place: Place, { action }: InstanceDependent): boolean {
  if (action === 'setNull') return place.table.history !== null
  const reached = new Set([place])
  // New ones are added at the end while they are walked.
  for (const { table } of reached) {
    if (table.history) return true
    for (const dependent of table.dependents) {
      const other = places.of(dependent.entity)
      if (dependent.action === 'cascade') reached.add(other)
      else if (other.table.history) return true
    }
  }
  return false
}

function* readDependents(
  asked: Asked,
  place: Place,
  records: readonly WireRecord[],
  { entity, field: name, by }: InstanceDependent,
): Generator<BoundStatement, readonly WireRecord[], SqlRows> {
  const other = asked.places.of(entity)
  const field = fieldOf(other, name)
  const values = [...new Set(records.map(record => record[fieldOf(place, by).name] ?? null))].filter(
    value => value !== null,
  )
  const found: WireRecord[] = []
  for (let start = 0; start < values.length; start += mostValues) {
    found.push(...(yield* readAmong(asked, other, field, values.slice(start, start + mostValues))))
  }
  return found
}

function* readAmong(
  asked: Asked,
  other: Place,
  field: Field,
  values: readonly WireValue[],
): Generator<BoundStatement, readonly WireRecord[], SqlRows> {
  const { checker } = asked
  const slots = padded(values).map(value => checker.keep(readCompared(field, value)))
  const build = () =>
    selecting({
      columns: other.fields.map(one => read(one, 't0')),
      from: { table: other.table.name, alias: 't0' },
      where: [
        {
          kind: 'in',
          place: columnOf(field, 't0'),
          values: slots.map(slot => parameter(slot, field.column.type)),
        },
        ...tenantCondition(other, 't0'),
      ],
      orderBy: other.key ? [sorting(other.key, false, 't0')] : [],
      forUpdate: true,
    })
  const shape = `with ${other.index} ${field.index} ${slots[0]} ${slots.length}`
  const rows = yield statement(asked, shape, build, checker.values)
  return rows.map(row => recordOf(whole(other), row, false))
}

/** Records that were met on the way, each once; those without a key are told apart by nothing. */
class Met {
  readonly affected: Affected[] = []
  readonly #places = new Map<string, number>()

  has(place: Place, record: WireRecord): boolean {
    const name = nameOf(place, record)
    return name !== null && this.#places.has(name)
  }

  /** Whether it was not there before. */
  add(place: Place, before: WireRecord): boolean {
    if (this.has(place, before)) return false
    this.#note(place, before, null)
    return true
  }

  change(place: Place, before: WireRecord, field: string): void {
    const at = this.#places.get(nameOf(place, before) ?? '')
    const known = at === undefined ? undefined : this.affected[at]
    if (at === undefined || !known) this.#note(place, before, { ...before, [field]: null })
    else this.affected[at] = { ...known, after: { ...known.after, [field]: null } }
  }

  #note(place: Place, before: WireRecord, after: WireRecord | null): void {
    const name = nameOf(place, before)
    if (name !== null) this.#places.set(name, this.affected.length)
    this.affected.push({ place, before, after })
  }
}

function nameOf({ index, key }: Place, record: WireRecord): string | null {
  return key ? `${index} ${String(record[key.name])}` : null
}
