import { apiNames } from '@cadmus/formats/api-names'
import { rootFields } from '@cadmus/formats/graphql/root-fields'
import { servedFields, servedRelations } from '@cadmus/formats/served-fields'
import type { Api, ApiEntity, ApiField } from '@cadmus/model/api/api'
import type { Filter, Listing, Operation, Selection, WireKey, WireRecord, WireValue } from '@cadmus/model/api/operation'

// For tests: converts operations to GraphQL requests.

export type GraphQlRequest = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly field: string
}

/** The request for an operation; null if GraphQL cannot express it. */
export function toGraphQl(api: Api, operation: Operation): GraphQlRequest | null {
  return new Writer(api).write(operation)
}

/** A record of an answer, with API names. */
export function recordOfGraphQl(
  api: Api,
  entity: ApiEntity,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const members = new Map([['customFields', 'customFields'], ...(apiNames(api).get(entity.name)?.members ?? [])])
  const entries = [...members].flatMap(([name, member]): [string, unknown][] => {
    const value = record[member]
    const relation = entity.relations.find(one => one.name === name)
    const other = api.entities.find(one => one.name === relation?.entity)
    if (value === undefined) return []
    if (!other || value === null) return [[name, value]]
    const one = (record: unknown) => recordOfGraphQl(api, other, Object(record))
    return [[name, Array.isArray(value) ? value.map(one) : one(value)]]
  })
  return Object.fromEntries(entries)
}

class Writer {
  readonly #api: Api
  readonly #variables: Record<string, unknown> = {}
  readonly #declared: string[] = []
  #isExpressible = true

  constructor(api: Api) {
    this.#api = api
  }

  write(operation: Operation): GraphQlRequest | null {
    const entity = this.#api.entities.find(({ name }) => name === operation.entity)
    if (!entity || operation.kind === 'related' || operation.kind === 'history' || operation.kind === 'changes')
      return null
    const { query, mutation } = rootFields(this.#api)
    const isChange = operation.kind === 'insert' || operation.kind === 'update' || operation.kind === 'delete'
    const root = (isChange ? mutation : query).find(
      field =>
        field.entity === entity &&
        field.kind === operation.kind &&
        (field.kind !== 'aggregate' || (operation.kind === 'aggregate' && field.aggregate.name === operation.query)),
    )
    if (!root || operation.kind === 'aggregate') return null
    const call = this.#call(entity, root.name, operation)
    if (!this.#isExpressible) return null
    const declared = this.#declared.length === 0 ? '' : `(${this.#declared.join(', ')})`
    return {
      query: `${isChange ? 'mutation' : 'query'} ${declared} { ${call} }`,
      variables: this.#variables,
      field: root.name,
    }
  }

  #call(
    entity: ApiEntity,
    field: string,
    operation: Exclude<Operation, { kind: 'related' | 'history' | 'changes' | 'aggregate' }>,
  ): string {
    const type = this.#typeOf(entity)
    const key = (values: WireKey) =>
      entity.key
        .map((part, at) => `${this.#member(entity, part.name)}: ${this.#variable(this.#keyType(part), values[at])}`)
        .join(', ')
    switch (operation.kind) {
      case 'selectAll':
        return `${field}${this.#listing(entity, operation)} { total totalNotFiltered records ${this.#select(entity, operation.select)} }`
      case 'select':
        return `${field}(${key(operation.key)}) ${this.#select(entity, operation.select)}`
      case 'delete':
        return `${field}(${key(operation.key)})`
      case 'insert':
      case 'update': {
        const record = this.#record(entity, operation.record)
        const kind = operation.kind === 'insert' ? 'Insert' : 'Update'
        const sendable =
          servedFields(this.#api, entity).some(({ generated }) => !generated) || operation.kind === 'update'
        return `${field}${sendable ? `(record: ${this.#variable(`${type}${kind}!`, record)})` : ''} ${this.#select(entity, { fields: null, relations: [] })}`
      }
    }
  }

  #record(entity: ApiEntity, record: WireRecord): Record<string, WireValue> {
    const servedFieldList = servedFields(this.#api, entity)
    if (Object.keys(record).some(name => !servedFieldList.some(field => field.name === name)))
      this.#isExpressible = false
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [this.#member(entity, name), value]))
  }

  #select(entity: ApiEntity, { fields, relations }: Selection): string {
    const all = servedFields(this.#api, entity).map(({ name }) => name)
    const selected = fields ?? all
    const served = servedRelations(this.#api, entity).map(({ name }) => name)
    const names = [...selected, ...relations.map(({ name }) => name)]
    const isKnown = selected.every(name => all.includes(name)) && relations.every(({ name }) => served.includes(name))
    if (selected.length === 0 || !isKnown || new Set(names).size < names.length) this.#isExpressible = false
    const nested = relations.map(({ name, select, listing }) => {
      const other = this.#api.entities.find(
        one => one.name === entity.relations.find(relation => relation.name === name)?.entity,
      )
      if (!other) return ''
      return `${this.#member(entity, name)}${listing ? this.#listing(other, listing) : ''} ${this.#select(other, select)}`
    })
    return `{ ${[...selected.map(name => this.#member(entity, name)), ...nested].join(' ')} }`
  }

  #listing(entity: ApiEntity, { filters, search, sort, limit, offset }: Listing): string {
    const type = this.#typeOf(entity)
    const sorted = sort.map(({ field, descending }) => ({ field: this.#member(entity, field), descending }))
    const parts = [
      ...(filters.length === 0 ? [] : [`filter: ${this.#variable(`${type}Filter`, this.#filters(entity, filters))}`]),
      ...(search === '' ? [] : [`search: ${this.#variable('String', search)}`]),
      ...(sort.length === 0 ? [] : [`sort: ${this.#variable(`[${type}Sort!]`, sorted)}`]),
      ...(this.#api.options.limitOffset && limit !== null ? [`limit: ${this.#variable('Int', limit)}`] : []),
      ...(this.#api.options.limitOffset && offset !== 0 ? [`offset: ${this.#variable('Long', offset)}`] : []),
    ]
    return parts.length === 0 ? '' : `(${parts.join(', ')})`
  }

  #filters(entity: ApiEntity, filters: readonly Filter[]): Record<string, Record<string, WireValue>> {
    const written: Record<string, Record<string, WireValue>> = {}
    for (const { field, comparison, value } of filters) {
      const member = this.#member(entity, field)
      const servedFieldList = (written[member] ??= {})
      if (comparison in servedFieldList) this.#isExpressible = false
      servedFieldList[comparison] = value
    }
    return written
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#declared.length}`
    this.#declared.push(`$${name}: ${type}`)
    this.#variables[name] = value
    return `$${name}`
  }

  #keyType({ type }: ApiField): string {
    if (type.kind === 'integer') return type.bits === 64 ? 'Long!' : 'Int!'
    if (type.kind === 'text') return 'String!'
    this.#isExpressible &&= type.kind === 'guid'
    return 'Guid!'
  }

  #typeOf({ name }: ApiEntity): string {
    return apiNames(this.#api).get(name)?.type ?? name
  }

  #member({ name }: ApiEntity, member: string): string {
    return apiNames(this.#api).get(name)?.members.get(member) ?? member
  }
}
