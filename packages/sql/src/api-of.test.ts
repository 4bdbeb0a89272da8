import { packageModelFormat, type PackageModel } from '@cadmus/model/api/package-model'
import { newConfiguration, type Configuration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { apiAdditions } from '@cadmus/model/api/api-additions'
import { apiBreaks } from '@cadmus/model/api/api-breaks'
import { describe, expect, it } from 'vitest'
import { apiOf } from './api-of.ts'

describe('The API of a package', () => {
  it('has one entity per table, with foreign keys of the type of their target', () => {
    const { entities } = apiOf(shop())
    expect(entities.map(({ name, segment }) => [name, segment])).toEqual([
      ['Customer', 'customer'],
      ['Order', 'order'],
      ['Employee', 'employee'],
    ])
    expect(
      entities[1]?.fields.map(({ name, type, nullable, generated }) => ({ name, type, nullable, generated })),
    ).toEqual([
      { name: 'number', type: { kind: 'text' }, nullable: false, generated: false },
      { name: 'total', type: { kind: 'decimal', precision: 12, scale: 2 }, nullable: true, generated: false },
      { name: 'customerId', type: { kind: 'integer', bits: 64 }, nullable: true, generated: false },
      { name: 'sellerId', type: { kind: 'integer', bits: 64 }, nullable: true, generated: false },
      { name: 'packerId', type: { kind: 'integer', bits: 64 }, nullable: true, generated: false },
    ])
    expect(entities[1]?.fields[2]?.references).toEqual({ entity: 'Customer', field: 'id' })
    expect(entities[0]?.key).toMatchObject([{ name: 'id', generated: true, unique: true }])
    expect(entities[1]?.key).toMatchObject([{ name: 'number', generated: false, maxLength: 255 }])
  })

  it('has relations from both ends of a foreign key, named after it if ambiguous', () => {
    const { entities } = apiOf(shop())
    const relations = (index: number) =>
      entities[index]?.relations.map(({ name, kind, entity }) => [name, kind, entity])
    expect(relations(0)).toEqual([['order', 'toMany', 'Order']])
    expect(relations(1)).toEqual([
      ['customer', 'toOne', 'Customer'],
      ['employeeBySellerId', 'toOne', 'Employee'],
      ['employeeByPackerId', 'toOne', 'Employee'],
    ])
    expect(relations(2)).toEqual([
      ['employeeByBossId', 'toOne', 'Employee'],
      ['orderBySellerId', 'toMany', 'Order'],
      ['orderByPackerId', 'toMany', 'Order'],
      ['employeeListByBossId', 'toMany', 'Employee'],
    ])
    expect(entities[0]?.relations[0]).toEqual({
      name: 'order',
      kind: 'toMany',
      entity: 'Order',
      pairs: [{ field: 'id', otherField: 'customerId' }],
    })
  })

  it('has relations over several fields after all others, whose names they leave', () => {
    const { line, order, shipment } = orderLines
    const again = aRelationship(line, {
      associatedEntityTypeAttribute: 'orderId',
      foreignKeyTypeAttribute: 'lineOrder',
      alsoBy: shipment.entityAttributes[0]?.alsoBy ?? [],
      position: 4,
    })
    const sku = aRelationship(line, {
      associatedEntityTypeAttribute: 'sku',
      foreignKeyTypeAttribute: 'sku',
      foreignKeyDataType: 'string',
      position: 5,
    })
    const unique = line.typeAttributes.map(one => (one.name === 'sku' ? { ...one, unique: true } : one))
    const twice = { ...shipment, entityAttributes: [...shipment.entityAttributes, again, sku] }
    const [, ofLine, ofShipment] = apiOf(modelOf([order, { ...line, typeAttributes: unique }, twice])).entities
    const pairs = (...names: string[]) => names.map(field => ({ field, otherField: field }))
    expect(ofShipment?.relations).toEqual([
      { name: 'orderLine', kind: 'toOne', entity: 'OrderLine', pairs: pairs('sku') },
      { name: 'orderLineByOrderId', kind: 'toOne', entity: 'OrderLine', pairs: pairs('orderId', 'lineNo') },
      {
        name: 'orderLineByLineOrder',
        kind: 'toOne',
        entity: 'OrderLine',
        pairs: [{ field: 'lineOrder', otherField: 'orderId' }, ...pairs('lineNo')],
      },
    ])
    expect(ofLine?.relations.map(({ name }) => name)).toEqual([
      'order',
      'shipment',
      'shipmentByOrderId',
      'shipmentByLineOrder',
    ])
    const plain = apiOf(modelOf([order, line, shipment])).entities.map(({ relations }) =>
      relations.map(({ name }) => name),
    )
    expect(plain).toEqual([['orderLine'], ['order', 'shipment'], ['orderLine']])
  })

  it('has a further relation where a foreign key gets further columns, which breaks what is there', () => {
    const { order, line, shipment } = orderLines
    const [toLine] = shipment.entityAttributes
    const single = { ...shipment, entityAttributes: toLine ? [{ ...toLine, alsoBy: [] }] : [] }
    const [none, several] = [single, shipment].map(one => apiOf(modelOf([order, line, one], withJoins)))
    if (!none || !several) throw new Error('There is no API.')
    expect(apiBreaks(none, several)).toEqual([])
    expect(apiAdditions(none, several)).toEqual(['OrderLine.shipment is new.', 'Shipment.orderLine is new.'])
    expect(apiBreaks(several, none)).toEqual(['OrderLine.shipment was removed.', 'Shipment.orderLine was removed.'])
  })

  it('leaves the custom fields their name', () => {
    const { line, order, shipment } = orderLines
    const relationsOf = apiOf(modelOf([order, line, { ...shipment, name: 'CustomFields' }])).entities[1]?.relations
    expect(relationsOf?.map(({ name }) => name)).toEqual(['order', 'customFieldsByOrderId'])
  })

  it('omits excluded operations and requires the scopes of the entity', () => {
    const model = shop(build => {
      build.apiConfiguration.excludeOperations = ['Customer.get', 'customer.ID.delete', 'Order.put']
    })
    const [customer, order] = apiOf(model).entities
    expect(Object.keys(customer?.operations ?? {})).toEqual(['select', 'insert', 'update'])
    expect(customer?.operations.insert).toEqual({ scopes: ['write'] })
    expect(Object.keys(order?.operations ?? {})).toEqual(['selectAll', 'select', 'insert', 'delete'])
  })

  it('has no operation on a single record without a key', () => {
    const keyless = anEntity({ name: 'Loose', typeAttributes: aList(aTypeAttribute({ name: 'a' })) })
    const [entity] = apiOf(modelOf([keyless])).entities
    expect(entity?.key).toEqual([])
    expect(Object.keys(entity?.operations ?? {})).toEqual(['selectAll', 'insert'])
  })

  it('has a key of several fields in the order of its group; exclusions name the first attribute', () => {
    const keys = aList(aKey({ name: 'a' }), aKey({ name: 'b' }))
    const members = keys.toReversed().map(({ uid, name }) => ({ uid, name, descending: false }))
    const pair = anEntity({ name: 'Pair', typeAttributes: keys })
    const ordered = { ...pair, groups: [{ uid: 'g', kind: 'key' as const, name: '', members }] }
    const keyOf = (entity: EntityNode, excludeOperations: string[] = []) => {
      const model = modelOf([entity], build => {
        build.apiConfiguration = { ...build.apiConfiguration, excludeOperations }
      })
      return apiOf(model).entities.flatMap(({ key, operations }) => [
        key.map(({ name }) => name),
        Object.keys(operations),
      ])
    }
    const all = ['selectAll', 'select', 'insert', 'update', 'delete']
    expect(keyOf(pair)).toEqual([['a', 'b'], all])
    expect(keyOf(ordered)).toEqual([['b', 'a'], all])
    expect(keyOf(ordered, ['Pair.a.get', 'Pair.b.delete'])).toEqual([
      ['b', 'a'],
      ['selectAll', 'insert', 'update', 'delete'],
    ])
  })

  it('takes security, options, aggregate queries and the source of truth from the configuration', () => {
    const api = apiOf(
      shop(build => {
        build.apiConfiguration = { ...build.apiConfiguration, type: ['REST'], security: 'OAUTH2' }
        build.sqlConfiguration = {
          applyAutoIncrement: false,
          applyCoalesce: true,
          applyLimitOffset: true,
          applyJoin: true,
        }
        build.serviceConfiguration = { ...build.serviceConfiguration, applySot: true, sotEntities: ['order'] }
        build.aggregateQueries = [
          { name: 'Turnover', entity: 'Order', columns: [{ field: 'TOTAL', type: 'SUM', alias: 'sum' }] },
        ]
        build.apiScopeConfiguration = { ...build.apiScopeConfiguration, enableRbac: true, globalScopes: ['all'] }
      }),
    )
    expect(api).toMatchObject({ name: 'acme-shop', namespace: 'acme_shop', title: 'Shop', version: '1.2.3' })
    expect(api.protocols).toEqual(['REST'])
    expect(api.security).toEqual({
      kind: 'OAUTH2',
      identityProvider: 'CADMUS',
      rbac: true,
      scopes: [],
      globalScopes: ['all'],
    })
    expect(api.options).toEqual({ coalesce: true, limitOffset: true, join: true, tenancy: false, customFields: false })
    expect(api.entities.map(({ history }) => history)).toEqual([false, true, false])
    expect(api.entities[1]?.aggregates).toEqual([
      { name: 'Turnover', columns: [{ field: 'total', type: 'SUM', alias: 'sum' }] },
    ])
    expect(api.entities[0]?.key[0]?.generated).toBe(false)
  })
})

function withJoins(build: Configuration['configurationBuild']): void {
  build.sqlConfiguration.applyJoin = true
  build.apiConfiguration = { ...build.apiConfiguration, type: ['REST'] }
}

function shop(change?: (build: Configuration['configurationBuild']) => void): PackageModel {
  const customer = anEntity({
    name: 'Customer',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'name', maxLength: 80 })),
    operationScopes: {
      selectOperationScopes: [],
      selectAllOperationScopes: [],
      deleteOperationScopes: [],
      insertOperationScopes: ['write'],
      updateOperationScopes: [],
    },
  })
  const staff = anEntity({ name: 'Employee', typeAttributes: aList(aKey()) })
  const employee = {
    ...staff,
    entityAttributes: [aRelationship(staff, { foreignKeyTypeAttribute: 'bossId', position: 1 })],
  }
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey({ name: 'number', dataType: 'string' }),
      aTypeAttribute({ name: 'total', dataType: 'double', precision: 12, scale: 2, nullable: true }),
    ),
    entityAttributes: [
      aRelationship(customer, { position: 2 }),
      aRelationship(employee, { foreignKeyTypeAttribute: 'sellerId', position: 3 }),
      aRelationship(employee, { foreignKeyTypeAttribute: 'packerId', position: 4 }),
    ],
  })
  return modelOf([customer, order, employee], change)
}

function modelOf(
  entities: readonly EntityNode[],
  change?: (build: Configuration['configurationBuild']) => void,
): PackageModel {
  const root = aManifest({ name: 'Shop', entities: entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  const configuration = newConfiguration('Shop')
  change?.(configuration.configurationBuild)
  return {
    format: packageModelFormat,
    package: 'acme-shop',
    version: '1.2.3',
    manifestVersion: '1.0.0',
    root: root.id,
    manifests: [root],
    entities: [...entities],
    configuration,
  }
}
