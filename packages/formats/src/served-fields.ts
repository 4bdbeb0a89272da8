import type {
  Api,
  ApiAggregate,
  ApiEntity,
  ApiEnumeration,
  ApiField,
  ApiFieldType,
  ApiRelation,
} from '@cadmus/model/api/api'
import { type Comparison, comparisons } from '@cadmus/model/api/operation'
import { foldName } from '@cadmus/model/paths'
import type { Computed } from '@cadmus/model/values/computed'

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

export function isKeyOf({ key }: ApiEntity, { name }: ApiField): boolean {
  return key.some(part => part.name === name)
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
  enumeration: null,
  unique: false,
  references: null,
}

const cache = new WeakMap<Api, ReadonlyMap<string, ApiEntity>>()

export function entityOf(api: Api, name: string | undefined): ApiEntity | undefined {
  if (name === undefined) return undefined
  const before = cache.get(api)
  if (before) return before.get(name)
  const entities = new Map(api.entities.map(entity => [entity.name, entity]))
  cache.set(api, entities)
  return entities.get(name)
}

/** Type of an aggregate column: the type of the field if it groups or selects a value, otherwise a number. */
export function aggregateField(
  entity: ApiEntity,
  { field: name, type, alias }: ApiAggregate['columns'][number],
): ApiField | null {
  const field = entity.fields.find(one => one.name === name)
  if (!field) return null
  const plain: ApiField = { ...field, name: alias, generated: false, default: null, unique: false, references: null }
  const figure: ApiField = {
    ...plain,
    description: '',
    nullable: true,
    maxLength: null,
    choices: [],
    enumeration: null,
  }
  switch (type) {
    case 'GROUPBY':
      return plain
    case 'MIN':
    case 'MAX':
      return { ...plain, nullable: true }
    case 'COUNT':
      return { ...figure, nullable: false, type: long }
    case 'SUM':
      return { ...figure, type: field.type.kind === 'integer' ? long : numberOf(field.type) }
    case 'AVG':
      return { ...figure, type: numberOf(field.type) }
  }
}

const long: ApiFieldType = { kind: 'integer', bits: 64 }

/** The average of exact numbers is exact and is sent as a string. */
function numberOf({ kind }: ApiFieldType): ApiFieldType {
  return kind === 'double' ? { kind } : { kind: 'decimal', precision: null, scale: 0 }
}

/** The description of a field of a new record, and what is computed if it is absent. */
export function describedField(field: ApiField): string {
  return paragraphs([field.description, computedSentence(field)])
}

/** Empty if nothing is computed. */
export function computedSentence({ default: value }: ApiField): string {
  return value?.kind === 'computed' ? sentences[value.value] : ''
}

const present = 'If absent, the present time is stored.'
const sentences: Readonly<Record<Computed['value'], string>> = {
  instant: present,
  utc: present,
  local: 'If absent, the present time in UTC is stored.',
  today: 'If absent, the present day in UTC is stored.',
  uuid: 'If absent, a random UUID is stored.',
}

/** Most values that a sentence lists. */
const maxListed = 100

/** The enumeration of a field in words, where its type cannot say it. */
export function enumerationSentence({ enumeration }: ApiField): string {
  if (!enumeration) return ''
  const { name, values } = enumeration
  const listed = values.slice(0, maxListed).map(({ value, label }) => (label === '' ? value : `${value} (${label})`))
  const rest = values.length > maxListed ? `, and ${values.length - maxListed} more` : ''
  return `A value of ${name}: ${listed.join(', ')}${rest}.`
}

/** The description of an enumeration, and the labels of its values. */
export function describedEnumeration({ description, values }: ApiEnumeration): string {
  const labels = values.filter(({ label }) => label !== '').map(({ value, label }) => `- ${value}: ${label}`)
  return paragraphs([description, labels.join('\n')])
}

/** The description of an entity, which of its fields are unique together, and its checks. */
export function describedEntity({ description, uniqueTogether, checks }: ApiEntity): string {
  const sentences = uniqueTogether.map(names => `No two records have the same ${names.join(', ')}.`)
  const conditions = checks.map(({ text, message }) => [`Records meet: ${text}`, message].filter(Boolean).join('. '))
  return paragraphs([description, ...sentences, ...conditions])
}

export function paragraphs(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n\n')
}
