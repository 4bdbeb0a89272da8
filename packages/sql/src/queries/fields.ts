import type { Api, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import { foldName } from '@cadmus/model/paths'
import type { InstanceColumn, InstanceSchema, InstanceTable } from '../instance-schema.ts'
import { faults } from './faults.ts'
import { PlanFault } from './plan.ts'

/** A field with its column. */
export type Field = Pick<
  ApiField,
  'name' | 'type' | 'nullable' | 'generated' | 'default' | 'maxLength' | 'choices' | 'references'
> & {
  /** Index among the entity's fields. */
  readonly index: number
  readonly column: InstanceColumn
  /** Whether it holds the custom fields, which the model does not define. */
  readonly isCustom: boolean
}

/** An entity with its table; fields and relations by name. */
export type EntityMapping = {
  readonly index: number
  readonly entity: ApiEntity
  readonly table: Omit<InstanceTable, 'columns'>
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  /** In key order; empty without a key. */
  readonly key: readonly Field[]
  readonly relations: ReadonlyMap<string, { readonly index: number; readonly relation: ApiRelation }>
  /** The relations to one over several fields. */
  readonly parents: readonly ApiRelation[]
}

export type EntityMappings = { of(entity: string): EntityMapping }

/** Maps the entities of the API to their tables. Throws a RangeError if the schema does not belong to the API. */
export function mapEntities(api: Api, schema: InstanceSchema): EntityMappings {
  // Must not reference the schema, which is much larger and would be kept in memory.
  const mappings = byEntity(api, schema)
  return {
    of(entity) {
      const mapping = mappings.get(entity)
      if (!mapping) throw new PlanFault('notFound', faults.noEntity(entity))
      return mapping
    },
  }
}

function byEntity(api: Api, schema: InstanceSchema): ReadonlyMap<string, EntityMapping> {
  return new Map(
    api.entities.map((entity, index) => {
      const table = schema.tables.get(entity.name)
      if (!table) throw new RangeError(`The schema has no table for '${entity.name.slice(0, 120)}'.`)
      return [entity.name, mapEntity(entity, index, table)] as const
    }),
  )
}

export function fieldOf(mapping: EntityMapping, name: string): Field {
  const field = mapping.byName.get(name)
  if (!field) throw new PlanFault('invalid', faults.noField(name))
  return field
}

/** The key of the entity's records; throws a PlanFault for an entity without one. */
export function keyOf({ key, entity }: EntityMapping): readonly Field[] {
  if (key.length === 0) throw new PlanFault('invalid', faults.noKey(entity.name))
  return key
}

function mapEntity(entity: ApiEntity, index: number, { columns, ...table }: InstanceTable): EntityMapping {
  const modelFields = entity.fields.map((field, at): Field => {
    const column = columns.get(field.name)
    if (!column) throw new RangeError(`The database has no column for '${field.name.slice(0, 120)}'.`)
    return { ...field, index: at, column: slimColumn(column), isCustom: false }
  })
  const fields = [...modelFields, ...customField(entity, modelFields.length, table)]
  const byName = new Map(fields.map(field => [field.name, field]))
  return {
    index,
    entity,
    table,
    fields,
    byName,
    key: entity.key.flatMap(({ name }) => byName.get(name) ?? []),
    parents: entity.relations.filter(({ kind, pairs }) => kind === 'toOne' && pairs.length > 1),
    relations: new Map(entity.relations.map((relation, at) => [relation.name, { index: at, relation }])),
  }
}

/** Keeps only the needed properties, as fields live as long as the package runs. */
function slimColumn({ name, type, default: value }: InstanceColumn): InstanceColumn {
  return { name, type, default: value }
}

/** The field `customFields`, unless the model has a field or relation of that name. */
function customField(entity: ApiEntity, index: number, { customFields: column }: EntityMapping['table']): Field[] {
  const names = [...entity.fields, ...entity.relations].map(({ name }) => foldName(name))
  if (!column || names.includes('customfields')) return []
  const type = { kind: 'json' } as const
  const open = { nullable: true, generated: false, default: null, maxLength: null, choices: [], references: null }
  return [{ name: 'customFields', type, ...open, index, column, isCustom: true }]
}
