import type { Api, ApiEntity, ApiField } from '@cadmus/model/api/api'
import { limits } from '@cadmus/model/limits'
import {
  aggregateField,
  comparisonsOf,
  computedSentence,
  describedEntity,
  entityOf,
  enumerationSentence,
  isComparable,
  isKeyOf,
  isRequired,
  paragraphs,
  servedFields,
  servedRelations,
} from '../served-fields.ts'
import { aggregateMembers, apiNames, plainName, type EntityNames } from '../api-names.ts'
import { rootFields, type RootField, type RootFields } from './root-fields.ts'
import { rareScalarsOf, scalarOf, type ScalarName, scalars } from './scalars.ts'

/** The schema of an API in GraphQL SDL; deterministic. */
export function sdlOf(api: Api): string {
  const roots = rootFields(api)
  const { query, mutation } = roots
  const writer = new Writer(api, roots)
  const records = api.entities.flatMap(entity => writer.entity(entity))
  const queries = block('type Query', query.length === 0 ? ['_version: String!'] : query.map(one => writer.root(one)))
  const mutations =
    mutation.length === 0
      ? []
      : [
          block(
            'type Mutation',
            mutation.map(one => writer.root(one)),
          ),
        ]
  return [...writer.scalars(), queries, ...mutations, ...records].join('\n')
}

class Writer {
  readonly #api: Api
  readonly #names: ReadonlyMap<string, EntityNames>
  readonly #aggregated: ReadonlyMap<ApiEntity, readonly (RootField & { kind: 'aggregate' })[]>

  constructor(api: Api, { query }: RootFields) {
    this.#api = api
    this.#names = apiNames(api)
    this.#aggregated = Map.groupBy(
      query.filter(root => root.kind === 'aggregate'),
      ({ entity }) => entity,
    )
  }

  /** Includes a filter input for each kind of value. */
  scalars(): string[] {
    const unused = rareScalarsOf(this.#api, false)
    const own = Object.entries(scalars).filter(([name]) => !unused.has(name))
    const declared = own.map(([name, what]) => `${described(what)}scalar ${name}\n`)
    return [...declared, ...filterInputs(unused)]
  }

  root(field: RootField): string {
    const { entity, kind, name, names } = field
    const { type } = names
    switch (kind) {
      case 'select':
        return `${name}${this.#keyArguments(entity)}: ${type}`
      case 'selectAll':
        return `${name}${this.#listArguments(entity)}: ${type}List!`
      case 'insert':
        return `${name}${this.#sent(entity, 'insert').length === 0 ? '' : `(record: ${type}Insert!)`}: ${type}${entity.key.length > 0 ? '!' : ''}`
      case 'update':
        return `${name}(record: ${type}Update!): ${type}!`
      case 'delete':
        return `${name}${this.#keyArguments(entity)}: Boolean!`
      case 'aggregate':
        return `${name}(filter: ${type}Filter): [${aggregateType(field.name)}!]!`
    }
  }

  entity(entity: ApiEntity): string[] {
    const names = this.#names.get(entity.name)
    if (!names) return []
    const { type } = names
    const { insert, update } = entity.operations
    const sortable = servedFields(this.#api, entity).filter(isComparable)
    const inserted = insert ? this.#sent(entity, 'insert') : []
    return [
      `${described(describedEntity(entity))}${block(`type ${type}`, this.#members(entity))}`,
      block(`type ${type}List`, [`records: [${type}!]!`, 'total: Long!', 'totalNotFiltered: Long!']),
      block(`input ${type}Filter`, this.#filters(entity)),
      ...(sortable.length === 0 ? [] : this.#sorting(entity, type, sortable)),
      ...(inserted.length === 0 ? [] : [block(`input ${type}Insert`, inserted)]),
      ...(update ? [block(`input ${type}Update`, this.#sent(entity, 'update'))] : []),
      ...this.#aggregates(entity),
    ]
  }

  #sorting(entity: ApiEntity, type: string, sortable: readonly ApiField[]): string[] {
    return [
      block(
        `enum ${type}Field`,
        sortable.map(({ name }) => this.#member(entity, name)),
      ),
      block(`input ${type}Sort`, [`field: ${type}Field!`, 'descending: Boolean = false']),
    ]
  }

  #members(entity: ApiEntity): string[] {
    const fields = servedFields(this.#api, entity).map(field => {
      const text = `${this.#member(entity, field.name)}: ${scalarOf(field.type)}${field.nullable ? '' : '!'}`
      return `${described(paragraphs([field.description, enumerationSentence(field)]))}${text}`
    })
    const relations = servedRelations(this.#api, entity).flatMap(({ name, kind, entity: otherName }) => {
      const other = entityOf(this.#api, otherName)
      const type = this.#names.get(otherName)?.type
      if (!other || type === undefined) return []
      const member = this.#member(entity, name)
      return [kind === 'toOne' ? `${member}: ${type}` : `${member}${this.#listArguments(other)}: [${type}!]!`]
    })
    return [...fields, ...relations]
  }

  #filters(entity: ApiEntity): string[] {
    return servedFields(this.#api, entity).map(field => {
      const name = isComparable(field) ? `${scalarOf(field.type)}Filter` : 'PresenceFilter'
      return `${this.#member(entity, field.name)}: ${name}`
    })
  }

  #sent(entity: ApiEntity, kind: 'insert' | 'update'): string[] {
    const fields = servedFields(this.#api, entity)
    const isKey = (field: ApiField) => isKeyOf(entity, field)
    return fields
      .filter(field => !field.generated || (kind === 'update' && isKey(field)))
      .map(field => {
        const isNeeded = kind === 'insert' ? isRequired(field) : isKey(field)
        const computed = kind === 'insert' ? computedSentence(field) : ''
        return `${described(paragraphs([enumerationSentence(field), computed]))}${this.#member(entity, field.name)}: ${scalarOf(field.type)}${isNeeded ? '!' : ''}`
      })
  }

  #aggregates(entity: ApiEntity): string[] {
    return (this.#aggregated.get(entity) ?? []).map(root => {
      const members = aggregateMembers(root.aggregate.columns.map(({ alias }) => alias))
      const columns = root.aggregate.columns.flatMap(column => {
        const field = aggregateField(entity, column)
        if (!field) return []
        return [`${members.get(column.alias) ?? column.alias}: ${scalarOf(field.type)}${field.nullable ? '' : '!'}`]
      })
      return block(`type ${aggregateType(root.name)}`, columns)
    })
  }

  #keyArguments(entity: ApiEntity): string {
    const parts = entity.key.map(({ name, type }) => `${this.#member(entity, name)}: ${scalarOf(type)}!`)
    return parts.length === 0 ? '' : `(${parts.join(', ')})`
  }

  #listArguments(entity: ApiEntity): string {
    const type = this.#names.get(entity.name)?.type ?? ''
    const sortable = servedFields(this.#api, entity).some(isComparable)
    const parts = [
      `filter: ${type}Filter`,
      'search: String',
      ...(sortable ? [`sort: [${type}Sort!]`] : []),
      ...(this.#api.options.limitOffset ? [`${JSON.stringify(pageSize)} limit: Int`, 'offset: Long'] : []),
    ]
    return `(${parts.join(', ')})`
  }

  #member(entity: ApiEntity, name: string): string {
    return this.#names.get(entity.name)?.members.get(name) ?? plainName(name)
  }
}

const { minPageSize, maxPageSize } = limits.rows
const pageSize = `The maximum number of records: ${minPageSize} to ${maxPageSize}.`

/**
 * Type name of an aggregate row. Unique, because no other type name starts with an underscore and a lower-case
 * letter.
 */
function aggregateType(field: string): string {
  return `_${field}`
}

function filterInputs(unused: ReadonlySet<string>): string[] {
  const kinds: readonly (readonly [ScalarName, Parameters<typeof comparisonsOf>[0]])[] = [
    ['String', { type: { kind: 'text' } }],
    ['Int', { type: { kind: 'integer', bits: 32 } }],
    ['Long', { type: { kind: 'integer', bits: 64 } }],
    ['Float', { type: { kind: 'double' } }],
    ['Boolean', { type: { kind: 'boolean' } }],
    ['Decimal', { type: { kind: 'decimal', precision: null, scale: 0 } }],
    ['Date', { type: { kind: 'date' } }],
    ['Time', { type: { kind: 'time' } }],
    ['Timestamp', { type: { kind: 'timestamp' } }],
    ['DateTime', { type: { kind: 'instant' } }],
    ['LocalDateTime', { type: { kind: 'local' } }],
    ['Guid', { type: { kind: 'guid' } }],
  ]
  const inputs = kinds
    .filter(([name]) => !unused.has(name))
    .map(([name, field]) =>
      block(
        `input ${name}Filter`,
        comparisonsOf(field).map(comparison => {
          if (comparison === 'null') return 'null: Boolean'
          return `${comparison}: ${comparison === 'in' ? `[${name}!]` : name}`
        }),
      ),
    )
  return [...inputs, block('input PresenceFilter', ['null: Boolean'])]
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.map(line => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')}}\n`
}

/** GraphQL strings use the same escapes as JSON strings. */
function described(description: string): string {
  return description === '' ? '' : `${JSON.stringify(description.toWellFormed())}\n`
}
