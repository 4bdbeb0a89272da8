import type { Caller, Operation, OperationFault, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { hasKey, missing, recordOf, type Outcome } from './reads.ts'
import { entityOf, isSame, type Naive, type NaiveEntity, type NaiveKey, type Row, wireOfDefault } from './state.ts'

const whole = { fields: null, relations: [] }
const taken = 'A record with these values already exists.'
const referred = 'Other records refer to this one, or it refers to one that does not exist.'
const unfit = 'The database rejected one of the values.'

/** `made`: the key that the database generated, which nobody can foretell. Undefined where the outcome depends on the database. */
export function evaluateWrite(
  naive: Naive,
  operation: Operation & { kind: 'insert' | 'update' | 'delete' },
  caller: Caller,
  made: WireValue,
): Outcome | undefined {
  const entity = entityOf(naive, operation.entity)
  if (operation.kind === 'insert') return insert(naive, entity, operation.record, caller, made)
  if (operation.kind === 'update') return update(naive, entity, operation.record, caller)
  return remove(naive, entity, operation.key, caller)
}

function insert(naive: Naive, entity: NaiveEntity, record: WireRecord, caller: Caller, made: WireValue): Outcome {
  const lost = lostReference(naive, entity, record, caller.tenant)
  if (lost !== null) return fault('invalid', `'${lost}' record not found.`)
  const values: Record<string, WireValue> = {}
  for (const field of entity.fields) {
    if (field.generated) values[field.name] = made
    else
      values[field.name] =
        field.name in record ? (record[field.name] ?? null) : wireOfDefault(field.type, field.columnDefault)
    if (values[field.name] === null && !field.nullable) return fault('invalid', unfit)
  }
  const row = { tenant: caller.tenant, values }
  if (collides(entity, row, null)) return fault('conflict', taken)
  entity.rows.push(row)
  const after = recordOf(naive, entity, row, whole)
  note(entity, caller, 'insert', null, after)
  return { kind: 'record', record: after }
}

function update(naive: Naive, entity: NaiveEntity, record: WireRecord, caller: Caller): Outcome | undefined {
  const { key } = entity.api
  const row = entity.rows.find(
    one => one.tenant === caller.tenant && hasKey(entity, one, (key && record[key.name]) ?? null),
  )
  if (!row) return missing(entity)
  const lost = lostReference(naive, entity, record, caller.tenant)
  if (lost !== null) return fault('invalid', `'${lost}' record not found.`)
  const before = recordOf(naive, entity, row, whole)
  const given = Object.entries(record).filter(([name, value]) => {
    return name !== key?.name && !(naive.api.options.coalesce && value === null)
  })
  const values = { ...row.values, ...Object.fromEntries(given) }
  // What others refer to is not changed under them.
  const isReferred = naive.keys.some(one => isHeld(naive, one, entity, row, values))
  const isTaken = collides(entity, { ...row, values }, row)
  // Which of the two a database looks at first is its own affair; that nothing is changed is seen by who reads next.
  if (isTaken && isReferred) return undefined
  if (isTaken) return fault('conflict', taken)
  if (isReferred) return fault('conflict', referred)
  row.values = values
  const after = recordOf(naive, entity, row, whole)
  if (given.length > 0) note(entity, caller, 'update', before, after)
  return { kind: 'record', record: after }
}

function isHeld(naive: Naive, key: NaiveKey, entity: NaiveEntity, row: Row, values: Row['values']): boolean {
  if (key.to !== entity.api.name) return false
  const type = entity.fields.find(({ name }) => name === key.target)?.type ?? { kind: 'text' }
  const before = row.values[key.target] ?? null
  if (before === null || isSame(type, before, values[key.target] ?? null)) return false
  const others = entityOf(naive, key.from).rows.map(one => (one === row ? { ...row, values } : one))
  return others.some(one => one.tenant === row.tenant && isSame(type, one.values[key.field] ?? null, before))
}

/** The entity of the first record that is referred to and not there. */
function lostReference(naive: Naive, entity: NaiveEntity, record: WireRecord, tenant: string | null): string | null {
  for (const { name, type, references } of entity.fields) {
    const value = record[name] ?? null
    if (!references || value === null) continue
    const others = entityOf(naive, references.entity).rows.filter(row => row.tenant === tenant)
    if (!others.some(({ values }) => isSame(type, values[references.field] ?? null, value))) return references.entity
  }
  return null
}

/** A generated key is unique among all tenants, and never given. */
function collides(entity: NaiveEntity, row: Row, self: Row | null): boolean {
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

function remove(naive: Naive, entity: NaiveEntity, key: WireValue, caller: Caller): Outcome | undefined {
  const row = entity.rows.find(one => one.tenant === caller.tenant && hasKey(entity, one, key))
  if (!row) return missing(entity)
  const before = recordOf(naive, entity, row, whole)
  const gone = goneWith(naive, entity, row)
  const cleared = new Map<Row, string[]>()
  let refused = false
  for (const { key: foreign, row: other, target } of references(naive, gone)) {
    if (foreign.onDelete === 'cascade') continue
    const isGone = gone.has(other)
    const clears =
      foreign.onDelete === 'setNull' && (!naive.api.options.tenancy || isGenerated(naive, foreign) || target === row)
    if (clears) cleared.set(other, [...(cleared.get(other) ?? []), foreign.field])
    // Databases check what is refused at different times: before or after what goes with it is gone.
    else if (isGone) return undefined
    else refused = true
  }
  if ([...cleared.keys()].some(other => gone.has(other) && other !== row)) return undefined
  if (refused) return fault('conflict', referred)
  note(entity, caller, 'delete', before, null)
  for (const [other, of] of gone) if (other !== row) note(of, caller, 'delete', recordOf(naive, of, other, whole), null)
  for (const [other, names] of cleared) {
    const of = [...naive.entities.values()].find(({ rows }) => rows.includes(other)) ?? entity
    const was = recordOf(naive, of, other, whole)
    for (const name of names) other.values = { ...other.values, [name]: null }
    if (!gone.has(other)) note(of, caller, 'update', was, recordOf(naive, of, other, whole))
  }
  for (const one of naive.entities.values()) one.rows.splice(0, Infinity, ...one.rows.filter(other => !gone.has(other)))
  return { kind: 'done' }
}

function goneWith(naive: Naive, entity: NaiveEntity, row: Row): ReadonlyMap<Row, NaiveEntity> {
  const gone = new Map([[row, entity]])
  // New ones are added at the end while they are walked.
  for (const [one, of] of gone) {
    for (const { key, row: other } of references(naive, new Map([[one, of]]))) {
      if (key.onDelete === 'cascade') gone.set(other, entityOf(naive, key.from))
    }
  }
  return gone
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

function note(
  entity: NaiveEntity,
  { name, tenant }: Caller,
  operation: string,
  before: WireRecord | null,
  after: WireRecord | null,
): void {
  if (!entity.api.history) return
  const key = entity.api.key ? ((after ?? before)?.[entity.api.key.name] ?? null) : null
  entity.history.push({ operation, tenant, key, before, after, by: name })
}

function fault(kind: OperationFault['kind'], message: string): Outcome {
  return { fault: { kind, message } }
}
