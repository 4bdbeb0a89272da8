import type { Api, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import { comparisons, type Comparison } from '@cadmus/model/api/operation'
import { foldName } from '@cadmus/model/paths'
import { entityOf } from './api-entities.ts'

/** The entity's fields plus the custom fields column, if the package has custom fields and no field of that name. */
export function servedFields({ options }: Api, { fields, relations }: ApiEntity): readonly ApiField[] {
  if (!options.customFields) return fields
  const isNameUsed = [...fields, ...relations].some(({ name }) => foldName(name) === foldName(customFields.name))
  return isNameUsed ? fields : [...fields, customFields]
}

/** Relations included in responses: requires joins and a target that is not excluded. */
export function servedRelations(api: Api, { relations }: ApiEntity): readonly ApiRelation[] {
  if (!api.options.join) return []
  return relations.filter(({ kind, entity: name }) => {
    const other = entityOf(api, name)
    return other?.operations[kind === 'toOne' ? 'select' : 'selectAll'] !== undefined
  })
}

export function isComparable({ type }: ApiField): boolean {
  return type.kind !== 'json' && type.kind !== 'binary'
}

/** Comparison operators that filters on the field support. */
export function comparisonsOf({ type }: Pick<ApiField, 'type'>): readonly Comparison[] {
  if (type.kind === 'text') return comparisons
  if (type.kind === 'json' || type.kind === 'binary') return ['null']
  if (type.kind === 'boolean') return ['eq', 'ne', 'in', 'null']
  return comparisons.filter(comparison => comparison !== 'like')
}

export function isRequired({ nullable, generated, default: value }: ApiField): boolean {
  return !nullable && !generated && value === null
}

const customFields: ApiField = {
  uid: 'customFields',
  name: 'customFields',
  description: 'Additional fields that callers define.',
  type: { kind: 'json' },
  nullable: true,
  generated: false,
  default: null,
  maxLength: null,
  choices: [],
  unique: false,
  references: null,
}
