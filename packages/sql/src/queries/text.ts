import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType } from '../tree.ts'
import { maxItems, type QueryDialect } from './dialect.ts'
import type { BoundStatement } from './plan.ts'
import type {
  Condition,
  Delete,
  Expression,
  Insert,
  Page,
  Parameter,
  ColumnReference,
  Select,
  Sorting,
  Update,
} from './tree.ts'

/** A query as text, with the slot of each placeholder. */
export type QueryText = { readonly text: string; readonly order: readonly Slot[] }

type Slot = { readonly slot: number; readonly type: ColumnType; readonly isPattern: boolean }

export function textOf(query: Select | Insert | Update | Delete, dialect: QueryDialect): QueryText {
  const writer = new QueryWriter(dialect)
  const text = 'kind' in query ? writer.change(query) : writer.select(query)
  return { text, order: writer.order }
}

/** Binds the values of the slots to the placeholders. */
export function bindStatement(
  { text, order }: QueryText,
  values: readonly (Literal | null)[],
  dialect: QueryDialect,
  answers: BoundStatement['answers'],
): BoundStatement {
  const parameters = order.map(({ slot, type, isPattern }) => {
    const value = values[slot]
    if (value && isPattern) return dialect.pattern(String(value.value))
    return value ? dialect.value(value, type) : null
  })
  return { text, parameters, answers }
}

/** Writes a query and records its slots in the order of their placeholders. */
class QueryWriter {
  readonly order: Slot[] = []
  readonly #dialect: QueryDialect

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  select(select: Select): string {
    if (select.page && select.pageOf.length > 0) return this.#groupedPage(select, select.page, select.pageOf)
    const { query, table } = select.forUpdate ? this.#dialect.lock : { query: '', table: '' }
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS c${index}`).join(', ')
    // A selection without fields still reports whether records exist.
    return `SELECT ${columns || '1 AS c0'}${this.#rest(select, table)}${query}`
  }

  change(query: Insert | Update | Delete): string {
    const table = this.#dialect.quote(query.table)
    if (query.kind === 'insert') return this.#insert(query, table)
    if (query.kind === 'delete') return `DELETE FROM ${table}${this.#where(query.where)}`
    const values = query.values.map(
      ([column, value]) => `${this.#dialect.quote(column)} = ${value ? this.#parameter(value) : 'NULL'}`,
    )
    const where = this.#where(query.where)
    const { output, returning } = this.#returning(query.returning)
    return `UPDATE ${table} SET ${values.join(', ')}${output}${where}${returning}`
  }

  #insert({ values, where, anyColumn, returning: returned }: Insert, table: string): string {
    const { quote, emptyInsert } = this.#dialect
    const columns = values.map(([column]) => quote(column)).join(', ')
    const parameters = values.map(([, value]) => this.#parameter(value)).join(', ')
    const conditions = this.#where(where)
    const { output, returning } = this.#returning(returned)
    if (values.length === 0) return `INSERT INTO ${table}${output} ${emptyInsert(quote(anyColumn))}${returning}`
    const row = conditions === '' ? `VALUES (${parameters})` : `SELECT ${parameters}${conditions}`
    return `INSERT INTO ${table} (${columns})${output} ${row}${returning}`
  }

  /** The returned columns of a change, in the place required by the database. */
  #returning(expressions: readonly Expression[]): { output: string; returning: string } {
    const { returning } = this.#dialect
    if (expressions.length === 0 || returning === 'none') return { output: '', returning: '' }
    const columns = expressions.map(one => this.#expression(one)).join(', ')
    if (returning === 'key') {
      const out = this.#dialect.placeholder(this.order.length + 1)
      return { output: '', returning: ` RETURNING ${columns} INTO ${out}` }
    }
    if (returning === 'rows') return { output: '', returning: ` RETURNING ${columns}` }
    return { output: ` OUTPUT ${columns}`, returning: '' }
  }

  #rest(select: Select, lock: string): string {
    const { from, where, groupBy, orderBy, page } = select
    const order = orderBy.map(one => this.#sorting(one))
    return [
      from ? ` FROM ${this.#dialect.quote(from.table)} ${from.alias}${lock}` : this.#dialect.dual,
      this.#where(where),
      groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.map(one => this.#column(one)).join(', ')}`,
      order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`,
      page ? ` ${this.#page(page)}` : '',
    ].join('')
  }

  /** A page of each group, cut by row numbers. */
  #groupedPage(select: Select, { limit, offset }: Page, groups: readonly ColumnReference[]): string {
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS c${index}`).join(', ')
    const order = select.orderBy.map(one => this.#sorting(one)).join(', ')
    const group = groups.map(one => this.#ordered(one)).join(', ')
    const number = `ROW_NUMBER() OVER (PARTITION BY ${group} ORDER BY ${order}) AS rn`
    const inner = `SELECT ${columns}, ${number}${this.#rest({ ...select, orderBy: [], page: null }, '')}`
    const names = select.columns.map((_, index) => `q.c${index}`).join(', ')
    const start = offset ? `q.rn > ${this.#parameter(offset)} AND q.rn - ${this.#parameter(offset)}` : 'q.rn'
    return `SELECT ${names} FROM (${inner}) q WHERE ${start} <= ${this.#parameter(limit)} ORDER BY q.rn`
  }

  #page(page: Page): string {
    const parts: { limit: string; offset: string | null } = { limit: '', offset: null }
    for (const part of this.#dialect.pageOrder) {
      const parameter = page[part]
      if (parameter) parts[part] = this.#parameter(parameter, { isPage: true })
    }
    return this.#dialect.page(parts.limit, parts.offset)
  }

  #sorting({ ref, descending, nullable }: Sorting): string {
    return this.#dialect.orderBy(this.#ordered(ref), descending, nullable)
  }

  #where(conditions: readonly Condition[]): string {
    return conditions.length === 0 ? '' : ` WHERE ${this.#all(conditions)}`
  }

  #all(conditions: readonly Condition[]): string {
    return conditions.map(condition => this.#condition(condition)).join(' AND ')
  }

  #condition(condition: Condition): string {
    const dialect = this.#dialect
    switch (condition.kind) {
      case 'compare': {
        const { ref, operator, value } = condition
        return dialect.compare(this.#column(ref), operator, this.#parameter(value), ref.type)
      }
      case 'in':
        return this.#in(condition.ref, condition.values)
      case 'like':
        return dialect.like(this.#column(condition.ref), this.#parameter(condition.value, { isPattern: true }))
      case 'search': {
        const conditions = condition.refs.map(ref =>
          dialect.contains(this.#column(ref), this.#parameter(condition.value)),
        )
        return conditions.length === 0 ? '1 = 0' : `(${conditions.join(' OR ')})`
      }
      case 'null':
        return `${this.#column(condition.ref)} IS ${condition.isNull ? 'NULL' : 'NOT NULL'}`
      case 'same':
        return `${this.#column(condition.ref)} = ${this.#column(condition.other)}`
      case 'is':
        return `${this.#column(condition.ref)} = (${this.select(condition.select)})`
      case 'exists':
        return `EXISTS (${this.select(condition.select)})`
      case 'any':
        return `(${condition.of.map(all => this.#all(all)).join(' OR ')})`
      case 'never':
        return '1 = 0'
    }
  }

  /** Some databases cannot compare values of the type by IN: one comparison for each value. */
  #in(ref: ColumnReference, values: readonly Parameter[]): string {
    const column = this.#column(ref)
    const plain = this.#dialect.compare('', '=', '', ref.type) === ' = '
    if (plain) return `${column} IN (${values.map(value => this.#parameter(value)).join(', ')})`
    const each = values.map(value => this.#dialect.compare(column, '=', this.#parameter(value), ref.type))
    return `(${each.join(' OR ')})`
  }

  #expression(expression: Expression): string {
    const dialect = this.#dialect
    switch (expression.kind) {
      case 'column':
        return this.#column(expression.ref)
      case 'read':
        return dialect.read(this.#column(expression.ref), expression.ref.type)
      case 'parameter':
        return this.#parameter(expression)
      case 'one':
        return '1'
      case 'countAll':
        return 'COUNT(*)'
      case 'summary':
        return this.#summary(expression)
      case 'scalar':
        return `(${this.select(expression.select)})`
      case 'exists':
        return `CASE WHEN EXISTS (${this.select(expression.select)}) THEN 1 ELSE 0 END`
      case 'row':
        return this.#json().row(this.#items(expression.select))
      case 'rows':
        return this.#json().rows(this.#items(expression.select))
      case 'wire':
        return this.#wire().value(this.#column(expression.ref), expression.ref.type)
      case 'constant':
        return this.#wire().constant(expression.text)
      case 'text':
        return this.#text(expression)
      case 'object':
        return this.#wire().object(this.#namedSelect(expression))
      case 'objects':
        return this.#wire().objects(this.#namedSelect(expression))
    }
  }

  #wire(): NonNullable<QueryDialect['wire']> {
    const { wire } = this.#dialect
    if (!wire) throw new RangeError('The dialect does not write records as JSON.')
    return wire
  }

  #text({ json, limit }: Expression & { kind: 'text' }): string {
    const text = this.#expression(json)
    return limit ? this.#wire().atMost(text, this.#parameter(limit)) : this.#wire().text(text)
  }

  #namedSelect({ select, names }: Expression & { kind: 'object' | 'objects' }): string {
    const { quote } = this.#dialect
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS ${quote(names[index] ?? '')}`)
    return `SELECT ${columns.join(', ')}${this.#rest(select, '')}`
  }

  #summary({ name, ref }: Expression & { kind: 'summary' }): string {
    const { read, ordered, unordered, sum } = this.#dialect
    const column = this.#column(ref)
    if (name === 'COUNT') return `COUNT(${column})`
    if (name === 'SUM') return sum(column, ref.type)
    if (name === 'AVG') return `AVG(${column})`
    return read(unordered(`${name}(${ordered(column, ref.type)})`, ref.type), ref.type)
  }

  #json(): NonNullable<QueryDialect['json']> {
    const { json } = this.#dialect
    if (!json) throw new RangeError('The dialect does not build JSON.')
    return json
  }

  /** Rows as JSON lists of values, nested if they exceed the arguments of one function. */
  #items(select: Select): string {
    const { items } = this.#json()
    const values = select.columns.map(column => this.#expression(column))
    const rest = this.#rest(select, '')
    if (values.length <= maxItems) return `SELECT ${items(values)} AS c0${rest}`
    const parts: string[] = []
    for (let start = 0; start < values.length; start += maxItems)
      parts.push(items(values.slice(start, start + maxItems)))
    return `SELECT ${items(parts)} AS c0${rest}`
  }

  #ordered(ref: ColumnReference): string {
    return this.#dialect.ordered(this.#column(ref), ref.type)
  }

  #column({ of, name }: ColumnReference): string {
    const quoted = this.#dialect.quote(name)
    return of === '' ? quoted : `${of}.${quoted}`
  }

  #parameter({ slot, type }: Parameter, { isPattern = false, isPage = false } = {}): string {
    const { numbered, placeholder, bind, bindPage } = this.#dialect
    const isSame = (one: Slot) => one.slot === slot && one.type === type && one.isPattern === isPattern
    const reusable = numbered ? this.order.findIndex(isSame) : -1
    if (reusable < 0) this.order.push({ slot, type, isPattern })
    const written = placeholder((reusable < 0 ? this.order.length - 1 : reusable) + 1)
    return isPage ? bindPage(written) : bind(written, type)
  }
}
