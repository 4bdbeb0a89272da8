import type { DataStep } from '@cadmus/model/data-steps'
import { newEntityContent } from '@cadmus/model/entity'
import { checkTexts } from '@cadmus/model/messages/checks'
import { dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { columnsOfBoth, emptyForm, formOf, stepOf } from './data-step-form.ts'

const column = (name: string, uid = name, dataType: 'string' | 'integer' = 'string') =>
  newTypeAttribute({ uid, name, position: 0, dataType })
const contents = {
  before: newEntityContent({ name: 'Person', typeAttributes: [column('name'), column('old', 'stays')] }),
  after: newEntityContent({ name: 'Person', typeAttributes: [column('first'), column('now', 'stays')] }),
}

it('offers the attributes of both states, with the names that they have now', () => {
  expect(columnsOfBoth(contents).map(({ uid }) => uid)).toEqual(['first', 'stays', 'name'])
})

it.each<DataStep>([
  { kind: 'fill', uid: 'a', attribute: { uid: 'first', name: 'first' }, value: { kind: 'text', value: "it's" } },
  {
    kind: 'map',
    uid: 'a',
    attribute: { uid: 'stays', name: 'now' },
    values: [
      { from: 'yes', to: 'a = b' },
      { from: '', to: null },
    ],
  },
  {
    kind: 'derive',
    uid: 'a',
    attribute: { uid: 'first', name: 'first' },
    from: {
      kind: 'call',
      operator: 'part',
      operands: [
        { kind: 'attribute', uid: 'name', name: 'name' },
        { kind: 'text', value: ' ' },
        { kind: 'number', value: '1' },
      ],
    },
    back: null,
  },
])('a step %j comes back from its form', step => {
  expect(stepOf(formOf(step), 'a', contents)).toEqual({ step })
})

it('names mean the columns before, and down those after', () => {
  const form = { ...emptyForm, kind: 'derive' as const, attribute: 'stays', up: 'OLD', back: 'now' }
  expect(stepOf(form, 'a', contents).step).toMatchObject({
    from: { kind: 'attribute', uid: 'stays', name: 'old' },
    back: { kind: 'attribute', uid: 'stays', name: 'now' },
  })
})

it.each([
  [{ kind: 'fill', attribute: '', up: '1' }, 'attribute', texts.noAttribute],
  [{ kind: 'fill', attribute: 'first', up: 'nothing' }, 'up', checkTexts.unknown('nothing')],
  [{ kind: 'fill', attribute: 'first', up: '' }, 'up', checkTexts.incomplete],
  [{ kind: 'map', attribute: 'first', lines: 'yes' }, 'lines', texts.noLine],
  [{ kind: 'map', attribute: 'first', lines: '' }, 'lines', texts.noValues],
  [{ kind: 'derive', attribute: 'first' }, 'up', texts.noDirection],
  [{ kind: 'derive', attribute: 'first', back: 'name +' }, 'back', checkTexts.incomplete],
] as const)('a form %j has a fault in %s', (form, field, fault) => {
  expect(stepOf({ ...emptyForm, ...form }, 'a', contents)).toEqual({ fault, field })
})
