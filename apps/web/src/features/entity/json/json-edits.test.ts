import { shapeAt } from '@cadmus/model/read-content'
import { newEntityContent } from '@cadmus/model/entity'
import { expect, it } from 'vitest'
import {
  fieldText,
  isRemovable,
  validateChange,
  readOnlyReason,
  typedValue,
  withAdded,
  withoutValue,
  withValue,
} from './json-edits.ts'

const json = { a: [1, { b: 'x' }], c: null }

it('sets, adds and removes a JSON value in one place, and leaves the rest unchanged', () => {
  const changed = withValue(json, ['a', 1, 'b'], 'y')
  expect(changed).toEqual({ a: [1, { b: 'y' }], c: null })
  expect(json).toEqual({ a: [1, { b: 'x' }], c: null })
  expect(withAdded(json, ['a', 2], 3)).toEqual({ a: [1, { b: 'x' }, 3], c: null })
  expect(withAdded(json, ['d'], 3)).toEqual({ ...json, d: 3 })
  expect(withoutValue(json, ['a', 0])).toEqual({ a: [{ b: 'x' }], c: null })
  expect(withoutValue(json, ['a', 1, 'b'])).toEqual({ a: [1, {}], c: null })
})

it('parses JSON input into the type of its place', () => {
  const shape = (...path: (string | number)[]) => {
    const place = shapeAt(path)
    if (!place) throw new Error(`There is no place ${path.join('.')}.`)
    return place
  }
  const maxLength = shape('typeAttributes', 0, 'maxLength')
  expect(typedValue('12', shape('name'))).toEqual({ value: '12' })
  expect(typedValue('12', maxLength)).toEqual({ value: 12 })
  expect(typedValue(' ', maxLength)).toEqual({ value: null })
  expect(typedValue('{"x": [1]}', shape('traits', 0))).toEqual({ value: { x: [1] } })
  expect(typedValue('{"x": 1, "x": 2}', shape('traits', 0))).toEqual({
    problem: 'The key "x" occurs twice in one object.',
  })
  for (const number of ['1e400', '12345678901234567890'])
    expect(typedValue(`[${number}]`, shape('traits', 0))).toEqual({
      problem: `The number ${number} cannot be stored exactly: it has too many digits or is too large.`,
    })
  expect(typedValue('{', shape('traits', 0))).toEqual({
    problem: "Syntax Error: Expected '}' before the end (line 1, column 2)",
  })
  expect([fieldText(null, maxLength), fieldText('a', shape('name')), fieldText('a', shape('traits', 0))]).toEqual([
    '',
    'a',
    '"a"',
  ])
})

it('edits only scopes of a locked entity, and never its identity', () => {
  const content = newEntityContent({ name: 'Customer' })
  const locked = { content, id: 1, locked: 'It is locked.' }
  expect(validateChange({ ...content, description: 'x' }, locked)).toEqual({ problem: 'It is locked.' })
  const scopes = { ...content.operationScopes, selectOperationScopes: ['read'] }
  expect(validateChange({ ...content, operationScopes: scopes }, locked)).toEqual({
    content: { ...content, operationScopes: scopes },
  })
  expect(validateChange({ ...content, name: 'a__b' }, { ...locked, locked: null })).toHaveProperty('problem')
  expect(readOnlyReason(['operationScopes', 'selectOperationScopes'], 'It is locked.')).toBe(null)
  expect(readOnlyReason(['name'], 'It is locked.')).toBe('It is locked.')
  expect(readOnlyReason(['typeAttributes', 0, 'uid'], null)).toBe('A uid cannot be changed.')
  expect([isRemovable(content, ['name']), isRemovable(content, ['typeAttributes', 0])]).toEqual([false, true])
})
