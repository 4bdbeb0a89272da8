import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, entityOf, guided, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

const names = ['Person', 'Child', 'Order', 'Special', 'Odd']

const documents: Record<string, Json> = {
  'Person.cdm.json': entityDocument('Person', [key('personId'), { name: 'code', dataType: 'string' }]),
  'Child.cdm.json': entityDocument('Child', [], { extendsEntity: 'Person' }, ['Person.cdm.json']),
  'Order.cdm.json': entityDocument(
    'Order',
    [
      key('orderId'),
      { name: 'buyer', description: 'Who pays', dataType: 'string', maximumLength: 40, isNullable: true },
      { name: 'count', dataType: 'integer' },
      guided('Person', 'seller', 'personId'),
      guided('Gone', 'lost', 'goneId'),
    ],
    {},
    ['Person.cdm.json'],
  ),
  'Special.cdm.json': entityDocument('Special', [{ name: 'extra', dataType: 'string' }], { extendsEntity: 'Order' }, [
    'Order.cdm.json',
  ]),
  'Odd.cdm.json': entityDocument('Odd', [key('orderId', 'integer')]),
  'Undeclared.cdm.json': entityDocument('Undeclared', [key('undeclaredId')]),
}

function read(relationships: unknown[], more: Record<string, unknown> = {}) {
  const paths = names.map(name => `${name}.cdm.json/${name}`)
  const model = readCdm(
    cdmFolder({ 'm.manifest.cdm.json': manifest('Model', paths, { relationships }), ...documents, ...more }),
  )
  const lines = model.report.filter(line => line.path === 'm.manifest.cdm.json').map(line => line.message)
  return { model, lines }
}

/** A relationship such as `Order.buyer Person.personId` as a manifest lists it. */
function listed(text: string): Json {
  const [from = '', fromEntityAttribute, to = '', toEntityAttribute] = text.split(/[. ]/)
  const path = (name: string) => `${name}.cdm.json/${name}`
  return { fromEntity: path(from), fromEntityAttribute, toEntity: path(to), toEntityAttribute }
}

describe('relationships that only a manifest lists', () => {
  it('a listed relationship replaces the plain attribute in place, also in entities that inherit it', () => {
    const { model, lines } = read([listed('Order.buyer Person.personId')])
    expect(lines).toEqual([])
    const order = entityOf(model, 'Order')
    expect(order.typeAttributes.map(({ name }) => name)).toEqual(['orderId', 'count', 'lost'])
    expect(order.entityAttributes.map(one => [one.foreignKeyTypeAttribute, one.position])).toEqual([
      ['buyer', 1],
      ['seller', 3],
    ])
    expect(order.entityAttributes[0]).toMatchObject({
      associatedEntity: { path: '/Person.cdm.json/Person' },
      associatedEntityTypeAttribute: 'personId',
      description: 'Who pays',
      foreignKeyDataType: 'string',
      nullable: true,
      alternativeTargets: [],
    })
    const special = entityOf(model, 'Special')
    expect(special).toMatchObject({ extendsEntity: '/Order.cdm.json/Order', entityAttributes: [] })
    expect(special.typeAttributes.map(({ name }) => name)).toEqual(['extra'])
  })

  it('a listed relationship drops the default value and value list of the attribute and reports it', () => {
    const constrained = {
      valueConstrainedToList: true,
      defaultValue: [{ languageTag: 'en', displayText: 'One', attributeValue: '1' }],
    }
    const members = [
      key('oddId', 'integer'),
      { name: 'buyer', dataType: 'string', defaultValue: 'x' },
      { name: 'other', dataType: 'string', ...constrained },
    ]
    const { model } = read([listed('Odd.buyer Person.personId'), listed('Odd.other Person.personId')], {
      'Odd.cdm.json': entityDocument('Odd', members),
    })
    expect(model.report.filter(line => line.path.startsWith('Odd')).map(line => line.message)).toEqual([
      'It is a relationship: its default value was left out.',
      'It is a relationship: its list of values was left out.',
    ])
  })

  it('a relationship listed for an inheriting entity affects only that entity', () => {
    const { model, lines } = read([listed('Special.BUYER Person.PersonId')])
    expect(lines).toEqual([])
    expect(entityOf(model, 'Order').typeAttributes.map(({ name }) => name)).toContain('buyer')
    const own = entityOf(model, 'Special').entityAttributes
    expect(own).toMatchObject([{ foreignKeyTypeAttribute: 'buyer', associatedEntityTypeAttribute: 'personId' }])
  })

  it('several listed targets of one attribute become alternatives, except subtypes of another target', () => {
    const targets = ['Child.personId', 'Person.personId', 'Special.orderId', 'Order.orderId', 'Person.personId']
    const { model, lines } = read(targets.map(target => listed(`Order.buyer ${target}`)))
    expect(lines).toEqual([])
    const [buyer] = entityOf(model, 'Order').entityAttributes
    expect(buyer).toMatchObject({
      associatedEntity: { name: 'Person' },
      alternativeTargets: [{ entity: { name: 'Order' }, attribute: 'orderId' }],
    })
  })

  it('listed relationships are ignored if the entities define them or report their errors', () => {
    const { model, lines } = read([
      listed('Order.seller Person.personId'),
      listed('Special.seller Person.personId'),
      listed('Order.seller Child.personId'),
      listed('Order.lost Person.personId'),
    ])
    expect(lines).toEqual([])
    expect(entityOf(model, 'Order').entityAttributes.map(one => one.foreignKeyTypeAttribute)).toEqual(['seller'])
    expect(entityOf(model, 'Special').entityAttributes).toEqual([])
  })

  it('a listed relationship may refer to another foreign key unless the keys form a cycle', () => {
    const { model, lines } = read([
      listed('Person.personId Order.orderId'),
      listed('Order.orderId Person.personId'),
      listed('Odd.orderId Odd.orderId'),
    ])
    expect(entityOf(model, 'Person').entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'personId', foreignKeyPurpose: 'identifiedBy' },
    ])
    expect(lines).toEqual([
      '2 relationships that it lists have a key that leads back to itself and were left out: "Order.cdm.json/Order" "orderId" to "Person.cdm.json/Person" "personId", "Odd.cdm.json/Odd" "orderId" to "Odd.cdm.json/Odd" "orderId".',
    ])
  })

  it('listed relationships that cannot be imported are reported, one line per reason', () => {
    const { model, lines } = read([
      listed('Order.buyer Gone.goneId'),
      'Order to Person',
      listed('Undeclared.undeclaredId Person.personId'),
      listed('Order.buyer Undeclared.undeclaredId'),
      { ...listed('Order.buyer Person.personId'), toEntity: 'Person.cdm.json/Nobody' },
      { ...listed('Order.buyer Person.personId'), fromEntity: 'Order.cdm.json/Nobody' },
      listed('Order.zzz Person.personId'),
      listed('Order.buyer Person.zzz'),
      listed('Order.seller Odd.orderId'),
      listed('Order.buyer Person.code'),
      listed('Order.count Person.personId'),
      listed('Order.buyer Odd.orderId'),
      listed('Order.orderId Odd.orderId'),
      listed('Special.count Order.orderId'),
    ])
    expect(entityOf(model, 'Order').entityAttributes.map(one => one.foreignKeyTypeAttribute)).toEqual(['seller'])
    expect(lines.map(line => line.slice(0, line.indexOf(':')))).toEqual([
      '2 relationships that it lists have an end that is not in the folder and were left out',
      '2 relationships that it lists have an end that was not imported and were left out',
      '2 relationships that it lists have an end that its document does not define and were left out',
      '2 relationships that it lists have an attribute that does not exist and were left out',
      'One relationship that it lists has an attribute with another target and was left out',
      'One relationship that it lists has a target that is not a key and was left out',
      '4 relationships that it lists have a key of another data type than its attribute and were left out',
    ])
    expect(lines.at(-1)).toMatch(/"Order.cdm.json\/Order" "count" to .*, .*, .* and others\.$/)
  })
})
