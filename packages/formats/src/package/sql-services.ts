import type { ApiAggregate, ApiEntity, ApiField } from '@cadmus/model/api/api'
import { databases } from '@cadmus/sql/databases'
import { aggregateMembers } from '../api-names.ts'
import { apiOperations, type DescribedOperation } from '../api-operations.ts'
import type { JsonTree } from '../json-tree.ts'
import { aggregateField, isKeyOf } from '../served-fields.ts'
import { fieldProperty, gloopText, modelProperty, property } from './gloop.ts'
import { folderOf, memberOf, type PackageParts } from './package-parts.ts'

type SqlType = 'SELECT_MULTI' | 'SELECT_SINGLE' | 'INSERT' | 'UPDATE' | 'DELETE'
type SqlService = {
  name: string
  entity: ApiEntity
  sqlType: SqlType
  query: string
  inputs: JsonTree[]
  rows: Rows
}

type Rows = { reference: string | undefined } | { gloopProperties: readonly JsonTree[] }

/** The services that contain SQL, by path below the namespace. */
export function sqlServices(parts: PackageParts): [path: string, text: string][] {
  const services = [...apiOperations(parts.api).flatMap(one => servicesOf(parts, one)), ...readBacks(parts)]
  return services.map(service => [
    `services_sql/${folderOf(parts.api, service.entity)}/${service.name}.gloop`,
    gloopText(customSql(service, parts.pool)),
  ])
}

/** Dotted name under which other services call the SQL service. */
export function sqlServiceName({ api }: PackageParts, entity: ApiEntity, name: string): string {
  return `${api.namespace}.services_sql.${folderOf(api, entity)}.${name}`
}

function customSql({ name, sqlType, query, inputs, rows }: SqlService, pool: string): JsonTree {
  const own = [property('$martiniConnectionPool')]
  if (sqlType === 'SELECT_MULTI') own.push(property('$limit', 'integer'), property('$fetchSize', 'integer'))
  if (sqlType === 'INSERT') own.push(property('$getGeneratedKeys', 'boolean', { defaultValue: 'true' }))
  return {
    type: 'customSql',
    input: [modelProperty(`${name}Input`, [...own, ...inputs])],
    output: outputOf(name, sqlType, rows),
    connectionPoolName: pool,
    sqlType,
    query,
  }
}

function outputOf(name: string, sqlType: SqlType, rows: Rows): JsonTree[] {
  if (sqlType === 'SELECT_MULTI') return [property(`${name}InputCursor`, 'model', { array: true, ...rows })]
  if (sqlType === 'SELECT_SINGLE') return [property(`${name}Output`, 'model', rows)]
  const count = property('updateCount', 'integer')
  if (sqlType !== 'INSERT') return [count]
  return [count, property('generatedKeys', 'model', { allowExtraProperties: true, gloopProperties: [] })]
}

function servicesOf(parts: PackageParts, operation: DescribedOperation): SqlService[] {
  const { name, entity, kind } = operation
  const texts = new SqlTexts(parts, entity)
  switch (kind) {
    case 'selectAll':
      return listServices(parts, operation)
    case 'select':
      return []
    case 'insert':
      return inserting(parts, operation)
    case 'update':
      return changed(parts, operation)
    case 'delete':
      return [
        {
          name,
          entity,
          sqlType: 'DELETE',
          query: texts.delete(),
          inputs: fieldsOf(parts, entity, entity.key),
          rows: { gloopProperties: [] },
        },
      ]
    case 'related':
      return relatedServices(parts, operation)
    case 'aggregate': {
      const rows = { gloopProperties: aggregateRows(operation) }
      return [{ name, entity, sqlType: 'SELECT_MULTI', query: texts.aggregate(operation.aggregate), inputs: [], rows }]
    }
  }
}

function inserting(parts: PackageParts, { name, entity }: DescribedOperation): SqlService[] {
  const sent = entity.fields.filter(({ generated }) => !generated)
  const query = new SqlTexts(parts, entity).insert(sent)
  const inputs = fieldsOf(parts, entity, sent)
  return [{ name, entity, sqlType: 'INSERT', query, inputs, rows: { gloopProperties: [] } }]
}

function relatedServices(parts: PackageParts, operation: DescribedOperation & { kind: 'related' }): SqlService[] {
  const { name, other, relation } = operation
  if (relation.kind === 'toOne') return []
  const fields = relation.pairs.flatMap(
    ({ otherField }) => other.fields.find(({ name: own }) => own === otherField) ?? [],
  )
  const query = new SqlTexts(parts, other).list(fields)
  const inputs = [...fieldsOf(parts, other, fields), ...searchInputs(parts)]
  return [
    { name, entity: other, sqlType: 'SELECT_MULTI', query, inputs, rows: { reference: parts.models.get(other.name) } },
  ]
}

function aggregateRows({ entity, aggregate }: DescribedOperation & { kind: 'aggregate' }): JsonTree[] {
  const members = aggregateMembers(aggregate.columns.map(({ alias }) => alias))
  return aggregate.columns.flatMap(column => {
    const field = aggregateField(entity, column)
    return field ? [fieldProperty(field, members.get(column.alias) ?? column.alias)] : []
  })
}

function listServices(parts: PackageParts, { name, entity }: DescribedOperation): SqlService[] {
  const texts = new SqlTexts(parts, entity)
  const rows = { reference: parts.models.get(entity.name) }
  const [search = property('search')] = searchInputs(parts)
  const count = { gloopProperties: [property('count', 'long')] }
  const counted = name.replace(/^SelectAll/, 'SelectCountAll')
  return [
    { name, entity, sqlType: 'SELECT_MULTI', query: texts.list(), inputs: searchInputs(parts), rows },
    { name: counted, entity, sqlType: 'SELECT_SINGLE', query: texts.count(true), inputs: [search], rows: count },
    {
      name: `${counted}NoFilter`,
      entity,
      sqlType: 'SELECT_SINGLE',
      query: texts.count(false),
      inputs: [],
      rows: count,
    },
  ]
}

function changed(parts: PackageParts, { name, entity }: DescribedOperation): SqlService[] {
  const others = entity.fields.filter(field => !isKeyOf(entity, field))
  if (others.length === 0) return []
  const query = new SqlTexts(parts, entity).update(others)
  return [
    {
      name,
      entity,
      sqlType: 'UPDATE',
      query,
      inputs: fieldsOf(parts, entity, [...entity.key, ...others]),
      rows: { gloopProperties: [] },
    },
  ]
}

/** Covers every entity with a key, because foreign key checks need it even if the read operation is excluded. */
function readBacks(parts: PackageParts): SqlService[] {
  return parts.api.entities.flatMap((entity): SqlService[] => {
    const name = parts.readers.get(entity.name)
    if (name === undefined) return []
    return [
      {
        name,
        entity,
        sqlType: 'SELECT_SINGLE',
        query: new SqlTexts(parts, entity).one(),
        inputs: fieldsOf(parts, entity, entity.key),
        rows: { reference: parts.models.get(entity.name) },
      },
    ]
  })
}

function searchInputs({ api }: PackageParts): JsonTree[] {
  const search = property('search', 'string', { defaultValue: '%' })
  return api.options.limitOffset ? [search, property('offset', 'long', { defaultValue: '0' })] : [search]
}

function fieldsOf({ api }: PackageParts, entity: ApiEntity, fields: readonly ApiField[]): JsonTree[] {
  return fields.map(field => fieldProperty(field, memberOf(api, entity, field.name)))
}

/** The SQL of an entity's services for one database, with named parameters (`:name`). */
class SqlTexts {
  readonly #parts: PackageParts
  readonly #entity: ApiEntity

  constructor(parts: PackageParts, entity: ApiEntity) {
    this.#parts = parts
    this.#entity = entity
  }

  /**
   * Lists the records that match the search, in key order; with `related`, only those that reference the given
   * record by these fields.
   */
  list(related: readonly ApiField[] = []): string {
    const { key, fields } = this.#entity
    const order = (key.length > 0 ? key : fields.slice(0, 1)).map(field => this.#column(field))
    const conditions = [...this.#equal(related), ...this.#search()]
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const by = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : ''
    return `SELECT ${this.#columns()} FROM ${this.#table()}${where}${by}${this.#offset()}`
  }

  /** Counts the records that match the search, or all records. */
  count(isFiltered: boolean): string {
    const search = isFiltered ? this.#search() : []
    const { dialect } = this.#parts
    return `SELECT COUNT(*) AS ${dialect.quote('count')} FROM ${this.#table()}${search.map(one => ` WHERE ${one}`).join('')}`
  }

  one(): string {
    return `SELECT ${this.#columns()} FROM ${this.#table()} WHERE ${this.#isRecord()}`
  }

  insert(fields: readonly ApiField[]): string {
    const columns = fields.map(field => this.#column(field)).join(', ')
    const values = fields.map(field => this.#value(field)).join(', ')
    return `INSERT INTO ${this.#table()} (${columns}) VALUES (${values})`
  }

  /** `coalesce` keeps omitted values unchanged. */
  update(fields: readonly ApiField[]): string {
    const { coalesce } = this.#parts.api.options
    const changes = fields.map(field => {
      const column = this.#column(field)
      return `${column} = ${coalesce ? `COALESCE(${this.#value(field)}, ${column})` : this.#value(field)}`
    })
    return `UPDATE ${this.#table()} SET ${changes.join(', ')} WHERE ${this.#isRecord()}`
  }

  delete(): string {
    return `DELETE FROM ${this.#table()} WHERE ${this.#isRecord()}`
  }

  aggregate({ columns }: ApiAggregate): string {
    const { dialect } = this.#parts
    const named = columns.flatMap(({ field: name, type, alias }) => {
      const field = this.#entity.fields.find(one => one.name === name)
      return field ? [{ column: this.#column(field), type, alias }] : []
    })
    const selected = named.map(({ column, type, alias }) => {
      return `${type === 'GROUPBY' ? column : `${type}(${column})`} AS ${dialect.quote(alias)}`
    })
    const groups = named.filter(({ type }) => type === 'GROUPBY').map(({ column }) => column)
    const grouped = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')} ORDER BY ${groups.join(', ')}`
    return `SELECT ${selected.join(', ')} FROM ${this.#table()}${grouped}`
  }

  #isRecord(): string {
    return this.#equal(this.#entity.key).join(' AND ')
  }

  #equal(fields: readonly ApiField[]): string[] {
    return fields.map(field => `${this.#column(field)} = ${this.#value(field)}`)
  }

  #columns(): string {
    return this.#entity.fields.map(field => this.#column(field)).join(', ')
  }

  /** A single percent sign matches every record, including those without text. */
  #search(): string[] {
    const texts = this.#entity.fields.filter(({ type }) => type.kind === 'text')
    if (texts.length === 0) return []
    const matches = texts.map(field => `LOWER(${this.#column(field)}) LIKE LOWER(:search)`)
    return [`(:search = '%' OR ${matches.join(' OR ')})`]
  }

  #offset(): string {
    if (!this.#parts.api.options.limitOffset) return ''
    return databases[this.#parts.databaseType].package.offset
  }

  #table(): string {
    return this.#parts.dialect.quote(this.#parts.tables.get(this.#entity.name)?.name ?? this.#entity.name)
  }

  #column({ name }: ApiField): string {
    const column = this.#parts.tables.get(this.#entity.name)?.columns.get(name) ?? name
    return this.#parts.dialect.quote(column)
  }

  #value({ name }: ApiField): string {
    return `:${memberOf(this.#parts.api, this.#entity, name)}`
  }
}
