import { expect, it } from 'vitest'
import { call } from '../conditions/condition.ts'
import type { DataStep } from '../data-steps.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { checkTexts } from '../messages/checks.ts'
import { dataStepTexts as texts } from '../messages/data-steps.ts'
import { contentTexts } from '../messages/values.ts'
import { dataStepFaults } from './data-steps.ts'

const one = { kind: 'number', value: '1' } as const
const attribute = (uid: string) => ({ uid, name: uid })
const fill: DataStep = { kind: 'fill', uid: 'fill', attribute: attribute('a'), value: one }
const map: DataStep = { kind: 'map', uid: 'map', attribute: attribute('b'), values: [{ from: 'x', to: 'y' }] }
const derive: DataStep = { kind: 'derive', uid: 'derive', attribute: attribute('c'), from: one, back: null }

it.each<[DataStep, string]>([
  [{ ...fill, attribute: attribute('') }, texts.noAttribute],
  [{ ...map, values: [] }, texts.noValues],
  [
    {
      ...map,
      values: [
        { from: 'x', to: 'y' },
        { from: 'x', to: null },
      ],
    },
    texts.sameValue('x'),
  ],
  [{ ...map, values: [{ from: 'x'.repeat(limits.dataSteps.value + 1), to: null }] }, texts.tooManyValues],
  [{ ...derive, from: null }, texts.noDirection],
  [
    { ...fill, value: call('coalesce', ...Array.from({ length: limits.checks.nodes }, () => one)) },
    checkTexts.tooLarge,
  ],
  [{ ...fill, uid: 'x'.repeat(61) }, contentTexts.unusableUid],
  [{ ...fill, attribute: { uid: 'a', name: 'x'.repeat(limits.sqlName + 1) } }, texts.noAttribute],
  [{ ...fill, value: { kind: 'text', value: 'x'.repeat(limits.checks.text + 1) } }, checkTexts.tooLarge],
  [{ ...fill, value: { kind: 'number', value: '1; x' } }, checkTexts.notExact('1; x')],
  [{ ...derive, from: null, back: call('part') }, checkTexts.operands('part()')],
])('a step %j is refused', (step, message) => {
  expect(dataStepFaults([step], [])).toEqual([texts.inStep(step.attribute.name, message)])
  expect(dataStepFaults([step], [step])).toEqual([])
})

it('two steps with one uid, and too many of them, are refused', () => {
  expect(dataStepFaults([fill, fill], [])).toEqual([texts.inStep('a', messages.uidTaken('fill'))])
  const many = Array.from({ length: limits.dataSteps.max + 1 }, (_, at) => ({ ...fill, uid: `step ${at}` }))
  expect(dataStepFaults(many, [])).toEqual([texts.tooMany])
  expect(dataStepFaults(many, many)).toEqual([])
})
