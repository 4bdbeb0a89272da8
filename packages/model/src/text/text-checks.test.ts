import { describe, expect, it } from 'vitest'
import type { Check } from '../conditions/condition.ts'
import { readCondition } from '../conditions/text.ts'
import { withSettledChecks } from '../checks.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { type EntityContent, newEntityContent } from '../entity.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import type { MarkedText, TextModel } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel, textChanges } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const typeAttributes = ['id', 'price', 'discount', 'state'].map((name, position) =>
  newTypeAttribute({
    name,
    uid: `uid-${name}`,
    position,
    dataType: name === 'state' ? 'string' : 'integer',
    purpose: name === 'id' ? 'identifiedBy' : 'hasA',
  }),
)

function check(uid: string, text: string, change: Partial<Check> = {}): Check {
  const read = readCondition(text)
  if ('fault' in read) throw new Error(read.fault)
  return { uid, name: '', message: '', condition: read.condition, ...change }
}

function lineWith(...checks: Check[]): EntityContent {
  return withSettledChecks(newEntityContent({ name: 'OrderLine', uid: 'line', typeAttributes, checks }))
}

const line = lineWith(
  check('c1', 'price >= 0', { name: 'ck_price', message: "It's positive." }),
  check('c2', "state in ('open', 'paid')"),
  check('c3', 'discount is null or discount < price', { message: 'Less than the price.' }),
)
const modelOf = (content: EntityContent): TextModel => ({
  project: { name: 'Shop', description: '' },
  entities: [{ id: 7, path: 'OrderLine', content, isEditable: true, primaryKey: 'id' }],
  others: [],
})
const shown = printModel(modelOf(line))

function after(text: MarkedText, before = line): { checks: readonly Check[]; problems: readonly string[] } {
  const { problems, edits } = readModel(text, modelOf(before))
  const { checks } = applyEntityEdits(before, edits.get(7) ?? [])
  return { checks, problems: problems.map(({ message }) => message) }
}

function following(own: MarkedText, next: EntityContent): string {
  return textChanges(own, printModel(modelOf(next)), shown).reduceRight(
    (all, { from, to, insert }) => `${all.slice(0, from)}${insert}${all.slice(to)}`,
    own.text,
  )
}

const block = `  checks {
    \`price >= 0 /* It's positive. */\` [name: 'ck_price']
    \`state in ('open', 'paid')\`
    \`discount is null or discount < price /* Less than the price. */\`
  }
}`

describe('Checks in a text', () => {
  it('stand in a block of the table, which is read as no change', () => {
    expect(shown.text).toContain(block)
    const { edits, problems } = readModel(shown, modelOf(line))
    expect([...edits, ...problems]).toEqual([])
  })

  const [c1, c2, c3] = line.checks as [Check, Check, Check]
  const condition = (text: string) => lineWith(check('', text)).checks[0]?.condition

  it.each<[string, string, string, readonly Partial<Check>[]]>([
    ['renamed', "name: 'ck_price'", "name: 'ck'", [{ ...c1, name: 'ck' }, c2, c3]],
    ['given another message', "It's positive.", 'Not below 0.', [{ ...c1, message: 'Not below 0.' }, c2, c3]],
    ['left without a message', " /* It's positive. */", '', [{ ...c1, message: '' }, c2, c3]],
    [
      'given another condition by its name',
      'price >= 0',
      'price > 1',
      [{ ...c1, condition: condition('price > 1') as Check['condition'] }, c2, c3],
    ],
    [
      'given another condition in its place',
      "state in ('open', 'paid')",
      "state <> ''",
      [c1, { ...c2, condition: condition("state <> ''") as Check['condition'] }, c3],
    ],
    ['removed', "    `state in ('open', 'paid')`\n", '', [c1, c3]],
    [
      'added',
      '  checks {\n',
      '  checks {\n    `discount >= 0`\n',
      [{ condition: condition('discount >= 0') as Check['condition'], name: '', message: '' }, c1, c2, c3],
    ],
    [
      'added at an attribute',
      '  discount integer [not null',
      '  discount integer [not null, check: `discount >= 0`',
      [{ condition: condition('discount >= 0') as Check['condition'], name: '', message: '' }, c1, c2, c3],
    ],
  ])('can be %s', (_, from, to, checks) => {
    const read = after(edited(shown, [[from, to]]))
    expect(read.problems).toEqual([])
    expect(read.checks).toHaveLength(checks.length)
    for (const one of checks) expect(read.checks).toContainEqual(expect.objectContaining(one))
  })

  it('keep their identity when a line is moved', () => {
    const text = edited(shown, [
      ["    `state in ('open', 'paid')`\n", ''],
      ['  checks {\n', "  checks {\n    `state in ('open', 'paid')`\n"],
    ])
    expect(after(text).checks.toSorted((a, b) => a.uid.localeCompare(b.uid))).toEqual([c1, c2, c3])
  })

  it('follow a line that is renamed or deleted, whatever name they have for it', () => {
    const renamed = edited(shown, [['  price integer', '  amount integer']])
    expect(after(renamed).problems).toEqual([])
    expect(after(renamed).checks.map(({ uid }) => uid)).toEqual(['c1', 'c2', 'c3'])
    const text = /\n {2}price [^\n]*/.exec(shown.text)?.[0] ?? ''
    expect(after(edited(shown, [[text, '']]))).toEqual({ problems: [], checks: [c2] })
  })

  it.each([
    ['`price >= 0 /*', '`price >= /*', 'The condition is incomplete.'],
    ['`price >= 0 /*', '`price / 2 > 0 /*', "'/' is not expected here."],
    ['`price >= 0 /*', '`colour = 1 /*', "There is no attribute 'colour'."],
    ['`price >= 0 /*', "`price = 'a' /*", "'price = 'a'' compares a number with a text."],
    [
      "`state in ('open', 'paid')`",
      "state in ('open', 'paid')",
      'A condition in ` ` is missing, such as `price >= 0`.',
    ],
    ["[name: 'ck_price']", "[note: 'ck_price']", 'note is not a known setting.'],
    [
      '  discount integer [not null',
      '  discount integer [not null, check: 7',
      'A condition in ` ` is missing, such as `price >= 0`.',
    ],
  ])('%s as %s is a problem of its line', (from, to, message) => {
    const text = edited(shown, [[from, to]])
    const { problems } = readModel(text, modelOf(line))
    expect(problems.map(one => one.message)).toEqual([message])
    const [problem] = problems
    const [lineAt, lineOf] = [text.text.indexOf(to), text.text.slice(0, problem?.from).split('\n').length]
    expect(lineOf).toBe(text.text.slice(0, lineAt).split('\n').length)
  })

  it('that a text cannot have stay as they are', () => {
    const odd = lineWith(
      check('o1', "state <> 'a`b'"),
      check('o2', "state <> '/* x */'", { message: 'a */ b' }),
      check('o3', 'price > 0', { name: 'it`s', message: 'two\nlines' }),
    )
    const text = printModel(modelOf(odd))
    expect(text.text).not.toContain('a`b')
    expect(readModel(text, modelOf(odd)).edits.size).toBe(0)
    const read = after(
      edited(text, [
        ['price > 0', 'price > 1'],
        ["state <> '/* x */'", "state <> '/* y */'"],
      ]),
      odd,
    )
    expect(read.problems).toEqual([])
    expect(read.checks.map(({ uid, message }) => [uid, message]).toSorted()).toEqual([
      ['o1', ''],
      ['o2', 'a */ b'],
      ['o3', 'two\nlines'],
    ])
  })

  it('of inherited attributes are shown and read', () => {
    const content = { ...line, extendsEntity: { id: 9, name: 'Base', path: 'Base' } }
    const sub = { ...content, checks: [check('c1', 'inherited > 0 and price > 0')] }
    const model = {
      ...modelOf(withSettledChecks(sub)),
      others: [{ id: 9, uid: 'b', name: 'Base', path: 'Base', primaryKey: 'id' }],
    }
    const text = printModel(model)
    expect(text.text).toContain('`inherited > 0 and price > 0`')
    expect(readModel(text, model)).toMatchObject({ problems: [] })
    expect(readModel(text, model).edits.size).toBe(0)
  })

  it('of a new table have the uids of its lines', () => {
    const text = {
      text: `${shown.text}\nTable Note {\n  id integer [pk]\n  Pages integer\n  checks {\n    \`pages > 0\` [name: 'ck']\n  }\n}\n`,
      marks: shown.marks,
    }
    const { problems, added } = readModel(text, modelOf(line))
    expect(problems).toEqual([])
    const [note] = added
    expect(note?.checks).toMatchObject([
      { name: 'ck', condition: { operands: [{ uid: note?.typeAttributes[1]?.uid, name: 'Pages' }, { value: '0' }] } },
    ])
  })

  it.each<[string, EntityContent]>([
    ['is replaced', lineWith(c1, c2)],
    ['goes with the last check', lineWith()],
    ['keeps lines of the user when the model changes elsewhere', { ...line, description: 'x' }],
  ])('the block %s, and comments stay', (_, next) => {
    const text = following(edited(shown, [['  price integer', '  // my note\n  price integer']]), next)
    expect(text).toContain('// my note')
    const blockOf = (all: string) => /checks \{[^}]*\}/.exec(all)?.[0] ?? ''
    expect(blockOf(text)).toBe(blockOf(printModel(modelOf(next)).text))
  })

  it('at attributes become lines of the block with the next change of the model', () => {
    const own = edited(shown, [
      ['  discount integer [not null', '  discount integer [not null, check: `discount >= 0`'],
    ])
    const next = { ...line, description: 'x', checks: after(own).checks.slice() }
    const text = following(own, next)
    expect(text).toContain('discount integer [not null]\n')
    expect(text).toContain('    `discount >= 0`\n')
    expect(text.match(/discount >= 0/g)).toHaveLength(1)
  })
})
