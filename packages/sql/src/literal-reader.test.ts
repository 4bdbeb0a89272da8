import { defaultValue } from '@cadmus/model/rules/type-attribute'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { validate } from '@cadmus/model/validate'
import { describe, expect, it } from 'vitest'
import { tablesOf } from './tables.ts'

// Rules, validation and schema use the same reader: they accept the same values.

const types: readonly Partial<TypeAttribute>[] = [
  { dataType: 'boolean' },
  { dataType: 'boolean', format: 'int16' },
  { dataType: 'integer' },
  { dataType: 'integer', format: 'int16' },
  { dataType: 'integer', format: 'date' },
  { dataType: 'double' },
  { dataType: 'double', precision: 5, scale: 2 },
  { dataType: 'double', precision: 2, scale: 4 },
  { dataType: 'double', format: 'decimal' },
  { dataType: 'double', format: 'decimal', scale: 2 },
  { dataType: 'float', scale: 1 },
  { dataType: 'dateTime' },
  { dataType: 'dateTime', format: 'date' },
  { dataType: 'dateTime', format: 'time' },
  { dataType: 'string' },
  { dataType: 'string', maxLength: 5 },
  { dataType: 'string', unique: true },
  { dataType: 'string', indexed: true, maxLength: 300 },
  { dataType: 'string', format: 'guid' },
  { dataType: 'string', format: 'guid', maxLength: 10 },
  { dataType: 'string', format: 'date', maxLength: 8 },
  { dataType: 'string', format: 'time' },
  { dataType: 'string', format: 'json' },
  { dataType: 'string', format: 'binary' },
  { dataType: 'object' },
  { dataType: 'object', format: 'text', maxLength: 2 },
  { dataType: 'object', format: 'binary' },
]

const guid = '018F3B5C-0000-7000-8000-00000000000a'
const texts = [
  '',
  ' ',
  'true',
  'TRUE',
  ' true ',
  '1',
  ' 5 ',
  '+7',
  '007',
  '40000',
  '9223372036854775808',
  '1.5',
  '.5',
  '5.',
  '1e2',
  '1.234',
  '123456',
  '1e999',
  '0.12345',
  '2026-01-31',
  ' 2026-01-31',
  '2026-01-31T13:45:00Z',
  '13:45',
  '24:00',
  guid,
  `{${guid}}`,
  '{"a":1}',
  '"\\u0000"',
  '[]',
  'AAEC',
  'abcdef',
  '\0',
  '\ud800',
  'x'.repeat(256),
]

/** For an attribute: whether the schema has its default and its check, and the problems reported by validation. */
function outcome(attribute: TypeAttribute) {
  const resolvedModel = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), attribute) })])
  const { schema, notes } = tablesOf(resolvedModel, { applyAutoIncrement: true })
  const [table] = schema.tables
  const problems = validate(resolvedModel).map(({ code }) => code)
  return {
    written: table?.columns.at(-1)?.default !== null,
    checked: table?.checks.length === 1,
    problems,
    notes: notes.map(({ code }) => code),
  }
}

describe('Values in rules, validation and schema', () => {
  it.each(types)('exactly the valid default values of %o are written', type => {
    for (const text of texts) {
      const attribute = aTypeAttribute({ ...type, name: 'value', defaultValue: text })
      const isValid = defaultValue(text, attribute) === undefined
      const { written, problems, notes } = outcome(attribute)
      expect([text, written, problems.includes('defaultType'), notes.includes('defaultType')]).toEqual([
        text,
        isValid,
        !isValid,
        !isValid,
      ])
    }
  })

  it.each(types)('choices of %o are checked or reported by validation', type => {
    const isCompared = type.dataType !== 'object'
    for (const text of texts.filter(one => one.trim() !== '')) {
      const { checked, problems, notes } = outcome(aTypeAttribute({ ...type, name: 'value', choices: [text] }))
      const isUnfit = problems.includes('choicesType')
      expect([text, checked]).toEqual([text, isCompared && !isUnfit])
      expect([text, notes.includes('choicesType'), notes.includes('choicesUncompared')]).toEqual([
        text,
        isCompared && isUnfit,
        !isCompared,
      ])
    }
  })

  it.each(types)('a default of %o that is one of its choices must still match its type', type => {
    for (const text of texts) {
      const attribute = aTypeAttribute({ ...type, name: 'value', choices: [text, 'other'], defaultValue: text })
      const { written, problems } = outcome(attribute)
      const isValid = defaultValue(text, attribute) === undefined
      expect([text, written, problems.includes('defaultType')]).toEqual([text, isValid, !isValid])
    }
  })
})
