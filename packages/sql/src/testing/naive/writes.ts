import type { Caller, Operation, OperationFault, WireKey, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { hasKey, missing, recordOf, type Outcome } from './reads.ts'
import { entityOf, isSame, type Naive, type NaiveEntity, type NaiveKey, type Row, wireOfDefault } from './state.ts'

const whole = { fields: null, relations: [] }
const duplicate = 'A record with these values already exists.'
const referenced = 'Other records refer to this one, or it refers to one that does not exist.'
const invalid = 'The database rejected one of the values.'

/** `generatedKey`: the key chosen by the database. Returns undefined if the outcome depends on the database. */
export function evaluateWrite(
  naive: Naive,
  operation: Operation & { kind: 'insert' | 'update' | 'delete' },
  caller: Caller,
  generatedKey: WireValue,
): Outcome | undefined {
  const entity = entityOf(naive, operation.entity)
  if (operation.kind === 'insert') return insert(naive, entity, operation.record, caller, generatedKey)
  if (operation.kind === 'update') return update(naive, entity, operation.record, caller)
  return remove(naive, entity, operation.key, caller)
}

function insert(
  naive: Naive,
  entity: NaiveEntity,
  record: WireRecord,
  caller: Caller,
  generatedKey: WireValue,
): Outcome {
  const values: Record<string, WireValue> = {}
  for (const field of entity.fields) {
    if (field.generated) values[field.name] = generatedKey
    else
      values[field.name] =
        field.name in record ? (record[field.name] ?? null) : wireOfDefault(field.type, field.columnDefault)
  }
  const missingParent = missingReference(naive, entity, null, values, caller.tenant)
  if (missingParent !== null) return fault('invalid', missingParent)
  if (entity.fields.some(({ name, nullable }) => values[name] === null && !nullable)) return fault('invalid', invalid)
  const row = { tenant: caller.tenant, values }
  if (violatesUnique(entity, row, null)) return fault('conflict', duplicate)
  entity.rows.push(row)
  const after = recordOf(naive, entity, row, whole)
  addHistory(entity, caller, 'insert', null, after)
  return { kind: 'record', record: after }
}

function update(naive: Naive, entity: NaiveEntity, record: WireRecord, caller: Caller): Outcome | undefined {
  const { key } = entity.api
  const row = entity.rows.find(one => one.tenant === caller.tenant && hasKey(entity, one, keyIn(entity, record)))
  if (!row) return missing(entity)
  const before = recordOf(naive, entity, row, whole)
  const changes = Object.entries(record).filter(([name, value]) => {
    return !key.some(one => one.name === name) && !(naive.api.options.coalesce && value === null)
  })
  const changed = Object.fromEntries(changes)
  const values = { ...row.values, ...changed }
  const missingParent = missingReference(naive, entity, changed, values, caller.tenant)
  if (missingParent !== null) return fault('invalid', missingParent)
  // A referenced value must not change.
  const isReferenced = naive.keys.some(one => isValueReferenced(naive, one, entity, row, values))
  const isDuplicate = violatesUnique(entity, { ...row, values }, row)
  // Databases check the two in different order; later reads verify that nothing changed.
  if (isDuplicate && isReferenced) return undefined
  if (isDuplicate) return fault('conflict', duplicate)
  if (isReferenced) return fault('conflict', referenced)
  row.values = values
  const after = recordOf(naive, entity, row, whole)
  if (changes.length > 0) addHistory(entity, caller, 'update', before, after)
  return { kind: 'record', record: after }
}

function isValueReferenced(naive: Naive, key: NaiveKey, entity: NaiveEntity, row: Row, values: Row['values']): boolean {
  if (key.to !== entity.api.name) return false
  const own = key.pairs.map(({ target }) => ({ field: target, target }))
  if (!isPaired(entity, { ...row, values: row.values }, own, row)) return false
  if (isPaired(entity, { ...row, values }, own, row)) return false
  const others = entityOf(naive, key.from).rows.map(one => (one === row ? { ...row, values } : one))
  return others.some(one => isPaired(entity, one, key.pairs, row))
}

/** Whether a row refers to a row of the entity by all fields. */
function isPaired(to: NaiveEntity, row: Row, pairs: NaiveKey['pairs'], target: Row): boolean {
  if (row.tenant !== target.tenant) return false
  return pairs.every(({ field, target: other }) => {
    const type = to.fields.find(({ name }) => name === other)?.type ?? { kind: 'text' }
    return isSame(type, row.values[field] ?? null, target.values[other] ?? null)
  })
}

/** The fault of the first missing record that is referred to. `changed`: the fields of the record that change; null: it is new. */
function missingReference(
  naive: Naive,
  entity: NaiveEntity,
  changed: WireRecord | null,
  values: WireRecord,
  tenant: string | null,
): string | null {
  return (
    missingOfField(naive, entity, changed ?? values, tenant) ?? missingOfFields(naive, entity, changed, values, tenant)
  )
}

function missingOfFields(
  naive: Naive,
  entity: NaiveEntity,
  changed: WireRecord | null,
  values: WireRecord,
  tenant: string | null,
): string | null {
  const row = { tenant, values: { ...values } }
  for (const { from, to, pairs } of naive.keys) {
    const isMeant = from === entity.api.name && pairs.length > 1
    if (!isMeant || pairs.some(({ field }) => (values[field] ?? null) === null)) continue
    if (changed && !pairs.some(({ field }) => field in changed)) continue
    const other = entityOf(naive, to)
    if (other === entity && isPaired(other, row, pairs, row)) continue
    if (other.rows.some(one => isPaired(other, row, pairs, one))) continue
    const names = pairs.map(({ field }) => field)
    return `'${to}' record not found: no record has this ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`
  }
  return null
}

/** The first missing record that a single field refers to. */
function missingOfField(naive: Naive, entity: NaiveEntity, record: WireRecord, tenant: string | null): string | null {
  for (const { name, type, references } of entity.fields) {
    const value = record[name] ?? null
    if (!references || value === null) continue
    const others = entityOf(naive, references.entity).rows.filter(row => row.tenant === tenant)
    if (!others.some(({ values }) => isSame(type, values[references.field] ?? null, value)))
      return `'${references.entity}' record not found.`
  }
  return null
}

/** Whether a unique constraint would be violated. Generated keys are never given. */
function violatesUnique(entity: NaiveEntity, row: Row, self: Row | null): boolean {
  const others = entity.rows.filter(one => one !== self && one.tenant === row.tenant)
  return entity.uniques.some(names =>
    others.some(other =>
      names.every(name => {
        const type = entity.fields.find(field => field.name === name)?.type ?? { kind: 'text' }
        return isSame(type, other.values[name] ?? null, row.values[name] ?? null)
      }),
    ),
  )
}

function remove(naive: Naive, entity: NaiveEntity, key: WireKey, caller: Caller): Outcome | undefined {
  const row = entity.rows.find(one => one.tenant === caller.tenant && hasKey(entity, one, key))
  if (!row) return missing(entity)
  const before = recordOf(naive, entity, row, whole)
  const deleted = deletedWith(naive, entity, row)
  const cleared = new Map<Row, string[]>()
  let refused = false
  for (const { key: foreign, row: other, target } of references(naive, deleted)) {
    if (foreign.onDelete === 'cascade') continue
    const isDeleted = deleted.has(other)
    const clears =
      foreign.onDelete === 'setNull' && (!naive.api.options.tenancy || isGenerated(naive, foreign) || target === row)
    if (clears) cleared.set(other, [...(cleared.get(other) ?? []), ...foreign.pairs.map(({ field }) => field)])
    // Databases check constraints before or after deleting dependent records.
    else if (isDeleted) return undefined
    else refused = true
  }
  if ([...cleared.keys()].some(other => deleted.has(other) && other !== row)) return undefined
  if (refused) return fault('conflict', referenced)
  addHistory(entity, caller, 'delete', before, null)
  for (const [other, of] of deleted)
    if (other !== row) addHistory(of, caller, 'delete', recordOf(naive, of, other, whole), null)
  for (const [other, names] of cleared) {
    const of = [...naive.entities.values()].find(({ rows }) => rows.includes(other)) ?? entity
    const previous = recordOf(naive, of, other, whole)
    for (const name of names) other.values = { ...other.values, [name]: null }
    if (!deleted.has(other)) addHistory(of, caller, 'update', previous, recordOf(naive, of, other, whole))
  }
  for (const one of naive.entities.values())
    one.rows.splice(0, Infinity, ...one.rows.filter(other => !deleted.has(other)))
  return { kind: 'done' }
}

function deletedWith(naive: Naive, entity: NaiveEntity, row: Row): ReadonlyMap<Row, NaiveEntity> {
  const deleted = new Map([[row, entity]])
  // The map grows during the iteration.
  for (const [one, of] of deleted) {
    for (const { key, row: other } of references(naive, new Map([[one, of]]))) {
      if (key.onDelete === 'cascade') deleted.set(other, entityOf(naive, key.from))
    }
  }
  return deleted
}

function references(naive: Naive, to: ReadonlyMap<Row, NaiveEntity>): { key: NaiveKey; row: Row; target: Row }[] {
  return [...to].flatMap(([target, entity]) =>
    naive.keys
      .filter(key => key.to === entity.api.name)
      .flatMap(key =>
        entityOf(naive, key.from)
          .rows.filter(row => isPaired(entity, row, key.pairs, target))
          .map(row => ({ key, row, target })),
      ),
  )
}

function isGenerated(naive: Naive, { to, pairs }: NaiveKey): boolean {
  const [first, ...others] = pairs
  if (others.length > 0) return false
  return entityOf(naive, to).fields.some(({ name, generated }) => name === first?.target && generated)
}

function addHistory(
  entity: NaiveEntity,
  { name, tenant }: Caller,
  operation: string,
  before: WireRecord | null,
  after: WireRecord | null,
): void {
  if (!entity.api.history) return
  entity.history.push({ operation, tenant, key: keyIn(entity, after ?? before ?? {}), before, after, by: name })
}

function keyIn({ api }: NaiveEntity, record: WireRecord): WireKey {
  return api.key.map(({ name }) => record[name] ?? null)
}

function fault(kind: OperationFault['kind'], message: string): Outcome {
  return { fault: { kind, message } }
}
