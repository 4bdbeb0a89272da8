import { describe, expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { columnName, columnsInOrder, type Column, isTypeAttribute } from '../columns.ts'
import { entityContentSchema, type EntityContent } from '../entity.ts'
import { aKey, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { arbitraryContent } from '../testing/arbitrary-edits.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { sheetColumns } from './columns.ts'
import { invalidCells, offeredBlock, type SheetProblems, writeCells, type WriteOptions } from './write-cells.ts'

const column = (id: string) => sheetColumns.find(one => one.id === id)

/** Writes texts into the columns with these ids, from the row on. */
function write(
  content: EntityContent,
  ids: string,
  texts: string[][],
  { row = 0, ...options }: WriteOptions & { row?: number } = {},
) {
  const rows = columnsInOrder(content).slice(row)
  const written = writeCells(content, { rows, columns: ids.split(' ').map(column), texts }, options)
  const after = applyEntityEdits(content, written.edits)
  return { ...written, after, rows: columnsInOrder(after), shown: shownIn(after, written.problems) }
}

/** Problems as `row.column: text – reason`. */
function shownIn(content: EntityContent, problems: SheetProblems): string[] {
  const names = new Map(columnsInOrder(content).map((row, index) => [row.uid, index]))
  return [...problems].flatMap(([uid, cells]) =>
    [...cells].map(
      ([id, { text, reason, offer }]) => `${names.get(uid)}.${id}: ${text} – ${reason}${offer ? ` → ${offer}` : ''}`,
    ),
  )
}

const order = anEntity({ name: 'Order' })
const content = anEntityContent({
  typeAttributes: [
    { ...aKey(), position: 0 },
    { ...aTypeAttribute({ name: 'title', maxLength: 40, description: 'Two\nlines' }), position: 1 },
    {
      ...aTypeAttribute({ name: 'price', dataType: 'double', precision: 10, scale: 2, defaultValue: '1.50' }),
      position: 2,
    },
    { ...aTypeAttribute({ name: 'state', choices: ['new', 'done'] }), position: 4 },
  ],
  entityAttributes: [{ ...aRelationship(order), position: 3 }],
})
const ids = sheetColumns.map(({ id }) => id)

it('the sheet shows the columns of decisions §11 at first, and every other field of the panels hidden', () => {
  expect(sheetColumns.map(({ header, isHidden }) => (isHidden ? `(${header})` : header))).toEqual([
    'Name',
    'Type',
    'Length',
    'Nullable',
    'Default',
    'Unique',
    'Indexed',
    'Choices',
    'Description',
    'References',
    '(Format)',
    '(Purpose)',
    '(On Delete)',
    '(On Update)',
    '(Trait Reference)',
  ])
})

it('a column shows the text of its field in attributes and relationships', () => {
  const texts = (row: Column | undefined) => sheetColumns.map(one => (row ? one.text(row) : '')).join(' | ')
  const [, title, price, relationship, state] = columnsInOrder(content)
  expect([title, price, relationship, state].map(texts)).toEqual([
    'title | string | 40 | no |  | no | no |  | Two\nlines |  |  | hasA |  |  | ',
    'price | double | 10,2 | no | 1.50 | no | no |  |  |  |  | hasA |  |  | ',
    'orderId | integer |  | yes |  | no |  |  |  | Order.id |  | hasA | restrict | restrict | is.identifiedBy',
    'state | string |  | no |  | no | no | new, done |  |  |  | hasA |  |  | ',
  ])
})

describe('texts written into cells', () => {
  it('are one change of several rows', () => {
    const texts = [
      ['heading', 'yes'],
      ['cost', 'x'],
      ['placedId', 'no'],
    ]
    const { edits, rows, shown } = write(content, 'name nullable', texts, { row: 1 })
    expect(edits.map(({ kind }) => kind)).toEqual(['changeAttributes', 'changeRelationships'])
    expect(rows.slice(1, 4)).toMatchObject([
      { name: 'heading', nullable: true },
      { name: 'cost', nullable: true },
      { foreignKeyTypeAttribute: 'placedId', nullable: false },
    ])
    expect(shown).toEqual([])
  })

  it('beyond the last row become attributes at the end; blank rows are left out', () => {
    const texts = [
      ['', ''],
      ['born', 'date'],
      [' ', ''],
      ['note', 'varchar(40)'],
    ]
    const { edits, rows, added, uids, shown } = write(content, 'name dataType', texts, { row: 5 })
    expect(edits.map(({ kind }) => kind)).toEqual(['addAttributes'])
    expect(rows.slice(5)).toMatchObject([
      { name: 'born', dataType: 'dateTime', format: 'date', position: 5 },
      { name: 'note', dataType: 'string', maxLength: 40, position: 6 },
    ])
    expect([added, uids]).toEqual([rows.slice(5).map(({ uid }) => uid), added])
    expect(shown).toEqual([])
  })

  it('that the cells already have are no change, over random entities', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const entity = arbitraryContent(seed)
      const texts = columnsInOrder(entity).map(row => sheetColumns.map(one => one.text(row)))
      const { edits, problems } = write(entity, ids.join(' '), texts)
      expect([seed, edits, problems.size]).toEqual([seed, [], 0])
    }
  })

  it('exchange names, and free a name for a row above', () => {
    expect(write(content, 'name', [['price'], ['title']], { row: 1 })).toMatchObject({
      shown: [],
      rows: [{}, { name: 'price' }, { name: 'title' }, {}, {}],
    })
    expect(write(content, 'name', [['state'], ['cost'], ['orderId'], ['situation']], { row: 1 }).shown).toEqual([])
  })
})

it('any texts in any cells give a content that can be stored, over random entities', () => {
  const words = [
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '40',
    '10,2',
    '99,99',
    'yes',
    'NULL',
    'x',
    'int',
    'enum()',
    'varchar(0)',
    'decimal(99)',
  ]
  words.push(
    'identifiedBy',
    'guid',
    'cascade',
    'a,a',
    'a|b',
    "'a'",
    '{}',
    '__proto__',
    'id',
    'title',
    '\0',
    '\ud800',
    'é'.repeat(60),
  )
  for (let seed = 0; seed < 100; seed += 1) {
    const random = seededRandom(seed)
    const entity = arbitraryContent(seed)
    const columns = Array.from({ length: random.between(1, 6) }, () => random.pick(ids))
    const texts = Array.from({ length: random.between(1, 8) }, () => columns.map(() => random.pick(words)))
    const { after, uids, problems, rows } = write(entity, columns.join(' '), texts, { row: random.between(0, 3) })
    expect([seed, entityContentSchema.safeParse(after).error]).toEqual([seed, undefined])
    const known = new Set(rows.map(({ uid }) => uid))
    expect([...uids, ...problems.keys()].filter(uid => !known.has(uid))).toEqual([])
    expect(() => invalidCells(after, entity)).not.toThrow()
  }
})

describe('a text that a cell cannot take', () => {
  it.each([
    ['name', '80', '1.name: 80 – this must contain only alphanumeric'],
    ['name', 'Birth date', ' → birthDate'],
    ['name', '80 days', ' → days'],
    ['name', 'Größe_', ' → Grosse'],
    ['name', '__', '1.name: __ – '],
    ['name', 'PRICE', '1.name: PRICE – A type attribute with the name "PRICE" already exists. → PRICE_2'],
    ['name', 'orderId', '1.name: orderId – A relationship with the foreign key "orderId" already exists. → orderId_2'],
    ['name', '', '1.name:  – this is a required field'],
    ['dataType', 'geometry', '1.dataType: geometry – "geometry" is not a known data type.'],
    ['length', '10,2', '1.length: 10,2 – this must contain only digits.'],
    ['length', '0', '1.length: 0 – this must be a number from 1 to 2147483647.'],
    ['nullable', 'perhaps', '1.nullable: perhaps – "perhaps" is neither yes nor no.'],
    ['choices', 'a, a', '1.choices: a, a – A choice with the name "a" already exists.'],
    ['format', 'int16', '1.format: int16 – this must be one of: guid, fixed, text, json, binary, date, time.'],
    ['defaultValue', 'x'.repeat(41), 'this must be at most 40 characters long.'],
    [
      'references',
      'Order.id',
      '1.references: Order.id – "Order.id" is not a known entity and attribute, such as Customer.id.',
    ],
    ['onDelete', 'cascade', '1.onDelete: cascade – On Delete does not apply to the data type string.'],
  ])('changes nothing and says why: %s %s', (id, text, reason) => {
    const { edits, shown } = write(content, id, [[text]], { row: 1 })
    expect(edits).toEqual([])
    expect(shown).toEqual([expect.stringContaining(reason)])
  })

  it('does not apply to relationships if they have no such value, or with a type that no key has', () => {
    const refused = write(content, 'dataType length indexed choices', [['object', '40', 'yes', 'a']], { row: 3 })
    expect(refused.edits).toEqual([])
    expect(refused.shown).toEqual([
      '3.dataType: object – A foreign key is no object.',
      '3.length: 40 – Length does not apply to relationships.',
      '3.indexed: yes – Indexed does not apply to relationships.',
      '3.choices: a – Choices does not apply to relationships.',
    ])
  })

  it('is kept up to the longest text of a cell', () => {
    const [problem] = write(content, 'description', [['x'.repeat(30_000)]], { row: 1 }).problems.values()
    expect(problem?.get('description')).toMatchObject({
      text: 'x'.repeat(20_000),
      reason: 'A cell can have at most 20,000 characters; this one has 30,000.',
    })
  })

  it('is forgotten when its cell takes another one, or the value it had', () => {
    const { problems } = write(content, 'name length', [['80', 'x']], { row: 1 })
    const length = write(content, 'length', [['20']], { row: 1, problems })
    expect(length.shown.map(text => text.slice(0, 10))).toEqual(['1.name: 80'])
    expect(write(content, 'name', [['title']], { row: 1, problems: length.problems })).toMatchObject({
      edits: [],
      shown: [],
    })
  })

  it('in a new row keeps the row, with its name as it is', () => {
    const { rows, shown, after } = write(
      content,
      'name dataType nullable',
      [
        ['80', 'geometry', 'yes'],
        ['', 'date', ''],
      ],
      { row: 5 },
    )
    expect(rows.slice(5)).toMatchObject([
      { name: '80', dataType: 'string', nullable: true },
      { name: '', dataType: 'dateTime' },
    ])
    expect(shown).toEqual(['5.dataType: geometry – "geometry" is not a known data type.'])
    expect(shownIn(after, invalidCells(after, content))).toEqual([
      expect.stringContaining('5.name: 80 – this must contain only alphanumeric'),
      '6.name:  – this is a required field',
    ])
  })
})

describe('a row', () => {
  it('has a type that clears what only the former type had', () => {
    const { rows, shown } = write(content, 'dataType', [['int'], ['string']], { row: 1 })
    expect(rows.slice(1, 3)).toMatchObject([
      { dataType: 'integer', format: 'int32', maxLength: null },
      { dataType: 'string', precision: null, scale: null },
    ])
    expect(shown).toEqual([])
  })

  it('shows the word of its format as its type, which the name of the type replaces', () => {
    const born = aTypeAttribute({ name: 'born', dataType: 'dateTime', format: 'date' })
    const note = aTypeAttribute({ name: 'note', format: 'text' })
    const dated = anEntityContent({
      typeAttributes: [aKey(), born, note].map((one, position) => ({ ...one, position })),
    })
    expect([born, note].map(row => column('dataType')?.text(row))).toEqual(['date', 'string'])
    const typed = (text: string, row = 1) => write(dated, 'dataType', [[text]], { row })
    expect(typed('date').edits).toEqual([])
    expect(typed('time').rows[1]).toMatchObject({ dataType: 'dateTime', format: 'time' })
    expect(typed('dateTime').rows[1]).toMatchObject({ dataType: 'dateTime', format: null })
    expect(typed('varchar(40)', 2).rows[2]).toMatchObject({ dataType: 'string', format: 'text', maxLength: 40 })
  })

  it('offers the words of formats as types, but not for foreign keys and only those of keys for a key', () => {
    const offered = (row: Column) => column('dataType')?.options(row)
    expect(offered(aTypeAttribute())).toEqual(expect.arrayContaining(['dateTime', 'date', 'time', 'decimal']))
    expect(offered(aKey())).toEqual(['integer', 'string', 'int16', 'int32', 'guid'])
    expect(offered(aRelationship(order))).toEqual(['integer', 'string', 'boolean', 'dateTime', 'double', 'float'])
  })

  it('takes its length from its type unless its own cell has one, in any order of columns', () => {
    const sizes = (texts: string[]) => write(content, 'length dataType', [texts], { row: 1 }).rows[1]
    expect(sizes(['', 'varchar(80)'])).toMatchObject({ maxLength: 80 })
    expect(sizes(['20', 'varchar(80)'])).toMatchObject({ maxLength: 20 })
    expect(sizes(['', 'decimal(8,3)'])).toMatchObject({ precision: 8, scale: 3 })
    expect(sizes(['9', 'double'])).toMatchObject({ precision: 9, scale: null })
    expect(sizes(['', 'string'])).toMatchObject({ maxLength: null })
    expect(sizes(['', 'NUMERIC(20,0)'])).toMatchObject({ dataType: 'integer', precision: 20, scale: null })
    expect(sizes(['12,0', 'integer'])).toMatchObject({ dataType: 'integer', precision: 12, scale: null })
    expect(sizes(['12', 'int'])).toMatchObject({ dataType: 'integer', format: null, precision: 12 })
  })

  it('takes the word of what its type can compute as its default, in any order of columns', () => {
    const texts = [
      ['made', 'instant', 'now'],
      ['day', 'date', 'CURRENT_DATE'],
      ['token', 'uuid', '(newid())'],
      ['word', 'string', 'now'],
      ['hour', 'time', 'now'],
    ]
    const defaults = (names: string, lines: string[][]) =>
      write(content, names, lines, { row: 5 })
        .rows.slice(5)
        .map(row => (isTypeAttribute(row) ? [row.defaultKind, row.defaultValue] : []))
    const expected = [
      ['now', null],
      ['today', null],
      ['uuid', null],
      ['literal', 'now'],
      ['literal', null],
    ]
    expect(defaults('name dataType defaultValue', texts)).toEqual(expected)
    expect(
      defaults(
        'defaultValue name dataType',
        texts.map(([name = '', type = '', value = '']) => [value, name, type]),
      ),
    ).toEqual(expected)
  })

  it('shows what is computed, which a value or a blank replaces and a type that has none clears', () => {
    const made = aTypeAttribute({ name: 'made', dataType: 'dateTime', defaultKind: 'now' })
    const log = anEntityContent({ typeAttributes: [{ ...made, position: 0 }] })
    expect(column('defaultValue')?.text(made)).toBe('now')
    expect(column('defaultValue')?.options(made)).toEqual(['now'])
    const after = (ids: string, text: string) => write(log, ids, [[text]]).after.typeAttributes[0]
    expect(after('defaultValue', '2026-01-31T00:00:00')).toMatchObject({
      defaultKind: 'literal',
      defaultValue: '2026-01-31T00:00:00',
    })
    expect(after('defaultValue', '')).toMatchObject({ defaultKind: 'literal', defaultValue: null })
    expect(after('dataType', 'instant')).toMatchObject({ defaultKind: 'now' })
    expect(after('dataType', 'date')).toMatchObject({ defaultKind: 'literal' })
    const chosen = write(log, 'choices', [['2026-01-31']]).after
    expect(shownIn(chosen, invalidCells(chosen, log))).toEqual([
      '0.defaultValue: now – A computed default excludes choices.',
    ])
  })

  it('takes what its rules allow and refuses the rest', () => {
    const texts = ['decimal', '4,6', '12345', 'a, b']
    const { rows, shown } = write(content, 'dataType length defaultValue choices', [texts], { row: 1 })
    expect(rows[1]).toMatchObject({ dataType: 'double', format: 'decimal', precision: null, choices: ['a', 'b'] })
    expect(shown).toEqual([
      '1.length: 4,6 – this must be a number from 0 to 4.',
      '1.defaultValue: 12345 – this must be one of the choices.',
    ])
  })

  it('keeps a default that a new type makes invalid, and marks it', () => {
    const { after, shown } = write(content, 'dataType', [['boolean']], { row: 2 })
    expect(shown).toEqual([])
    expect(shownIn(after, invalidCells(after, content))).toEqual(['2.defaultValue: 1.50 – this must be true or false.'])
  })

  it('of an imported entity keeps names and values that break rules', () => {
    const imported = anEntityContent({
      typeAttributes: [
        { ...aTypeAttribute({ name: 'a b', dataType: 'boolean', maxLength: 3, choices: ['', ''] }), position: 0 },
      ],
    })
    const { after, shown } = write(imported, 'name nullable choices', [['a b', 'yes', ', ']])
    expect([after.typeAttributes, shown]).toMatchObject([[{ name: 'a b', nullable: true, choices: ['', ''] }], []])
    expect(invalidCells(after, imported).size).toBe(0)
  })
})

describe('the key', () => {
  it('moves to the row marked so, which has to be an integer or a string', () => {
    const { rows, shown } = write(content, 'purpose', [['identifiedBy'], ['IDENTIFIEDBY']], { row: 1 })
    expect(rows.slice(0, 3)).toMatchObject([{ purpose: 'hasA' }, { purpose: 'identifiedBy' }, { purpose: 'hasA' }])
    expect(shown).toEqual(['2.purpose: IDENTIFIEDBY – An entity can have only one primary key.'])
    const { after } = write(content, 'purpose', [['identifiedBy']], { row: 2 })
    expect(shownIn(after, invalidCells(after, content))).toEqual([
      '2.dataType: double – The primary key must be an integer or a string.',
    ])
  })
})

describe('a reference', () => {
  const reference = { id: order.id, name: 'Order', path: order.path }
  const target = (text: string) =>
    text === 'Order.id'
      ? { entity: reference, attribute: 'id', attributeUid: 'u', dataType: 'string' as const }
      : { reason: 'Unknown.', offer: 'Order.id' }

  it('makes an attribute a relationship with the same uid, name and place', () => {
    const { rows, shown, edits } = write(content, 'references nullable', [['Order.id', 'yes']], { row: 1, target })
    expect(edits.map(({ kind }) => kind)).toEqual(['removeAttributes', 'addRelationships'])
    expect(rows[1]).toMatchObject({
      uid: content.typeAttributes[1]?.uid,
      foreignKeyTypeAttribute: 'title',
      foreignKeyDataType: 'string',
      associatedEntity: reference,
      associatedEntityTypeAttributeUid: 'u',
      description: 'Two\nlines',
      nullable: true,
    })
    expect(shown).toEqual([])
  })

  it('makes a new row a relationship, and changes the target of one', () => {
    const texts = [
      ['orderId', 'Order.name'],
      ['state', ''],
      ['buyerId', 'Order.id'],
    ]
    const { rows, shown } = write(content, 'name references', texts, { row: 3, target })
    expect(rows.at(-1)).toMatchObject({ foreignKeyTypeAttribute: 'buyerId', associatedEntity: reference, position: 5 })
    expect(shown).toEqual(['3.references: Order.name – Unknown. → Order.id'])
  })
})

it('a reference shows further columns of its key, takes them by name, and leaves them out', () => {
  const target = () => ({
    entity: { id: order.id, name: 'Order', path: order.path },
    attribute: 'id',
    attributeUid: null,
    dataType: 'integer' as const,
  })
  const typed = (text: string, from = content) => write(from, 'references', [[text]], { row: 3, target })
  const { after, rows } = typed('Order.id, price → cost, title -> name')
  const { uid } = content.typeAttributes[2] ?? {}
  expect(rows[3]).toMatchObject({
    alsoBy: [
      { uid, name: 'price', target: 'cost' },
      { name: 'title', target: 'name' },
    ],
  })
  const row = columnsInOrder(after)[3]
  expect(row && sheetColumns.find(({ id }) => id === 'references')?.text(row)).toBe(
    'Order.id, price → cost, title → name',
  )
  expect(typed('Order.id', after).rows[3]).toMatchObject({ alsoBy: [] })
  const unknown = invalidCells(typed('Order.id, gone → cost').after, content)
  expect(shownIn(content, unknown)).toEqual([expect.stringContaining("There is no attribute 'gone'.")])
})

describe('the offers for a column', () => {
  it('are written as one step, with different names', () => {
    const texts = [['First name'], ['first-name'], ['9'], ['Last name'], ['First name']]
    const { after, problems } = write(content, 'name', texts, { row: 1 })
    const name = sheetColumns.find(({ id }) => id === 'name')
    if (!name) throw new Error('There is no column for names.')
    const all = new Map([...invalidCells(after, content), ...problems])
    const taken = writeCells(after, offeredBlock(after, all, name), { problems })
    expect(columnsInOrder(applyEntityEdits(after, taken.edits)).map(columnName)).toEqual([
      'id',
      'firstName',
      'firstName_2',
      'orderId',
      'lastName',
      'firstName_3',
    ])
    // A text without an offer stays.
    expect(shownIn(after, taken.problems)).toEqual([expect.stringMatching(/^3\.name: 9 – /)])
  })
})
