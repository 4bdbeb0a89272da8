import type { Api, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import { foldName } from '@cadmus/model/paths'
import type { InstanceColumn, InstanceSchema, InstanceTable } from '../instance-schema.ts'
import { faults } from './faults.ts'
import { PlanFault } from './plan.ts'

/** A field with the column in which it is. */
export type Field = Pick<
  ApiField,
  'name' | 'type' | 'nullable' | 'generated' | 'maxLength' | 'choices' | 'references'
> & {
  /** Its place among the entity's fields. */
  readonly index: number
  readonly column: InstanceColumn
  /** Whatever a caller keeps beside the fields of the model. */
  readonly isCustom: boolean
}

/** An entity with its table, and what it is called by. */
export type Place = {
  readonly index: number
  readonly entity: ApiEntity
  readonly table: Omit<InstanceTable, 'columns'>
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  readonly key: Field | null
  readonly relations: ReadonlyMap<string, { readonly index: number; readonly relation: ApiRelation }>
}

export type Places = { of(entity: string): Place }

/** Each entity of the API in its table. Throws a RangeError where the schema is not the API's. */
export function placesOf(api: Api, schema: InstanceSchema): Places {
  // What is kept of it knows nothing of the schema, which is much larger.
  const places = byEntity(api, schema)
  return {
    of(entity) {
      const place = places.get(entity)
      if (!place) throw new PlanFault('notFound', faults.noEntity(entity))
      return place
    },
  }
}

function byEntity(api: Api, schema: InstanceSchema): ReadonlyMap<string, Place> {
  return new Map(
    api.entities.map((entity, index) => {
      const table = schema.tables.get(entity.name)
      if (!table) throw new RangeError(`The schema has no table for '${entity.name.slice(0, 120)}'.`)
      return [entity.name, placeOf(entity, index, table)] as const
    }),
  )
}

export function fieldOf(place: Place, name: string): Field {
  const field = place.byName.get(name)
  if (!field) throw new PlanFault('invalid', faults.noField(name))
  return field
}

/** The key of the entity's records; an entity without one has no operation on a single record. */
export function keyOf({ key, entity }: Place): Field {
  if (!key) throw new PlanFault('invalid', faults.noKey(entity.name))
  return key
}

function placeOf(entity: ApiEntity, index: number, { columns, ...table }: InstanceTable): Place {
  const own = entity.fields.map((field, at): Field => {
    const column = columns.get(field.name)
    if (!column) throw new RangeError(`The database has no column for '${field.name.slice(0, 120)}'.`)
    return { ...field, index: at, column: ownColumn(column), isCustom: false }
  })
  const fields = [...own, ...customField(entity, own.length, table)]
  const byName = new Map(fields.map(field => [field.name, field]))
  return {
    index,
    entity,
    table,
    fields,
    byName,
    key: entity.key ? (byName.get(entity.key.name) ?? null) : null,
    relations: new Map(entity.relations.map((relation, at) => [relation.name, { index: at, relation }])),
  }
}

/** Without all that a schema knows of it beside: fields are kept as long as the package runs. */
function ownColumn({ name, type, default: value }: InstanceColumn): InstanceColumn {
  return { name, type, default: value }
}

/** `customFields` of a record, unless a field or relation of the model is called so. */
function customField(entity: ApiEntity, index: number, { customFields: column }: Place['table']): Field[] {
  const names = [...entity.fields, ...entity.relations].map(({ name }) => foldName(name))
  if (!column || names.includes('customfields')) return []
  const type = { kind: 'json' } as const
  const open = { nullable: true, generated: false, maxLength: null, choices: [], references: null }
  return [{ name: 'customFields', type, ...open, index, column, isCustom: true }]
}
