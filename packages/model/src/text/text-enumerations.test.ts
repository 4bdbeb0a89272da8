import { describe, expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { type EntityContent, newEntityContent } from '../entity.ts'
import type { Enumeration } from '../enumeration.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import type { MarkedText, TextModel } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel, textChanges } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const state: Enumeration = {
  uid: 'state',
  name: 'OrderState',
  description: 'Of an order.',
  values: [
    { uid: 'v1', value: 'open', label: 'Not paid' },
    { uid: 'v2', value: 'paid', label: '' },
    { uid: 'v3', value: 'it"s', label: "it's" },
  ],
}
const size: Enumeration = { uid: 'size', name: 'date', description: '', values: [{ uid: 'v4', value: 'S', label: '' }] }

function attribute(name: string, position: number, change: Partial<TypeAttribute> = {}): TypeAttribute {
  return newTypeAttribute({ name, uid: `uid-${name}`, position, ...change })
}

const chosen = ({ uid, name, values }: Enumeration) => ({
  enumeration: { uid, name },
  choices: values.map(({ value }) => value),
})

const order = newEntityContent({
  name: 'Order',
  uid: 'order',
  typeAttributes: [
    attribute('id', 0, { dataType: 'integer', purpose: 'identifiedBy' }),
    attribute('state', 1, { ...chosen(state), defaultValue: 'open' }),
    attribute('size', 2, chosen(size)),
    attribute('code', 3, { ...chosen(state), maxLength: 8 }),
    attribute('kind', 4, { choices: ['a', 'b'] }),
    attribute('other', 5, { choices: ['x'], enumeration: { uid: 'elsewhere', name: 'OrderState' } }),
  ],
})

function modelOf(content: EntityContent, enumerations: readonly Enumeration[] = [state, size]): TextModel {
  return {
    project: { name: 'Shop', description: '' },
    entities: [{ id: 7, path: 'Order', content, isEditable: true, primaryKey: 'id' }],
    others: [],
    enumerations,
  }
}

const model = modelOf(order)
const shown = printModel(model)

function after(text: MarkedText, of: TextModel = model) {
  const { problems, edits, enumerations, choosing } = readModel(text, of)
  const { typeAttributes } = applyEntityEdits(order, edits.get(7) ?? [])
  return { problems: problems.map(({ message }) => message), enumerations, typeAttributes, choosing }
}

function following(own: MarkedText, next: TextModel, base = shown): string {
  return textChanges(own, printModel(next), base).reduceRight(
    (all, { from, to, insert }) => `${all.slice(0, from)}${insert}${all.slice(to)}`,
    own.text,
  )
}

describe('Enumerations in the text of a manifest', () => {
  it('are blocks before the tables, named by types or settings of the lines', () => {
    expect(shown.text).toBe(`Project Shop {
}

Enum OrderState {
  open [note: 'Not paid']
  paid
  "it\\"s" [note: 'it\\'s']
}

Enum date {
  S
}

Table Order {
  id integer [pk]
  state OrderState [not null, default: 'open']
  size string [not null, enum: 'date']
  code string(8) [not null, enum: 'OrderState']
  kind string('a', 'b') [not null]
  other string('x') [not null]
}
`)
  })

  it('are read as no change', () => {
    const { edits, problems, enumerations, choosing, marks } = readModel(shown, model)
    expect([[...edits], problems, enumerations, [...choosing]]).toEqual([[], [], null, []])
    expect(marks).toEqual(shown.marks)
  })

  it.each<[string, readonly (readonly [string, string])[], readonly Enumeration[]]>([
    ['renamed', [['Enum OrderState', 'Enum State']], [{ ...state, name: 'State' }, size]],
    [
      'given another value',
      [['  paid\n', '  paid\n  sent\n']],
      [
        {
          ...state,
          values: state.values.toSpliced(2, 0, {
            uid: expect.any(String) as unknown as string,
            value: 'sent',
            label: '',
          }),
        },
        size,
      ],
    ],
    [
      'given a renamed value',
      [['  paid\n', '  "paid up" [note: \'All of it\']\n']],
      [{ ...state, values: state.values.with(1, { uid: 'v2', value: 'paid up', label: 'All of it' }) }, size],
    ],
    ['left without a value', [['  paid\n', '']], [{ ...state, values: state.values.toSpliced(1, 1) }, size]],
    ['deleted', [['Enum date {\n  S\n}\n\n', '']], [state]],
    [
      'added',
      [['Enum date', 'Enum Colour {\n  red\n}\n\nEnum date']],
      [
        state,
        size,
        {
          uid: expect.any(String) as unknown as string,
          name: 'Colour',
          description: '',
          values: [{ uid: expect.any(String) as unknown as string, value: 'red', label: '' }],
        },
      ],
    ],
  ])('can be %s, which changes no attribute until it is saved', (_, changes, enumerations) => {
    const read = after(edited(shown, changes))
    expect(read.problems).toEqual([])
    expect(read.enumerations).toEqual(enumerations)
    expect(read.typeAttributes).toEqual(order.typeAttributes)
  })

  it('that are moved stay the same', () => {
    const text = edited(shown, [
      ['Enum date {\n  S\n}\n\n', ''],
      ["  other string('x') [not null]\n}\n", "  other string('x') [not null]\n}\n\nEnum date {\n  S\n}\n"],
    ])
    expect(after(text)).toMatchObject({ problems: [], enumerations: null, typeAttributes: order.typeAttributes })
  })

  it.each([
    ['Enum OrderState', 'Enum date', 'An enumeration with the name "date" already exists.'],
    ['  S\n', '', 'An enumeration needs a value.'],
    ['  paid\n', '  open\n', 'A choice with the name "open" already exists.'],
    ["enum: 'date'", "enum: 'gone'", 'There is no enumeration gone.'],
  ])('%j as %j is a problem', (from, to, message) => {
    const { problems } = after(edited(shown, [[from, to]]))
    expect(problems).toEqual([message])
  })

  it.each([
    ["kind string('a', 'b')", 'kind OrderState', 'kind', chosen(state)],
    ["kind string('a', 'b') [", "kind string('a', 'b') [enum: 'date', ", 'kind', chosen(size)],
    ['state OrderState', "state string('open', 'paid')", 'state', { enumeration: null, choices: ['open', 'paid'] }],
    ['state OrderState', 'state string', 'state', { enumeration: null, choices: [] }],
    [
      "  other string('x') [",
      "  other string('x') [unique, ",
      'other',
      { enumeration: { uid: 'elsewhere', name: 'OrderState' }, unique: true },
    ],
  ])('%j as %j changes the attribute', (from, to, name, change) => {
    const { problems, typeAttributes, enumerations } = after(edited(shown, [[from, to]]))
    expect([problems, enumerations]).toEqual([[], null])
    expect(typeAttributes.find(one => one.name === name)).toMatchObject(change)
  })

  it('that are new are chosen by lines once they are saved, which have their values until then', () => {
    const text = edited(shown, [
      ['Enum date', 'Enum Colour {\n  red\n  blue\n}\n\nEnum date'],
      ["kind string('a', 'b')", 'kind Colour'],
    ])
    const { problems, typeAttributes, enumerations, choosing } = after(text)
    expect(problems).toEqual([])
    expect(typeAttributes[4]).toMatchObject({ enumeration: null, choices: ['red', 'blue'] })
    const colour = enumerations?.at(-1)
    expect(choosing.get(7)).toEqual([
      {
        kind: 'changeAttributes',
        changes: [
          { uid: 'uid-kind', change: { enumeration: { uid: colour?.uid, name: 'Colour' }, choices: ['red', 'blue'] } },
        ],
      },
    ])
  })

  it('follow the model, and so do their lines', () => {
    const renamed = { ...state, name: 'State', values: state.values.slice(0, 2) }
    const typeAttributes = order.typeAttributes.map(one =>
      one.enumeration?.uid === 'state' ? { ...one, ...chosen(renamed) } : one,
    )
    const next = modelOf({ ...order, typeAttributes }, [renamed, { ...size, uid: 'new', name: 'Size' }])
    const own = edited(shown, [['  state OrderState', '  // my note\n  state OrderState']])
    const text = following(own, next)
    expect(text.replace('  // my note\n', '').replaceAll(/\n{3,}/g, '\n\n')).toBe(printModel(next).text)
  })

  it('that are typed and not saved stay when the model changes elsewhere', () => {
    const own = edited(shown, [
      ['  paid\n', '  paid\n  sent\n'],
      ['Enum date', 'Enum Colour {\n  red\n}\n\nEnum date'],
    ])
    const text = following(own, modelOf({ ...order, description: 'x' }))
    expect(text).toContain('  sent\n')
    expect(text).toContain('Enum Colour')
    expect(text).toContain("Note: 'x'")
  })

  it('that the text has already as saved need no change', () => {
    const own = edited(shown, [
      ['Enum OrderState', 'Enum State'],
      ['  paid\n', '  paid\n  sent\n'],
    ])
    const { enumerations, marks } = readModel(own, model)
    const next = modelOf(order, enumerations ?? [])
    expect(following({ text: own.text, marks }, next)).toContain('  state State [')
    const text = following({ text: own.text, marks }, next)
    expect(text.slice(0, text.indexOf('Table'))).toBe(own.text.slice(0, own.text.indexOf('Table')))
  })
})

describe('Enumerations in the text of an entity', () => {
  const alone: TextModel = { ...model, project: null }
  const text = printModel(alone)

  it('are named by its lines alone', () => {
    expect(text.text).not.toContain('Enum')
    expect(text.text).toContain('state OrderState')
    expect(readModel(text, alone).edits.size).toBe(0)
  })

  it('can be chosen, and are not changed by a block, which stands for its values', () => {
    const read = after(
      edited(text, [
        ["kind string('a', 'b')", 'kind Colour'],
        ["other string('x')", 'other OrderState'],
        ['Table Order', 'Enum Colour {\n  red\n}\n\nTable Order'],
      ]),
      alone,
    )
    expect([read.problems, read.enumerations]).toEqual([[], null])
    expect(read.typeAttributes.slice(4)).toMatchObject([{ choices: ['red'], enumeration: null }, chosen(state)])
  })

  it('in a block become choices of the lines with the next change of the model', () => {
    const own = edited(text, [
      ["kind string('a', 'b')", 'kind Colour'],
      ['Table Order', 'Enum Colour {\n  red\n}\n\nTable Order'],
    ])
    const typeAttributes = order.typeAttributes.with(4, attribute('kind', 4, { choices: ['red'] }))
    const next = { ...modelOf({ ...order, description: 'x', typeAttributes }), project: null }
    const now = following(own, next, text)
    expect(now).not.toContain('Enum')
    expect(now).toContain("kind string('red')")
    expect(now).toContain('state OrderState')
  })
})
