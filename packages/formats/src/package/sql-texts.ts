import type { ApiAggregate, ApiEntity, ApiField } from '@cadmus/model/api/api'
import { databases } from '@cadmus/sql/databases'
import { memberOf, type PackageParts } from './package-parts.ts'

/** The SQL of an entity's services for one database, with named parameters (`:name`). */
export class SqlTexts {
  readonly #parts: PackageParts
  readonly #entity: ApiEntity

  constructor(parts: PackageParts, entity: ApiEntity) {
    this.#parts = parts
    this.#entity = entity
  }

  /**
   * Lists the records that match the search, in key order; with `related`, only those that reference the given
   * record.
   */
  list(related?: ApiField): string {
    const { key, fields } = this.#entity
    const order = key ?? fields[0]
    const conditions = [...(related ? [`${this.#column(related)} = ${this.#value(related)}`] : []), ...this.#search()]
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const by = order ? ` ORDER BY ${this.#column(order)}` : ''
    return `SELECT ${this.#columns()} FROM ${this.#table()}${where}${by}${this.#offset()}`
  }

  /** Counts the records that match the search, or all records. */
  count(isFiltered: boolean): string {
    const search = isFiltered ? this.#search() : []
    const { dialect } = this.#parts
    return `SELECT COUNT(*) AS ${dialect.quote('count')} FROM ${this.#table()}${search.map(one => ` WHERE ${one}`).join('')}`
  }

  one(key: ApiField): string {
    return `SELECT ${this.#columns()} FROM ${this.#table()} WHERE ${this.#column(key)} = ${this.#value(key)}`
  }

  insert(fields: readonly ApiField[]): string {
    const columns = fields.map(field => this.#column(field)).join(', ')
    const values = fields.map(field => this.#value(field)).join(', ')
    return `INSERT INTO ${this.#table()} (${columns}) VALUES (${values})`
  }

  /** `coalesce` keeps omitted values unchanged. */
  update(key: ApiField, fields: readonly ApiField[]): string {
    const { coalesce } = this.#parts.api.options
    const changes = fields.map(field => {
      const column = this.#column(field)
      return `${column} = ${coalesce ? `COALESCE(${this.#value(field)}, ${column})` : this.#value(field)}`
    })
    return `UPDATE ${this.#table()} SET ${changes.join(', ')} WHERE ${this.#column(key)} = ${this.#value(key)}`
  }

  delete(key: ApiField): string {
    return `DELETE FROM ${this.#table()} WHERE ${this.#column(key)} = ${this.#value(key)}`
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
