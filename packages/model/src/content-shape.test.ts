import { expect, it } from 'vitest'
import { fixedPartAt, shapeAt } from './read-content.ts'

it('describes the allowed values at each path of a content', () => {
  const kinds = (...path: (string | number)[]) => shapeAt(path)
  expect(kinds()).toMatchObject({ kind: 'object' })
  expect(kinds('name')).toEqual({ kind: 'text', nullable: false, optional: false, options: [] })
  expect(kinds('typeAttributes', 3)).toMatchObject({ kind: 'object' })
  expect(kinds('typeAttributes', 3, 'dataType')).toMatchObject({
    kind: 'choice',
    options: ['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string'],
  })
  expect(kinds('typeAttributes', 3, 'maxLength')).toMatchObject({ kind: 'number', nullable: true })
  expect(kinds('typeAttributes', 3, 'format')).toMatchObject({ kind: 'choice', nullable: true })
  expect(kinds('typeAttributes', 3, 'choices', 0)).toMatchObject({ kind: 'text' })
  expect(kinds('operationScopes', 'updateOperationScopes')).toMatchObject({ kind: 'list' })
  expect(kinds('entityAttributes', 0, 'nullable')).toMatchObject({ kind: 'boolean' })
  expect(kinds('entityAttributes', 0, 'associatedEntity', 'uid')).toMatchObject({ kind: 'text', optional: true })
  expect(kinds('traits', 0, 'anything', 'below')).toMatchObject({ kind: 'any', optional: true })
  expect([kinds('colour'), kinds('name', 'x')]).toEqual([undefined, undefined])
})

it('recognises identities and references, except within traits', () => {
  expect([fixedPartAt(['uid']), fixedPartAt(['typeAttributes', 0, 'uid']), fixedPartAt(['format'])]).toEqual(
    Array(3).fill('identity'),
  )
  expect(fixedPartAt(['entityAttributes', 0, 'associatedEntity', 'name'])).toBe('reference')
  expect([
    fixedPartAt(['name']),
    fixedPartAt(['traits', 0, 'uid']),
    fixedPartAt(['typeAttributes', 0, 'format']),
  ]).toEqual(Array(3).fill(undefined))
})
