import type { ScriptDatabase } from '../databases.ts'
import { constantOf, type Constant } from './constant.ts'
import { partsOf, type Expression } from './expression.ts'

/** The meaning of a check for its only column. `nothing`: the column's type implies it. */
export type Meaning =
  | { kind: 'choices'; values: readonly Constant[] }
  | { kind: 'length' | 'fixed'; length: number }
  | { kind: 'guid' | 'json' | 'required' | 'nothing' }

/** The names of the columns of a condition. */
export function columnNames(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>()
  const open = [expression]
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.kind === 'column') names.add(part.name)
    for (const inner of partsOf(part)) open.push(inner)
  }
  return names
}

/** The meanings of the condition for its column; null if the model cannot express it. */
export function meaningsOf(expression: Expression, dialect: ScriptDatabase): Meaning[] | null {
  const values = members(expression, dialect)
  if (values) return [{ kind: 'choices', values }]
  const single = singleMeaning(expression)
  if (single) return [single]
  if (expression.kind !== 'all') return null
  const meanings: Meaning[] = []
  for (const part of expression.parts) {
    const inner = meaningsOf(part, dialect)
    if (!inner) return null
    for (const meaning of inner) meanings.push(meaning)
  }
  return meanings
}

/** The values allowed for the column; null for any other condition. */
function members(expression: Expression, dialect: ScriptDatabase): Constant[] | null {
  switch (expression.kind) {
    case 'in':
      return expression.left.kind === 'column' ? constants(expression.parts) : null
    case 'compare':
      return equal(expression)
    case 'any': {
      // SQL Server stores a list as comparisons in reverse order.
      const isReversed = dialect === 'mssql' && expression.parts.every(part => part.kind === 'compare')
      return concatenate(isReversed ? expression.parts.toReversed() : expression.parts, dialect)
    }
    case 'all': {
      if (dialect !== 'mssql') return null
      const others = expression.parts.filter(part => !isTrailingSpaceCheck(part))
      const [only] = others
      return only && others.length === 1 && expression.parts.length > 1 ? members(only, dialect) : null
    }
    default:
      return null
  }
}

function concatenate(parts: readonly Expression[], dialect: ScriptDatabase): Constant[] | null {
  const values: Constant[] = []
  for (const part of parts) {
    const allowed = members(part, dialect)
    if (!allowed) return null
    for (const value of allowed) values.push(value)
  }
  return values
}

function equal(expression: Expression & { kind: 'compare' }): Constant[] | null {
  const { operator, left, right } = expression
  if (operator !== '=') return null
  if (left.kind === 'column') return constants([right])
  return right.kind === 'column' ? constants([left]) : null
}

function constants(parts: readonly Expression[]): Constant[] | null {
  const values: Constant[] = []
  for (const part of parts) {
    const value = constantOf(part)
    if (!value) return null
    values.push(value)
  }
  return values
}

/** Detects the check by which generated scripts distinguish trailing spaces: `NOT LIKE '% '`, or a length in bytes. */
function isTrailingSpaceCheck(expression: Expression): boolean {
  if (expression.kind === 'not') {
    const { part } = expression
    return part.kind === 'matches' && part.operator === 'LIKE' && textOf(part.pattern) === '% '
  }
  return expression.kind === 'compare' && expression.operator === '=' && isCall(expression.left, 'DATALENGTH')
}

function singleMeaning(expression: Expression): Meaning | null {
  switch (expression.kind) {
    case 'isJson':
      return { kind: 'json' }
    case 'isPresent':
      return expression.part.kind === 'column' ? { kind: 'required' } : null
    case 'matches':
      return expression.operator === 'REGEXP' && isGuidPattern(expression.pattern) ? { kind: 'guid' } : null
    case 'call':
      return callMeaning(expression)
    case 'between':
      return isBound(expression.low) && isBound(expression.high) ? { kind: 'nothing' } : null
    case 'compare':
      return comparisonMeaning(expression)
    default:
      return null
  }
}

function callMeaning({ name, parts }: Expression & { kind: 'call' }): Meaning | null {
  if (name === 'JSON_VALID') return { kind: 'json' }
  const [, pattern] = parts
  const isPattern = name === 'REGEXP_LIKE' || name === 'REGEXP_MATCHES'
  return isPattern && pattern && isGuidPattern(pattern) ? { kind: 'guid' } : null
}

function comparisonMeaning({ operator, left, right }: Expression & { kind: 'compare' }): Meaning | null {
  if (isCall(left, 'ISJSON')) return { kind: 'json' }
  const bound = numberOf(right)
  // Generated scripts exclude values of fixed length that were filled with spaces.
  if (isLength(left, 'RTRIM') && bound !== null && operator === '=') return { kind: 'fixed', length: bound }
  if (isLength(left) && bound !== null && (operator === '<=' || operator === '<')) {
    const length = operator === '<' ? bound - 1 : bound
    return Number.isSafeInteger(length) && length > 0 ? { kind: 'length', length } : null
  }
  // Generated scripts exclude infinite numbers and zero dates this way; the model has neither.
  const isNumber = left.kind === 'sum' && left.parts.every(isColumnOrNegative) && bound === 0
  const isDay = left.kind === 'product' && isDateParts(left) && bound === 0 && operator === '>'
  const isWithin = left.kind === 'column' && isBound(right) && operator !== '=' && operator !== '<>'
  return isNumber || isDay || isWithin ? { kind: 'nothing' } : null
}

function isColumnOrNegative(part: Expression): boolean {
  return part.kind === 'column' || (part.kind === 'negative' && part.part.kind === 'column')
}

const lengths = new Set(['CHAR_LENGTH', 'CHARACTER_LENGTH', 'LENGTH', 'LEN'])

/** The number of characters of a column, or of a function of it, in any database's notation. */
function isLength(expression: Expression, of?: string): boolean {
  const isCounted = (part: Expression | undefined) =>
    of === undefined ? part?.kind === 'column' : isCall(part, of) && part.parts[0]?.kind === 'column'
  if (expression.kind === 'call' && expression.name === '/') {
    const [bytes, two] = expression.parts
    const isBytes = isCall(bytes, 'DATALENGTH') && (of === undefined || isCounted(bytes.parts[0]))
    return expression.parts.length === 2 && isBytes && two !== undefined && numberOf(two) === 2
  }
  if (expression.kind !== 'call' || !lengths.has(expression.name)) return false
  const [part] = expression.parts
  if (isCall(part, 'REGEXP_REPLACE')) return isCounted(part.parts[0]) && textOf(part.parts[2]) === 'x'
  return isCounted(part)
}

/** A combination of year, month and day. */
function isDateParts(expression: Expression): boolean {
  if (expression.kind === 'product') return expression.parts.every(isDateParts)
  return expression.kind === 'call' && ['YEAR', 'MONTH', 'DAY', 'DAYOFMONTH'].includes(expression.name)
}

/** The range of dates and times that all databases share. */
const bounds = /^(?:0001-01-01|9999-12-31)(?:[ T]|$)|^(?:24:00|00:00:00|23:59:59\.999999)/

function isBound(expression: Expression): boolean {
  const constant = constantOf(expression)
  return constant !== null && typeof constant.value === 'string' && bounds.test(constant.value)
}

function isGuidPattern(expression: Expression): boolean {
  return /\{8\}\(-\[[^\]]*\]\{4\}\)\{3\}-/.test(textOf(expression) ?? '')
}

function isCall(expression: Expression | undefined, name: string): expression is Expression & { kind: 'call' } {
  return expression?.kind === 'call' && expression.name === name
}

function textOf(expression: Expression | undefined): string | undefined {
  const constant = expression && constantOf(expression)
  return constant?.kind === 'text' ? constant.value : undefined
}

function numberOf(expression: Expression): number | null {
  const constant = constantOf(expression)
  return constant?.kind === 'number' ? Number(constant.value) : null
}
