import { expect, it } from 'vitest'
import { aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { blocksOf } from './blocks.ts'
import { completionsAt } from './completion.ts'
import type { TextModel } from './marked-text.ts'

const { id, path, ...content } = anEntity({
  name: 'Customer',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'first name', maxLength: 40 })),
})
const model: TextModel = {
  project: null,
  entities: [
    { id, path, content, isEditable: true, primaryKey: 'id' },
    { id: 8, path: '', content: { ...content, name: 'Price list' }, isEditable: true, primaryKey: 'id' },
  ],
  enumerations: [
    { uid: 'e', name: 'State', description: '', values: [] },
    { uid: 'f', name: 'date', description: '', values: [] },
  ],
  others: [{ id: 9, uid: '', name: 'Region', path: '', primaryKey: 'code' }],
}

/** Labels offered at the bar, and the text that they replace. */
function offered(text: string): { replaced: string; labels: string[] } | null {
  const offset = text.indexOf('|')
  const found = completionsAt(text.replace('|', ''), offset, model)
  const replaced = text.slice(found?.from, offset) + text.slice(offset + 1, (found?.to ?? 0) + 1)
  return found && { replaced, labels: found.options.map(({ label }) => label) }
}

it.each([
  ['Ta|', 'Ta', ['Table', 'Ref']],
  ['Table Order {\n  id in|', 'in', ['integer', 'date', 'int32']],
  ['Table Order {\n  state St|', 'St', ['State', 'string']],
  ['Table Order {\n  born string [enum: |', '', ["'State'", "'date'"]],
  ['Table Order {\n  id integer [|', '', ['pk', 'not null', 'ref: > ']],
  ['Table Order {\n  id integer [pk, not |', '', ['null']],
  ['Table Order {\n  id integer [ref: > Cu|', 'Cu', ['Customer', 'Region']],
  ['Table Order {\n  id integer [unique, ref: > Customer.|', '', ['id', '"first name"']],
  ['Table Order {\n  id integer [ref: > Region.|', '', ['code']],
  ['Table Order {\n  id integer [delete: |', '', ["'cascade'"]],
  ['Table Order {\n  made instant [default: |', '', ['`now()`']],
  ['Table Order {\n  token uuid [unique, default: |', '', ['`gen_random_uuid()`']],
  ['Ref: Customer.id > Reg|', 'Reg', ['Customer', 'Region']],
  ['Table Order {\n  id integer [ref: > Pri|', 'Pri', ['"Price list"']],
  ['Table Order {\n  id integer [ref: > "Pri|', '"Pri', ['"Price list"', '"Customer"']],
  ['Table Order {\n  id integer [ref: > "Pri|"]', '"Pri"', ['"Price list"']],
  ['Table Order {\n  id integer [ref: > "|"]', '""', ['"Price list"']],
  ['Table Order {\n  id integer [ref: > "Price list".|]', '', ['id', '"first name"']],
  ['Table Order {\n  id integer [ref: > "Price list"."fi|"]', '"fi"', ['"first name"']],
  ['Ref: Customer.(|', '', ['id', '"first name"']],
  ['Ref: Order.(a, b) > "Price list".(id, "fi|")', '"fi"', ['"id"', '"first name"']],
  ['Table Order {\n  id integer [ref: > Customer.(id, |', '', ['id', '"first name"']],
  ['Table Customer {\n  id integer\n  indexes {\n    |', '', ['id', '"first name"']],
  ['Table "Price list" {\n  indexes {\n    (id, fi|', 'fi', ['id', '"first name"']],
  ['Table Customer {\n  indexes {\n    id [|', '', ['pk', 'unique']],
  ['Table Customer {\n  indexes {\n    id\n  }\n  id in|', 'in', ['integer']],
  ['Table Customer {\n  checks {\n    `|', '', ['id', '"first name"', 'length', 'is null']],
  ['Table Customer {\n  checks {\n    `id > 0 and fi|`', 'fi', ['"first name"']],
  ['Table Customer {\n  checks {\n    `id > 0` [|', '', ["name: '"]],
  ['Table Customer {\n  id integer [pk, check: `i|', 'i', ['id', 'coalesce']],
])('offers at %j, for %j, words such as %j', (text, replaced, labels) => {
  const found = offered(text)
  expect(found?.replaced).toBe(replaced)
  expect(found?.labels).toEqual(expect.arrayContaining(labels))
})

it.each([
  'Table Or|',
  'Table Customer {\n  checks {\n    |',
  'Table Customer {\n  id integer [default: `i|',
  'Ref: Customer.(id) |',
  'Table Customer {\n  indexes {\n    id |',
  'Table Order {\n  id integer [note: |',
  'Enum a {\n  b|',
  'Table Order {\n  id integer [pk] |',
])('offers nothing where a name or a text is typed: %j', text => {
  expect(offered(text)).toBeNull()
})

it('blocks over several lines can be folded, outer ones first', () => {
  const text = 'Table a { id int }\nTable b {\n  id int [note: "{"]\n  indexes {\n  id\n  }\n}\nTable c {\n'
  expect(blocksOf(text).map(({ from, to }) => text.slice(from, to).replaceAll(/\s+/g, ' '))).toEqual([
    '{ id int [note: "{"] indexes { id } }',
    '{ id }',
  ])
})
