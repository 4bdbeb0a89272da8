import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import { conformanceFaults } from '../testing/model-conformance.ts'
import { readDataModel } from './read.ts'
import { writeDataModel } from './write.ts'

const customer = anEntity({ name: 'Customer', description: 'Who buys.' })
const order = anEntity({
  name: 'Order',
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'state', choices: ['open', 'paid'], defaultValue: 'open', maxLength: 10 }),
    aTypeAttribute({ name: 'placed', dataType: 'dateTime', format: 'date', nullable: true, description: 'The day.' }),
    aTypeAttribute({ name: 'weight', dataType: 'float', nullable: true }),
    aTypeAttribute({ name: 'price', dataType: 'double', precision: 12, scale: 2 }),
    aTypeAttribute({ name: 'rank', dataType: 'integer', format: 'int16', unique: true }),
    aTypeAttribute({ name: 'paid', dataType: 'boolean' }),
    aTypeAttribute({ name: 'extra', dataType: 'object', nullable: true }),
  ),
  entityAttributes: [
    aRelationship(customer, {
      position: 9,
      foreignKeyTypeAttribute: 'customerId',
      nullable: false,
      onDelete: 'cascade',
    }),
  ],
})
const shop = aResolvedModel([customer, order])

describe('Decisions 7: exporting a manifest as a data model', () => {
  it('data model export writes one JSON model per entity, named after the entity, in the documented format', () => {
    const { files } = writeDataModel(shop, { applyJoin: true })
    expect([...files.keys()]).toEqual(['Shop/models/Customer.model', 'Shop/models/Order.model'])
    expect(conformanceFaults(files)).toEqual([])
    expect(JSON.parse(files.get('Shop/models/Order.model') ?? '')).toEqual({
      name: 'Order',
      type: 'model',
      gloopProperties: [
        { name: 'id', type: 'integer', allowNull: false },
        {
          name: 'state',
          type: 'string',
          allowNull: false,
          defaultValue: 'open',
          maxLength: 10,
          choices: ['open', 'paid'],
          allowOtherValues: false,
        },
        { name: 'placed', type: 'date', allowNull: true, comments: 'The day.' },
        { name: 'weight', type: 'double', allowNull: true },
        { name: 'price', type: 'bigDecimal', allowNull: false },
        { name: 'rank', type: 'short', allowNull: false },
        { name: 'paid', type: 'boolean', allowNull: false },
        { name: 'extra', type: 'object', allowNull: true },
        { name: 'customerId', type: 'integer', allowNull: false },
        { name: 'customer', type: 'model', reference: 'Shop.models.Customer' },
      ],
    })
    expect(JSON.parse(files.get('Shop/models/Customer.model') ?? '')).toMatchObject({ comments: 'Who buys.' })
  })

  it('data model export without joins writes no record properties', () => {
    const { files, notes } = writeDataModel(shop, { applyJoin: false })
    expect(files.get('Shop/models/Order.model')).not.toContain('"model",\n      "reference"')
    expect(notes.map(({ message }) => message)).toContain(
      "'customerId' is a plain property without joins: its reference to 'Customer' is not written.",
    )
  })

  it('data model export reports each omission with its place', () => {
    const { notes } = writeDataModel(shop, { applyJoin: true })
    const about = (name: string) => notes.filter(({ path }) => path.at(-1)?.name === name).map(({ message }) => message)
    expect(about('price')).toEqual(["Not written of 'price': its precision 12 and its scale 2."])
    expect(about('weight')).toEqual(["Not written of 'weight': its data type float."])
    expect(about('rank')).toEqual(["Not written of 'rank': that it is unique."])
    const paidAt = aTypeAttribute({ name: 'paidAt', dataType: 'dateTime', defaultKind: 'now' })
    const computed = writeDataModel(aResolvedModel([anEntity({ typeAttributes: aList(aKey(), paidAt) })]), {
      applyJoin: true,
    })
    expect(computed.notes.map(({ message }) => message)).toContain("Not written of 'paidAt': its computed default now.")
    expect(about('customerId')).toEqual([
      "Not written of 'customerId': that it points at 'id' and its action on delete (cascade).",
    ])
  })

  it('data model export notes that enumerations are not written, and writes their values as choices', () => {
    const state = { uid: 'e', name: 'State', description: '', values: [{ uid: 'v', value: 'new', label: 'New' }] }
    const enumeration = { uid: 'e', name: 'State' }
    const attribute = aTypeAttribute({ name: 'state', choices: ['new'], enumeration })
    const model = aResolvedModel([anEntity({ name: 'Thing', typeAttributes: aList(aKey(), attribute) })])
    const root = { ...model.root, enumerations: [state] }
    const { notes } = writeDataModel({ ...model, root, manifests: [root] }, { applyJoin: true })
    expect(notes.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "Not written of 'Shop': its enumerations State. Attributes have their values as choices.",
        "Not written of 'state': its enumeration State.",
      ]),
    )
  })

  it('data model export reports the further columns of a foreign key', () => {
    const { notes } = writeDataModel(aResolvedModel(Object.values(orderLines)), { applyJoin: true })
    const messages = notes.filter(({ path }) => path.some(({ name }) => name === 'Shipment')).map(one => one.message)
    expect(messages).toContainEqual(expect.stringContaining('its further columns (lineNo)'))
  })

  it.each([
    [4, 'short'],
    [9, 'integer'],
    [18, 'long'],
    [19, 'bigInteger'],
  ])('data model export writes an integer of %i digits as %s', (precision, type) => {
    const typeAttributes = aList(aKey(), aTypeAttribute({ name: 'code', dataType: 'integer', precision }))
    const { files, notes } = writeDataModel(aResolvedModel([anEntity({ name: 'Thing', typeAttributes })]), {
      applyJoin: true,
    })
    expect(JSON.parse(files.get('Shop/models/Thing.model') ?? '')).toMatchObject({ gloopProperties: [{}, { type }] })
    const lost = precision > 18 ? 'its data type integer and its precision' : 'its precision'
    expect(notes.map(({ message }) => message)).toContain(`Not written of 'code': ${lost} ${precision}.`)
  })

  it('data model export gives identical bytes for identical models', () => {
    const bytes = () => writeArchive(writeDataModel(shop, { applyJoin: true }).files)
    expect(bytes()).toEqual(bytes())
  })

  it('data model export repeats inherited attributes in each entity and writes one model for entities of one name that extend each other', () => {
    const base = anEntity({
      name: 'Base',
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'note', nullable: true })),
    })
    const child = anEntity({
      name: 'Child',
      extendsEntity: { id: base.id, name: 'Base', path: base.path },
      typeAttributes: [],
    })
    const duplicate = anEntity({
      name: 'BASE',
      extendsEntity: { id: base.id, name: 'Base', path: base.path },
      typeAttributes: [],
    })
    const files = writeDataModel(aResolvedModel([base, child, duplicate]), { applyJoin: true }).files
    expect([...files.keys()]).toEqual(['Shop/models/Child.model', 'Shop/models/BASE.model'])
    expect(JSON.parse(files.get('Shop/models/Child.model') ?? '')).toMatchObject({
      gloopProperties: [{ name: 'id' }, { name: 'note' }],
    })
  })

  it('data model export gives separate files to names that are invalid as file names', () => {
    const names = ['a/b', 'a_b', 'A b', '名前', '😀', '../../x']
    const files = writeDataModel(aResolvedModel(names.map(name => anEntity({ name }))), { applyJoin: true }).files
    expect(conformanceFaults(files)).toEqual([])
    expect(files.size).toBe(names.length)
  })
})

describe('reading a data model', () => {
  it('data model import restores all entity properties that the format supports and reports the rest', () => {
    const zip = writeArchive(writeDataModel(shop, { applyJoin: true }).files)
    const { name, entities, report } = readDataModel(readArchive(zip))
    expect(name).toBe('Shop')
    expect(entities.map(entity => entity.name)).toEqual(['Customer', 'Order'])
    expect(entities[1]).toMatchObject({
      typeAttributes: [
        { name: 'id', dataType: 'integer', purpose: 'identifiedBy', nullable: false },
        { name: 'state', choices: ['open', 'paid'], defaultValue: 'open', maxLength: 10 },
        { name: 'placed', dataType: 'dateTime', nullable: true, description: 'The day.' },
        { name: 'weight', dataType: 'double' },
        { name: 'price', dataType: 'double', format: 'decimal' },
        { name: 'rank', dataType: 'integer', format: 'int16', unique: false },
        { name: 'paid', dataType: 'boolean' },
        { name: 'extra', dataType: 'object' },
      ],
      entityAttributes: [
        {
          foreignKeyTypeAttribute: 'customerId',
          associatedEntity: { id: -1, name: 'Customer', path: '/Shop/models/Customer.model' },
          associatedEntityTypeAttribute: 'id',
          nullable: false,
          position: 8,
        },
      ],
    })
    expect(report.map(({ path, message }) => `${path}: ${message}`)).toContain(
      'Shop/models/Order.model: The format does not state which property is the key: "id" is used.',
    )
  })

  it('"data model import reads the models below a package\'s code folder and turns unsupported properties into objects"', () => {
    const model = (name: string, ...gloopProperties: unknown[]) =>
      JSON.stringify({ name, type: 'model', gloopProperties })
    const read = readDataModel(
      new Map([
        [
          'sales/code/sales/models/Order.model',
          model(
            'Order',
            { name: 'id', type: 'long', allowNull: false },
            { name: 'buyer' },
            { name: 'who', type: 'model', reference: 'sales.models.Person' },
          ),
        ],
        [
          'sales/code/sales/models/Person.model',
          model(
            'Person',
            { name: 'tags', array: true },
            { name: 'home', type: 'model', gloopProperties: [{ name: 'street' }] },
            { name: 'odd', type: 'tuple', maxLength: -1, choices: ['a'], allowOtherValues: true },
          ),
        ],
        ['sales/conf/package.xml', '<package/>'],
        ['sales/code/sales/models/Broken.model', '{'],
      ]),
    )
    expect(read.name).toBe('sales')
    expect(read.entities).toMatchObject([
      { name: 'Order', entityAttributes: [{ foreignKeyTypeAttribute: 'buyer', foreignKeyDataType: 'string' }] },
      {
        name: 'Person',
        typeAttributes: [
          { dataType: 'object' },
          { dataType: 'object' },
          { dataType: 'string', maxLength: null, choices: [] },
        ],
      },
    ])
    const lines = read.report.map(({ level, kind, message }) => `${level} ${kind} ${message}`)
    expect(lines).toContain('error lost "sales/code/sales/models/Broken.model" is not a JSON document.')
    expect(lines).toContain('warning changed It holds a list, which attributes cannot: it is read as an object.')
    expect(lines).toContain('warning changed The type "tuple" is unknown: it is read as a string.')
    expect(lines).toContain('warning lost The max length "-1" is invalid: it is left out.')
  })

  it('data model import keeps properties with equal names and reports invalid properties', () => {
    const gloopProperties = [{ name: 'a' }, 'b', { name: 'A' }, {}, { name: ' ' }]
    const read = readDataModel(new Map([['x/models/Odd.model', JSON.stringify({ type: 'model', gloopProperties })]]))
    expect(read.entities).toMatchObject([{ name: 'Odd', typeAttributes: [{ name: 'a' }, { name: 'A' }] }])
    expect(read.report.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'It has no name: it takes that of its file, "Odd".',
        'A property that is not an object is left out.',
        'A property without a name is left out. (2 times)',
      ]),
    )
  })

  it('an archive without a model is refused', () => {
    const error = (files: Record<string, string>) => {
      try {
        readDataModel(new Map(Object.entries(files)))
      } catch (thrown) {
        return thrown instanceof ImportError ? thrown.code : 'another error'
      }
      return 'no error'
    }
    expect(error({})).toBe('not-a-model')
    expect(error({ 'a.model': '[]', 'b.model': '{"type":"service"}' })).toBe('not-a-model')
  })
})
