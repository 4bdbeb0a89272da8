import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType } from '../tree.ts'
import { mostItems, type QueryDialect } from './dialect.ts'
import type { BoundStatement } from './plan.ts'
import type { Condition, Delete, Expression, Insert, Page, Parameter, Place, Select, Sorting, Update } from './tree.ts'

/** A query as text, and which slot each of its placeholders takes. */
export type QueryText = { readonly text: string; readonly order: readonly Slot[] }

type Slot = { readonly slot: number; readonly type: ColumnType; readonly isPattern: boolean }

export function textOf(query: Select | Insert | Update | Delete, dialect: QueryDialect): QueryText {
  const writer = new Writer(dialect)
  const text = 'kind' in query ? writer.change(query) : writer.select(query)
  return { text, order: writer.order }
}

/** `values` are those of the slots. */
export function bound(
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

/** Writes what a placeholder stands for in the order of the text. */
class Writer {
  readonly order: Slot[] = []
  readonly #dialect: QueryDialect

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  select(select: Select): string {
    if (select.page && select.pageOf) return this.#groupedPage(select, select.page, select.pageOf)
    const { query, table } = select.forUpdate ? this.#dialect.lock : { query: '', table: '' }
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS c${index}`).join(', ')
    // Of records that nothing is asked of it is told that they are there.
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
    const { output, returning } = this.#answer(query.returning)
    return `UPDATE ${table} SET ${values.join(', ')}${output}${where}${returning}`
  }

  #insert({ values, where, anyColumn, returning: answered }: Insert, table: string): string {
    const { quote, emptyInsert } = this.#dialect
    const columns = values.map(([column]) => quote(column)).join(', ')
    const parameters = values.map(([, value]) => this.#parameter(value)).join(', ')
    const conditions = this.#where(where)
    const { output, returning } = this.#answer(answered)
    if (values.length === 0) return `INSERT INTO ${table}${output} ${emptyInsert(quote(anyColumn))}${returning}`
    const row = conditions === '' ? `VALUES (${parameters})` : `SELECT ${parameters}${conditions}`
    return `INSERT INTO ${table} (${columns})${output} ${row}${returning}`
  }

  /** What a changed row answers, in the place where the database wants that. */
  #answer(expressions: readonly Expression[]): { output: string; returning: string } {
    const { returning } = this.#dialect
    if (expressions.length === 0 || returning === 'none') return { output: '', returning: '' }
    const answered = expressions.map(one => this.#expression(one)).join(', ')
    if (returning === 'key') {
      const out = this.#dialect.placeholder(this.order.length + 1)
      return { output: '', returning: ` RETURNING ${answered} INTO ${out}` }
    }
    if (returning === 'rows') return { output: '', returning: ` RETURNING ${answered}` }
    return { output: ` OUTPUT ${answered}`, returning: '' }
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

  /** Rows of a page of each group; what they are numbered by is left out at the end. */
  #groupedPage(select: Select, { limit, offset }: Page, group: Place): string {
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS c${index}`).join(', ')
    const order = select.orderBy.map(one => this.#sorting(one)).join(', ')
    const number = `ROW_NUMBER() OVER (PARTITION BY ${this.#ordered(group)} ORDER BY ${order}) AS rn`
    const inner = `SELECT ${columns}, ${number}${this.#rest({ ...select, orderBy: [], page: null }, '')}`
    const names = select.columns.map((_, index) => `q.c${index}`).join(', ')
    const start = offset ? `q.rn > ${this.#parameter(offset)} AND q.rn - ${this.#parameter(offset)}` : 'q.rn'
    return `SELECT ${names} FROM (${inner}) q WHERE ${start} <= ${this.#parameter(limit)} ORDER BY q.rn`
  }

  #page(page: Page): string {
    const texts: { limit: string; offset: string | null } = { limit: '', offset: null }
    for (const part of this.#dialect.pageOrder) {
      const parameter = page[part]
      if (parameter) texts[part] = this.#parameter(parameter, { isPage: true })
    }
    return this.#dialect.page(texts.limit, texts.offset)
  }

  #sorting({ place, descending, nullable }: Sorting): string {
    return this.#dialect.orderBy(this.#ordered(place), descending, nullable)
  }

  #where(conditions: readonly Condition[]): string {
    if (conditions.length === 0) return ''
    return ` WHERE ${conditions.map(condition => this.#condition(condition)).join(' AND ')}`
  }

  #condition(condition: Condition): string {
    const dialect = this.#dialect
    switch (condition.kind) {
      case 'compare': {
        const { place, operator, value } = condition
        return dialect.compare(this.#column(place), operator, this.#parameter(value), place.type)
      }
      case 'in':
        return this.#in(condition.place, condition.values)
      case 'like':
        return dialect.like(this.#column(condition.place), this.#parameter(condition.value, { isPattern: true }))
      case 'search': {
        const held = condition.places.map(place => dialect.holds(this.#column(place), this.#parameter(condition.value)))
        return held.length === 0 ? '1 = 0' : `(${held.join(' OR ')})`
      }
      case 'null':
        return `${this.#column(condition.place)} IS ${condition.isNull ? 'NULL' : 'NOT NULL'}`
      case 'same':
        return `${this.#column(condition.place)} = ${this.#column(condition.other)}`
      case 'is':
        return `${this.#column(condition.place)} = (${this.select(condition.select)})`
      case 'exists':
        return `EXISTS (${this.select(condition.select)})`
      case 'never':
        return '1 = 0'
    }
  }

  /** Where whole values need another comparison than the database's own, one for each. */
  #in(place: Place, values: readonly Parameter[]): string {
    const column = this.#column(place)
    const plain = this.#dialect.compare('', '=', '', place.type) === ' = '
    if (plain) return `${column} IN (${values.map(value => this.#parameter(value)).join(', ')})`
    const each = values.map(value => this.#dialect.compare(column, '=', this.#parameter(value), place.type))
    return `(${each.join(' OR ')})`
  }

  #expression(expression: Expression): string {
    const dialect = this.#dialect
    switch (expression.kind) {
      case 'column':
        return this.#column(expression.place)
      case 'read':
        return dialect.read(this.#column(expression.place), expression.place.type)
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
        return this.#wire().value(this.#column(expression.place), expression.place.type)
      case 'constant':
        return this.#wire().constant(expression.text)
      case 'text':
        return this.#text(expression)
      case 'object':
        return this.#wire().object(this.#named(expression))
      case 'objects':
        return this.#wire().objects(this.#named(expression))
    }
  }

  #wire(): NonNullable<QueryDialect['wire']> {
    const { wire } = this.#dialect
    if (!wire) throw new RangeError('The database writes no records.')
    return wire
  }

  #text({ json, limit }: Expression & { kind: 'text' }): string {
    const text = this.#expression(json)
    return limit ? this.#wire().atMost(text, this.#parameter(limit)) : this.#wire().text(text)
  }

  #named({ select, names }: Expression & { kind: 'object' | 'objects' }): string {
    const { quote } = this.#dialect
    const columns = select.columns.map((column, index) => `${this.#expression(column)} AS ${quote(names[index] ?? '')}`)
    return `SELECT ${columns.join(', ')}${this.#rest(select, '')}`
  }

  #summary({ name, place }: Expression & { kind: 'summary' }): string {
    const { read, ordered, unordered, sum } = this.#dialect
    const column = this.#column(place)
    if (name === 'COUNT') return `COUNT(${column})`
    if (name === 'SUM') return sum(column, place.type)
    if (name === 'AVG') return `AVG(${column})`
    return read(unordered(`${name}(${ordered(column, place.type)})`, place.type), place.type)
  }

  #json(): NonNullable<QueryDialect['json']> {
    const { json } = this.#dialect
    if (!json) throw new RangeError('The database builds no JSON.')
    return json
  }

  /** A query whose rows are JSON lists of its values; of more than a function takes, lists of such lists. */
  #items(select: Select): string {
    const { items } = this.#json()
    const values = select.columns.map(column => this.#expression(column))
    const rest = this.#rest(select, '')
    if (values.length <= mostItems) return `SELECT ${items(values)} AS c0${rest}`
    const parts: string[] = []
    for (let start = 0; start < values.length; start += mostItems)
      parts.push(items(values.slice(start, start + mostItems)))
    return `SELECT ${items(parts)} AS c0${rest}`
  }

  #ordered(place: Place): string {
    return this.#dialect.ordered(this.#column(place), place.type)
  }

  #column({ of, name }: Place): string {
    const quoted = this.#dialect.quote(name)
    return of === '' ? quoted : `${of}.${quoted}`
  }

  #parameter({ slot, type }: Parameter, { isPattern = false, isPage = false } = {}): string {
    const { numbered, placeholder, bind, bindPage } = this.#dialect
    const isSame = (one: Slot) => one.slot === slot && one.type === type && one.isPattern === isPattern
    const known = numbered ? this.order.findIndex(isSame) : -1
    if (known < 0) this.order.push({ slot, type, isPattern })
    const written = placeholder((known < 0 ? this.order.length - 1 : known) + 1)
    return isPage ? bindPage(written) : bind(written, type)
  }
}
