import { graphQlFaults } from '@cadmus/testing/graphql-check'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { anApi } from '../testing/sample-api.ts'
import { aConfiguration, aShop } from '../testing/built-packages.ts'
import { anEnumeratedModel } from '../testing/enumerated-model.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { placedModel } from '../placed-model.ts'
import { realModel } from '../testing/real-models.ts'
import { hasSharedCdm } from '../testing/shared-cdm.ts'
import { sdlOf } from './write.ts'

describe('the GraphQL schema of an API', () => {
  it('the GraphQL schema has a type for each entity and a root field for each operation that is not excluded', () => {
    const configuration = aConfiguration({
      excluded: ['Order.post', 'Order.id.get'],
      aggregates: [
        { name: 'by level', entity: 'Customer', columns: [{ field: 'level', type: 'GROUPBY', alias: 'level' }] },
      ],
    })
    const sdl = sdlOf(anApi(aShop(), configuration))
    const limit = '"The maximum number of records: 1 to 1000." limit: Int'
    expect(blockOf(sdl, 'type Query')).toEqual([
      'customer(id: Long!): Customer',
      `customerList(filter: CustomerFilter, search: String, sort: [CustomerSort!], ${limit}, offset: Long): CustomerList!`,
      `orderList(filter: OrderFilter, search: String, sort: [OrderSort!], ${limit}, offset: Long): OrderList!`,
      'item(sku: String!): Item',
      `itemList(filter: ItemFilter, search: String, sort: [ItemSort!], ${limit}, offset: Long): ItemList!`,
      'customerBy_levelAggregate(filter: CustomerFilter): [_customerBy_levelAggregate!]!',
    ])
    expect(blockOf(sdl, 'type Mutation')).toEqual([
      'insertCustomer(record: CustomerInsert!): Customer!',
      'updateCustomer(record: CustomerUpdate!): Customer!',
      'deleteCustomer(id: Long!): Boolean!',
      'updateOrder(record: OrderUpdate!): Order!',
      'deleteOrder(id: Long!): Boolean!',
      'insertItem(record: ItemInsert!): Item!',
      'updateItem(record: ItemUpdate!): Item!',
      'deleteItem(sku: String!): Boolean!',
    ])
    expect(blockOf(sdl, 'type Item')).toEqual(['sku: String!', 'amount: Int!', 'orderId: Long'])
    expect(blockOf(sdl, 'input ItemInsert')).toEqual(['sku: String!', 'amount: Int!', 'orderId: Long'])
    expect(blockOf(sdl, 'input ItemUpdate')).toEqual(['sku: String!', 'amount: Int', 'orderId: Long'])
  })

  it('the GraphQL schema has strings for enumerations, whose values and labels descriptions have', () => {
    const sdl = sdlOf(anApi(anEnumeratedModel()))
    expect(graphQlFaults(sdl)).toEqual([])
    expect(sdl).not.toContain('enum State')
    const sentence = 'A value of State: in work (Still open), done.'
    expect(blockOf(sdl, 'type Order')).toEqual(
      expect.arrayContaining([
        JSON.stringify(`Of the work.\n\n${sentence}`),
        'state: String!',
        `"${sentence}"`,
        'before: String',
      ]),
    )
    expect(blockOf(sdl, 'input OrderInsert')).toEqual(expect.arrayContaining([`"${sentence}"`, 'state: String']))
  })

  it('the GraphQL schema is valid without queries or mutations', () => {
    const lonely = anEntity({ name: 'Query', typeAttributes: aList(aKey()) })
    const plain = anEntity({
      name: 'CustomerFilter',
      typeAttributes: aList(aTypeAttribute({ name: 'true', dataType: 'object' })),
    })
    const customer = anEntity({
      name: 'Customer',
      typeAttributes: aList(aKey(), aTypeAttribute({ name: '__typename' })),
    })
    const excluded = ['Query', 'CustomerFilter', 'Customer'].flatMap(name => [
      `${name}.get`,
      `${name}.id.get`,
      `${name}.post`,
      `${name}.put`,
      `${name}.id.delete`,
    ])
    const resolvedModel = aResolvedModel([lonely, plain, customer])
    for (const configuration of [
      aConfiguration(),
      aConfiguration({ excluded }),
      aConfiguration({ services: { applyCustomField: true } }),
    ]) {
      expect(graphQlFaults(sdlOf(anApi(resolvedModel, configuration)))).toEqual([])
    }
  })

  it('only the GraphQL schema of an API with instants or wall-clock times has their scalars', () => {
    const scalarsOf = (...names: ('instant' | 'local')[]) => {
      const times = names.map(format => aTypeAttribute({ name: format, dataType: 'dateTime', format }))
      const entity = anEntity({ name: 'DateTime', typeAttributes: aList(aKey(), ...times) })
      const sdl = sdlOf(anApi(aResolvedModel([entity])))
      expect(graphQlFaults(sdl)).toEqual([])
      return ['scalar DateTime\n', 'scalar LocalDateTime\n', 'type DateTime '].map(line => sdl.includes(line))
    }
    expect(scalarsOf()).toEqual([false, false, true])
    expect(scalarsOf('local')).toEqual([false, true, true])
    expect(scalarsOf('instant', 'local')).toEqual([true, true, false])
  })

  it('the GraphQL schemas of generated models are accepted by the reference implementation', () => {
    for (const resolvedModel of exportableModels(40, 900, { checks: true })) {
      const sdl = sdlOf(anApi(resolvedModel))
      expect(graphQlFaults(sdl)).toEqual([])
      expect(sdlOf(anApi(resolvedModel))).toBe(sdl)
    }
  })

  it.skipIf(!hasSharedCdm)('the GraphQL schema of a real model is accepted by the reference implementation', () => {
    expect(graphQlFaults(sdlOf(anApi(placedModel(realModel('core-slice')))))).toEqual([])
  })
})

function blockOf(sdl: string, head: string): string[] {
  const start = sdl.indexOf(`${head} {\n`)
  const lines = sdl.slice(start, sdl.indexOf('\n}', start)).split('\n').slice(1)
  return lines.map(line => line.trim())
}
