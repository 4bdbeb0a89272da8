import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import { isFault, readLiteral } from '../values/literal.ts'
import { checkTexts } from '../messages/checks.ts'
import { conditionColumn } from '../rules/checks.ts'
import { foldName } from '../paths.ts'
import { call, type Expression } from './condition.ts'
import { evaluated } from './evaluate.ts'
import { conditionText, readCondition } from './text.ts'
import { typedCondition } from './types.ts'

const attributes = [
  newTypeAttribute({ name: 'price', position: 0, dataType: 'double', precision: 10, scale: 2 }),
  newTypeAttribute({ name: 'discount', position: 1, dataType: 'double', precision: 10, scale: 2, nullable: true }),
  newTypeAttribute({ name: 'count', position: 2, dataType: 'integer', format: 'int32', nullable: true }),
  newTypeAttribute({ name: 'big', position: 3, dataType: 'integer' }),
  newTypeAttribute({ name: 'ratio', position: 4, dataType: 'double', nullable: true }),
  newTypeAttribute({ name: 'code', position: 5, maxLength: 20 }),
  newTypeAttribute({ name: 'note', position: 6, nullable: true }),
  newTypeAttribute({ name: 'active', position: 7, dataType: 'boolean', nullable: true }),
  newTypeAttribute({ name: 'from', position: 8, dataType: 'dateTime', format: 'date' }),
  newTypeAttribute({ name: 'to', position: 9, dataType: 'dateTime', format: 'date', nullable: true }),
  newTypeAttribute({ name: 'at', position: 10, dataType: 'dateTime', format: 'instant', nullable: true }),
  newTypeAttribute({ name: 'guid', position: 11, format: 'guid', nullable: true }),
  newTypeAttribute({ name: 'data', position: 12, dataType: 'object', nullable: true }),
  newTypeAttribute({ name: 'single', position: 14, dataType: 'float', format: 'single', nullable: true }),
  newTypeAttribute({ name: 'open', position: 13, dataType: 'double', format: 'decimal', nullable: true }),
]
const byName = new Map(attributes.map(attribute => [foldName(attribute.name), attribute]))
type Column = ReturnType<typeof conditionColumn> & { attribute: TypeAttribute }

function read(text: string): Expression {
  const result = readCondition(text)
  if ('fault' in result) throw new Error(result.fault)
  return result.condition
}

function typed(condition: Expression) {
  return typedCondition(condition, ({ name }): Column | undefined => {
    const attribute = byName.get(foldName(name))
    return attribute && { ...conditionColumn(attribute), attribute }
  })
}

function result(text: string, record: Record<string, string>): boolean | null {
  const { typed: condition, fault } = typed(read(text))
  if (!condition) throw new Error(fault)
  return evaluated(condition, ({ attribute }) => {
    const value = record[attribute.name]
    const literal = value === undefined ? null : readLiteral(value, attribute)
    if (literal && isFault(literal)) throw new Error(literal.fault)
    return literal
  })
}

describe('the language of conditions', () => {
  it.each([
    ['price>=0 AND (discount IS NULL or Discount<price)', 'price >= 0 and (discount is null or Discount < price)'],
    ['not (active) and not not active', 'not active and not not active'],
    ["code not in ('a', 'it''s')", "code not in ('a', 'it''s')"],
    ['count between -1 and 2 * 3', 'count >= -1 and count <= 2 * 3'],
    ['1.50 - (2 - price) != .5e1', '1.5 - (2 - price) <> 5'],
    ['(price + 1) * 2 - -1 > 0', '(price + 1) * 2 - (-1) > 0'],
    ['"is" is not null and "a ""b""" = true', '"is" is not null and "a ""b""" = true'],
    ["UPPER(trim(code)) = concat(code, coalesce(note, ''))", "upper(trim(code)) = concat(code, coalesce(note, ''))"],
    ['(a and b) and c or (d or e)', '(a and b) and c or (d or e)'],
    ['year = year(year)', 'year = year(year)'],
    ['(-1) * price < 0', '(-1) * price < 0'],
  ])('reads %s', (text, printed) => {
    expect(conditionText(read(text))).toBe(printed)
    expect(read(printed)).toEqual(read(text))
  })

  it.each([
    ['', checkTexts.incomplete, 0, 0],
    ['price >', checkTexts.incomplete, 7, 7],
    ['price > 1 2', checkTexts.unexpected('2'), 10, 11],
    ["code = 'a", checkTexts.unclosed("'"), 7, 8],
    ['price / 2 > 1', checkTexts.unexpected('/'), 6, 7],
    ['round(price) > 1', checkTexts.unknownFunction('round'), 0, 5],
    ['price is 1', checkTexts.unexpected('1'), 9, 10],
    ['null = price', checkTexts.unexpected('null'), 0, 4],
    ['price not 1', checkTexts.unexpected('1'), 10, 11],
    ['price in ()', checkTexts.unexpected(')'), 10, 11],
  ])('refuses %s and names the place', (text, fault, from, to) => {
    expect(readCondition(text)).toEqual({ fault, from, to })
  })

  it('is read in one pass, with limits of its depth and size', () => {
    for (const hostile of [
      '('.repeat(10_000),
      'not '.repeat(4_000),
      'a and '.repeat(3_000),
      '- '.repeat(9_000),
      `"${'"'.repeat(9_000)}`,
    ])
      expect(readCondition(hostile)).toHaveProperty('fault')
    expect(readCondition('x'.repeat(limits.checks.text + 1))).toHaveProperty('fault', checkTexts.tooLarge)
    let deep: Expression = { kind: 'attribute', uid: '', name: 'active' }
    for (let level = 0; level < 90; level += 1) deep = call('not', deep)
    expect(typed(deep).fault).toBe(checkTexts.tooLarge)
    const long: Expression = { kind: 'text', value: 'x'.repeat(limits.checks.text) }
    expect(typed(call('=', { kind: 'attribute', uid: '', name: 'code' }, long)).fault).toBe(checkTexts.tooLarge)
  })
})

describe('the types of a condition', () => {
  it.each([
    ['price', checkTexts.noCondition('price')],
    ['true and active', checkTexts.noCondition('true')],
    ['nobody > 1', checkTexts.unknown('nobody')],
    ['price = code', checkTexts.others('price = code', 'a number', 'a text')],
    ["code < 'a'", checkTexts.noOrder("code < 'a'", 'a text')],
    ['active < true', checkTexts.noOrder('active < true', 'a boolean')],
    ['data = data', checkTexts.uncompared('data = data')],
    ["from > '2026-02-30'", checkTexts.notA("'2026-02-30'", 'this must be a date such as 2026-01-31.')],
    ['from > at', checkTexts.others('from > at', 'a date', 'a moment')],
    ['day(at) = 1', checkTexts.noInstantParts('day(at)')],
    ["concat(code, note) = 'x'", checkTexts.maybeNull('note')],
    ['ratio * 2 > 1', checkTexts.notExact('ratio')],
    ['open + 1 > 1', checkTexts.notExact('open')],
    ['big * big * big > 1', checkTexts.tooManyDigits('big * big * big')],
    ['count in (1, count)', checkTexts.inValues('count in (1, count)')],
    ['length(count) = 1', checkTexts.needs('length(count)', 'length', 'a text')],
    ['ratio = 0.10000000000000000001', checkTexts.doubleDigits('0.10000000000000000001')],
    ['single = 0.1', checkTexts.singleDigits('0.1')],
    ['single = ratio', checkTexts.others('single = ratio', 'a number of single precision', 'a double')],
    ['(price > 1) = active', checkTexts.noValue('price > 1')],
    ["length('a') = 1", checkTexts.noAttribute("length('a') = 1")],
    ['year(from, to) = 1', checkTexts.operands('year(from, to)')],
  ])('refuse %s', (text, fault) => {
    expect(typed(read(text))).toEqual({ fault })
  })
})

describe('a condition of a record', () => {
  it.each<[string, Record<string, string>, boolean | null]>([
    ['price >= 0 and (discount is null or discount < price)', { price: '1.00', discount: '1' }, false],
    ['price >= 0 and (discount is null or discount < price)', { price: '1.00' }, true],
    ['discount > 1 or price > 1', { price: '1' }, null],
    ['discount > 1 and price > 1', { price: '1' }, false],
    ['not (discount > 1)', {}, null],
    ['count in (1, 2)', {}, null],
    ['count not in (1, 2)', { count: '3' }, true],
    ['price * count = 0.3', { price: '0.1', count: '3' }, true],
    ['big * big > 1', { big: '-9223372036854775808' }, true],
    ['ratio = 0.1', { ratio: '0.1' }, true],
    ['from <= to', { from: '2026-01-31', to: '2026-01-31' }, true],
    ["at < '2026-01-31T13:00:00+02:00'", { at: '2026-01-31T10:59:59.5Z' }, true],
    ["at = '2026-01-31T13:00:00.500Z'", { at: '2026-01-31T13:00:00.5Z' }, true],
    ['year(from) = 2026 and month(from) = 1 and day(from) = 31', { from: '2026-01-31' }, true],
    ['length(code) = 2 and code <> upper(code)', { code: 'ä😀' }, false],
    ["lower(trim(code)) = concat('a', coalesce(note, 'b'))", { code: '  AB ' }, true],
    ["guid = '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", { guid: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' }, true],
    ['active', { active: 'false' }, false],
    ['not active = false', { active: 'true' }, true],
    ['data is not null', { data: '{}' }, true],
    ["coalesce(to, '9999-12-31') >= from", { from: '2026-01-01' }, true],
  ])('%s with %j is %s', (text, record, expected) => {
    expect(result(text, record)).toBe(expected)
  })
})
