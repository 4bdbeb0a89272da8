import { expect, it } from 'vitest'
import { newEntityAttribute } from '../entity-attribute.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { cardLinks, cardRows, cardSize, linkEndBits } from './card-rows.ts'

const target = (id: number) => ({ id, name: `Target${id}`, path: `user-defined/Target${id}` })
const relationship = (name: string, position: number, fields: Partial<ReturnType<typeof newEntityAttribute>> = {}) =>
  newEntityAttribute({
    associatedEntity: target(position),
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: name,
    position,
    ...fields,
  })

const content = {
  typeAttributes: [
    newTypeAttribute({ name: 'note', position: 1, maxLength: 40 }),
    newTypeAttribute({ name: 'id', position: 3, dataType: 'integer', purpose: 'identifiedBy' }),
    newTypeAttribute({
      name: 'price',
      position: 0,
      dataType: 'double',
      format: 'decimal',
      precision: 10,
      scale: 2,
      nullable: true,
    }),
  ],
  entityAttributes: [
    relationship('second', 5, { nullable: false, unique: true }),
    relationship('first', 2, {
      foreignKeyDataType: 'string',
      alternativeTargets: [{ entity: target(9), attribute: 'id' }],
    }),
    relationship('part', 4, { foreignKeyPurpose: 'identifiedBy', nullable: false }),
  ],
}

it('a card shows keys, then foreign keys, then attributes, each by position', () => {
  expect(cardRows(content).map(({ name, type, kind, nullable }) => [name, type, kind, nullable])).toEqual([
    ['id', 'integer', 'key', false],
    ['part', 'integer', 'key', false],
    ['first', 'string', 'reference', true],
    ['second', 'integer', 'reference', false],
    ['price', 'decimal(10,2)', 'attribute', true],
    ['note', 'string(40)', 'attribute', false],
  ])
  expect(cardSize(content)).toEqual({ rows: 6, keyRows: 4 })
})

it('a relationship has a link from its row to each of its targets', () => {
  expect(cardLinks(content).map(({ target: { id }, row, ends }) => [id, row, ends])).toEqual([
    [5, 3, linkEndBits.unique],
    [2, 2, linkEndBits.nullable],
    [9, 2, linkEndBits.nullable],
    [4, 1, 0],
  ])
})

it('the last row of a large card says how many more there are, and takes their links', () => {
  const large = {
    typeAttributes: [],
    entityAttributes: Array.from({ length: 60 }, (_, at) => relationship(`key${at}`, at)),
  }
  const rows = cardRows(large)
  expect(rows).toHaveLength(50)
  expect(rows.at(-1)).toMatchObject({ name: '11 more', kind: 'more' })
  expect(cardSize(large)).toEqual({ rows: 50, keyRows: 50 })
  expect(cardLinks(large).map(({ row }) => row)).toEqual([...Array(50).keys(), ...Array<number>(10).fill(49)])
})

it('a foreign key over several columns names all of them, with their targets if they have other names', () => {
  const pair = (name: string, target: string) => ({ uid: name, name, target, targetUid: null })
  const alsoBy = [pair('lineNo', 'lineNo'), pair('at', 'place')]
  const columns = { typeAttributes: [], entityAttributes: [relationship('orderId', 0, { alsoBy })] }
  expect(cardRows(columns)).toMatchObject([{ name: 'orderId', type: 'integer + lineNo + at → place' }])
})
