import type * as z from 'zod'
import { contentTexts } from './messages/values.ts'
import { formatCount } from './display.ts'

type Issue = z.core.$ZodRawIssue
type Sized = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig> | z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>

/**
 * Texts for schema issues without a specific message, replacing the texts of the library. Each starts with 'This' and
 * needs its path for context. Apps install them for all schemas: `z.config({ localeError: schemaWords })`.
 */
export function schemaWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords(issue.expected, issue.input)
    case 'invalid_value':
      return `This must be ${oneOf(issue.values.map(value => (typeof value === 'string' ? `"${value}"` : String(value))))}.`
    case 'too_big':
      return sizeWords(issue, issue.maximum, { orEqual: 'at most', strict: 'less than' })
    case 'too_small':
      return sizeWords(issue, issue.minimum, { orEqual: 'at least', strict: 'more than' })
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `This does not accept ${issue.keys.map(key => `"${key}"`).join(', ')}.`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'This must be a date and time such as 2026-01-31T12:00:00Z.'
        : `This is not ${issue.format === 'uuid' ? 'a valid UUID' : 'in the required format'}.`
    default:
      return 'This value is not allowed.'
  }
}

/** Whether a message is meaningless without its path. */
export function needsPlace(sentence: string): boolean {
  return sentence.startsWith('This ')
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeWords(expected: string, input: unknown): string {
  if (input === undefined) return contentTexts.missing
  const [expectedKind, actualKind] = [kinds[expected], kindOf(input)]
  if (expectedKind === undefined) return 'This value is not allowed.'
  // The message must not say that a fraction is not a number.
  const isNumber = typeof input === 'number' && (expected === 'number' || expected === 'int')
  return isNumber ? `This must be ${expectedKind}.` : `This must be ${expectedKind}, not ${actualKind}.`
}

function kindOf(input: unknown): string {
  if (input === null || typeof input === 'boolean') return String(input)
  if (Array.isArray(input)) return 'a list'
  return kinds[typeof input] ?? 'something else'
}

function oneOf(values: readonly string[]): string {
  const last = values.at(-1) ?? ''
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`
}

/** Describes the violated limit of a length or a number. */
function sizeWords(issue: Sized, limit: number | bigint, words: { orEqual: string; strict: string }): string {
  const bound = issue.exact ? 'exactly' : issue.inclusive === false ? words.strict : words.orEqual
  const count = formatCount(Number(limit))
  const unit = units[issue.origin]
  if (unit === undefined) return `This must be ${issue.exact ? count : `${bound} ${count}`}.`
  return `This must have ${bound} ${count} ${unit}${Number(limit) === 1 ? '' : 's'}.`
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'item' }
