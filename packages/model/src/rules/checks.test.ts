import { expect, it } from 'vitest'
import { readCondition } from '../conditions/text.ts'
import type { Check } from '../conditions/condition.ts'
import { withSettledChecks } from '../checks.ts'
import { newEntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { checkTexts } from '../messages/checks.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { checkFault } from './checks.ts'
import { entityProblems } from './entity.ts'

const columns = [
  newTypeAttribute({ uid: 'p', name: 'price', position: 0, dataType: 'double', precision: 10, scale: 2 }),
  newTypeAttribute({ uid: 'n', name: 'note', position: 1 }),
]

function check(text: string, fields: Partial<Check> = {}): Check {
  const read = readCondition(text)
  if ('fault' in read) throw new Error(read.fault)
  return { uid: text, name: '', message: '', condition: read.condition, ...fields }
}

function checked(checks: readonly Check[], fields: object = {}) {
  return withSettledChecks(newEntityContent({ name: 'Item', typeAttributes: columns, checks: [...checks], ...fields }))
}

const messagesOf = (...of: Parameters<typeof entityProblems>) => entityProblems(...of).map(({ message }) => message)

it('a fault of a check names the check and the part', () => {
  expect(messagesOf(checked([check('price > note'), check('price >= 0', { name: 'ck', message: 'x' })]))).toEqual([
    checkTexts.inCheck('price > note', checkTexts.others('price > note', 'a number', 'a text')),
  ])
  expect(messagesOf(checked([check('colour = 1', { name: 'ck' })]))).toEqual([
    checkTexts.inCheck('ck', checkTexts.unknown('colour')),
  ])
})

it('a type that its check refuses is refused with the name of the check; a former fault is accepted', () => {
  const before = checked([check('price >= 0')])
  const typeAttributes = before.typeAttributes.map(item => ({
    ...item,
    dataType: 'string' as const,
    precision: null,
    scale: null,
  }))
  const after = { ...before, typeAttributes }
  const fault = checkTexts.inCheck('price >= 0', checkTexts.others('price >= 0', 'a text', 'a number'))
  expect(messagesOf(after, { previous: before })).toEqual([fault])
  expect(messagesOf(after, { previous: after })).toEqual([])
})

it('names are unique, and all texts have a limit', () => {
  const [first, second] = [check('price > 1', { name: 'ck' }), check('price > 2', { name: 'CK' })]
  expect(checkFault(second, checked([first, second]))).toBe(checkTexts.sameName('CK'))
  expect(checkFault(first, checked([first, second]))).toBe(checkTexts.sameName('ck'))
  expect(checkFault(check('price > 1', { name: 'a\nb' }), checked([]))).toBe(checkTexts.name)
  expect(checkFault(check('price > 1', { message: 'x'.repeat(401) }), checked([]))).toBe(checkTexts.message)
  const many = Array.from({ length: limits.checks.max + 1 }, (_, at) => check(`colour > ${at}`))
  expect(messagesOf(checked(many))).toHaveLength(1)
})

it('an attribute that may be inherited is of any type', () => {
  const extendsEntity = { id: 2, name: 'Base', path: 'user-defined/Base' }
  expect(
    messagesOf(
      checked([check("inherited > 1 and length(other) + price > 2 and coalesce(a, b) = 'x'")], { extendsEntity }),
    ),
  ).toEqual([])
})
