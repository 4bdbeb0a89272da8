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
  const missingEntity = missingReference(naive, entity, record, caller.tenant)
  if (missingEntity !== null) return fault('invalid', `'${missingEntity}' record not found.`)
  const values: Record<string, WireValue> = {}
  for (const field of entity.fields) {
    if (field.generated) values[field.name] = generatedKey
    else
      values[field.name] =
        field.name in record ? (record[field.name] ?? null) : wireOfDefault(field.type, field.columnDefault)
    if (values[field.name] === null && !field.nullable) return fault('invalid', invalid)
  }
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
  const missingEntity = missingReference(naive, entity, record, caller.tenant)
  if (missingEntity !== null) return fault('invalid', `'${missingEntity}' record not found.`)
  const before = recordOf(naive, entity, row, whole)
  const changes = Object.entries(record).filter(([name, value]) => {
    return !key.some(one => one.name === name) && !(naive.api.options.coalesce && value === null)
  })
  const values = { ...row.values, ...Object.fromEntries(changes) }
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
  const type = entity.fields.find(({ name }) => name === key.target)?.type ?? { kind: 'text' }
  const before = row.values[key.target] ?? null
  if (before === null || isSame(type, before, values[key.target] ?? null)) return false
  const others = entityOf(naive, key.from).rows.map(one => (one === row ? { ...row, values } : one))
  return others.some(one => one.tenant === row.tenant && isSame(type, one.values[key.field] ?? null, before))
}

/** The entity of the first missing record that is referred to. */
function missingReference(naive: Naive, entity: NaiveEntity, record: WireRecord, tenant: string | null): string | null {
  for (const { name, type, references } of entity.fields) {
    const value = record[name] ?? null
    if (!references || value === null) continue
    const others = entityOf(naive, references.entity).rows.filter(row => row.tenant === tenant)
    if (!others.some(({ values }) => isSame(type, values[references.field] ?? null, value))) return references.entity
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
    if (clears) cleared.set(other, [...(cleared.get(other) ?? []), foreign.field])
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
      .flatMap(key => {
        const type = entity.fields.find(({ name }) => name === key.target)?.type ?? { kind: 'text' }
        const value = target.values[key.target] ?? null
        return entityOf(naive, key.from)
          .rows.filter(row => row.tenant === target.tenant && isSame(type, row.values[key.field] ?? null, value))
          .map(row => ({ key, row, target }))
      }),
  )
}

function isGenerated(naive: Naive, { to, target }: NaiveKey): boolean {
  return entityOf(naive, to).fields.some(({ name, generated }) => name === target && generated)
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
