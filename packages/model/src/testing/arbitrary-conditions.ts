import { type Column, columnName } from '../columns.ts'
import { call, type Expression, isTooLarge } from '../conditions/condition.ts'
import { typedCondition } from '../conditions/types.ts'
import { foldName } from '../paths.ts'
import { conditionColumn } from '../rules/checks.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import type { Random } from './seeded-random.ts'

// For tests only: attributes of every kind that conditions compare, their values, and random conditions.

const shapes = {
  small: { dataType: 'integer', format: 'int16' },
  count: { dataType: 'integer', format: 'int32' },
  big: { dataType: 'integer' },
  digits: { dataType: 'integer', precision: 20 },
  price: { dataType: 'double', precision: 10, scale: 2 },
  rate: { dataType: 'double', precision: 8, scale: 4 },
  open: { dataType: 'double', format: 'decimal' },
  ratio: { dataType: 'double' },
  single: { dataType: 'float', format: 'single' },
  code: { maxLength: 20 },
  other: { maxLength: 40 },
  note: {},
  guid: { format: 'guid' },
  active: { dataType: 'boolean' },
  born: { dataType: 'dateTime', format: 'date' },
  died: { dataType: 'dateTime', format: 'date' },
  opens: { dataType: 'dateTime', format: 'time' },
  made: { dataType: 'dateTime' },
  seen: { dataType: 'dateTime', format: 'local' },
  sent: { dataType: 'dateTime', format: 'instant' },
} as const satisfies Record<string, Partial<TypeAttribute>>
type Name = keyof typeof shapes

/** A text is required, so that it can be concatenated. */
export const conditionAttributes: readonly TypeAttribute[] = Object.entries(shapes).map(([name, shape], at) =>
  newTypeAttribute({ name, position: at + 1, nullable: name !== 'code', ...shape }),
)

const texts = ['', 'a', 'A', 'ab', 'AB ', ' ab', "it's", 'ä', 'Ä', 'ß', 'İ', '😀', 'a\\b', 'x'.repeat(20), 'ı', 'ﬁ']
const moments = ['2026-01-31T13:45:00', '2026-01-31T13:45:00.5', '2026-01-31T13:45:00.500001', '2024-02-29T00:00:00']
const dates = ['2026-01-31', '2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31']

/** Values of the attributes as texts, some with edges. */
export const conditionValues: Readonly<Record<Name, readonly string[]>> = {
  small: ['0', '1', '-32768', '32767', '7'],
  count: ['0', '1', '-2147483648', '2147483647', '12'],
  big: ['0', '1', '-9223372036854775808', '9223372036854775807', '-3'],
  digits: ['0', '99999999999999999999', '-99999999999999999999', '5'],
  price: ['0', '0.1', '-0.01', '99999999.99', '12.5'],
  rate: ['0', '0.0001', '-9999.9999', '0.1', '1'],
  open: ['0', '0.1', '123456789012345.678', '-5'],
  ratio: ['0', '0.1', '-2.5', '1e300', '123456.789'],
  single: ['0', '0.1', '-2.5', '3.4028235e38', '16777216'],
  code: texts,
  other: texts,
  note: texts,
  guid: ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '00000000-0000-4000-8000-000000000000'],
  active: ['true', 'false'],
  born: dates,
  died: dates,
  opens: ['00:00:00', '13:45:00', '13:45:00.5', '23:59:59.999999'],
  made: moments,
  seen: moments,
  sent: moments.map(moment => `${moment}Z`),
}

/** A condition that follows the rules. */
export function arbitraryCondition(random: Random): Expression {
  const byName = new Map(conditionAttributes.map(attribute => [foldName(attribute.name), conditionColumn(attribute)]))
  for (;;) {
    const condition = conditionOf(random, random.between(1, 3))
    if (typedCondition(condition, ({ name }) => byName.get(foldName(name))).typed) return condition
  }
}

/** A condition on some of these columns that follows the rules; undefined if none was drawn. */
export function arbitraryConditionOn(columns: readonly Column[], random: Random): Expression | undefined {
  const byUid = new Map(columns.map(column => [column.uid, conditionColumn(column)]))
  for (let tries = 0; tries < 20; tries += 1) {
    const parts = Array.from({ length: random.pick([1, 1, 2]) }, () => partOn(random.pick(columns), columns, random))
    const whole = parts.length === 1 && parts[0] ? parts[0] : call(random.pick(['and', 'or']), ...parts)
    const condition = random.chance(0.1) ? call('not', whole) : whole
    if (typedCondition(condition, ({ uid }) => byUid.get(uid)).typed && !isTooLarge(condition)) return condition
  }
  return undefined
}

function partOn(column: Column, columns: readonly Column[], random: Random): Expression {
  const own: Expression = { kind: 'attribute', uid: column.uid, name: columnName(column) }
  if (random.chance(0.15)) return call('isNull', own)
  const { kind } = conditionColumn(column).type
  const alike = columns.filter(other => conditionColumn(other).type.kind === kind && other !== column)
  const other = alike.length > 0 && random.chance(0.3) ? random.pick(alike) : undefined
  const operand = (value: () => Expression): Expression =>
    other ? { kind: 'attribute', uid: other.uid, name: columnName(other) } : value()
  switch (kind) {
    case 'number': {
      if (random.chance(0.2)) return call('in', own, ...Array.from({ length: 3 }, () => numberLiteral(random)))
      const sum = random.chance(0.3) ? call(random.pick(['+', '-', '*']), own, numberLiteral(random)) : own
      return call(
        random.pick(orders),
        sum,
        operand(() => numberLiteral(random)),
      )
    }
    case 'double':
    case 'single':
      return call(random.pick(orders), own, { kind: 'number', value: random.pick(['0', '-2.5', '0.125', '7']) })
    case 'text': {
      const value = () => textLiteral(random.pick(texts))
      if (random.chance(0.2)) return call('in', own, value(), value())
      if (random.chance(0.3)) return call(random.pick(orders), call('length', own), { kind: 'number', value: '3' })
      const changed = random.chance(0.3) ? call(random.pick(['lower', 'upper', 'trim']), own) : own
      return call(random.pick(['=', '<>']), changed, operand(value))
    }
    case 'guid':
      return call(random.pick(['=', '<>', 'in']), own, textLiteral(random.pick(conditionValues.guid)))
    case 'boolean':
      return random.chance(0.5) ? own : call('=', own, { kind: 'boolean', value: random.chance(0.5) })
    default: {
      const name = ({ date: 'born', time: 'opens', instant: 'sent' } as const)[String(kind)] ?? 'made'
      return call(
        random.pick(orders),
        own,
        operand(() => textLiteral(random.pick(conditionValues[name]))),
      )
    }
  }
}

function attribute(name: Name): Expression {
  return { kind: 'attribute', uid: '', name }
}

function conditionOf(random: Random, depth: number): Expression {
  if (depth > 0 && random.chance(0.6)) {
    const inner = () => conditionOf(random, depth - 1)
    if (random.chance(0.3)) return call('not', inner())
    return call(random.pick(['and', 'or']), ...Array.from({ length: random.between(2, 3) }, inner))
  }
  const kind = random.pick([
    'number',
    'number',
    'number',
    'text',
    'text',
    'moment',
    'moment',
    'boolean',
    'double',
    'single',
    'guid',
    'null',
  ])
  switch (kind) {
    case 'number': {
      const number = () => numberOf(random, 2)
      return random.chance(0.2)
        ? call('in', number(), ...Array.from({ length: 3 }, () => numberLiteral(random)))
        : call(random.pick(orders), number(), number())
    }
    case 'text': {
      const text = () => textOf(random, 2)
      return random.chance(0.3)
        ? call('in', text(), ...Array.from({ length: 3 }, () => textLiteral(random.pick(texts))))
        : call(random.pick(['=', '<>']), text(), text())
    }
    case 'moment': {
      const name = random.pick(['born', 'died', 'opens', 'made', 'seen', 'sent'] as const)
      const value = () => textLiteral(random.pick(conditionValues[name]))
      const side = (): Expression => {
        const own = attribute(name === 'died' && random.chance(0.5) ? 'born' : name)
        return random.chance(0.3) ? call('coalesce', own, value()) : own
      }
      return random.chance(0.2)
        ? call('in', attribute(name), value(), value())
        : call(random.pick(orders), side(), random.chance(0.5) ? side() : value())
    }
    case 'boolean':
      return random.chance(0.5)
        ? attribute('active')
        : call(random.pick(['=', '<>']), attribute('active'), { kind: 'boolean', value: random.chance(0.5) })
    case 'single':
      return call(random.pick(orders), attribute('single'), {
        kind: 'number',
        value: random.pick(['0', '-2.5', '16777216', '0.125']),
      })
    case 'double':
      return call(random.pick(orders), attribute('ratio'), {
        kind: 'number',
        value: random.pick(['0.1', '0', '-2.5', '7']),
      })
    case 'guid':
      return call(random.pick(['=', '<>', 'in']), attribute('guid'), textLiteral(random.pick(conditionValues.guid)))
    default:
      return call('isNull', attribute(random.pick(Object.keys(shapes) as Name[])))
  }
}

const orders = ['=', '<>', '<', '<=', '>', '>='] as const

function textLiteral(value: string): Expression {
  return { kind: 'text', value }
}

function numberLiteral(random: Random): Expression {
  return {
    kind: 'number',
    value: random.pick(['0', '1', '-1', '0.1', '-0.01', '12.5', '2147483648', '9223372036854775808', '3']),
  }
}

function numberOf(random: Random, depth: number): Expression {
  if (depth > 0 && random.chance(0.45)) {
    const inner = () => numberOf(random, depth - 1)
    switch (random.pick(['+', '-', '*', 'length', 'part', 'coalesce'])) {
      case 'length':
        return call('length', textOf(random, 1))
      case 'part':
        return call(random.pick(['year', 'month', 'day']), attribute(random.pick(['born', 'made', 'seen'])))
      case 'coalesce':
        return call('coalesce', inner(), inner())
      case '+':
        return call('+', inner(), inner())
      case '-':
        return call('-', inner(), inner())
      default:
        return call('*', inner(), inner())
    }
  }
  if (random.chance(0.25)) return numberLiteral(random)
  return attribute(random.pick(['small', 'count', 'big', 'digits', 'price', 'rate', 'open']))
}

function textOf(random: Random, depth: number): Expression {
  if (depth > 0 && random.chance(0.5)) {
    const inner = () => textOf(random, depth - 1)
    switch (random.pick(['lower', 'upper', 'trim', 'concat', 'coalesce'])) {
      case 'concat':
        return call('concat', ...[inner(), inner()].map(one => call('coalesce', one, textLiteral('x'))))
      case 'coalesce':
        return call('coalesce', inner(), inner())
      case 'trim':
        return call('trim', inner())
      case 'upper':
        return call('upper', inner())
      default:
        return call('lower', inner())
    }
  }
  return random.chance(0.3) ? textLiteral(random.pick(texts)) : attribute(random.pick(['code', 'other', 'note']))
}
