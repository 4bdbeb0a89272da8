import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { openApiFaults } from '@cadmus/testing/openapi-lint'
import { describe, expect, it } from 'vitest'
import { anEnumeratedModel } from '../testing/enumerated-model.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { anApi } from '../testing/sample-api.ts'
import { aConfiguration, aShop } from '../testing/built-packages.ts'
import { placedModel } from '../placed-model.ts'
import { realModel } from '../testing/real-models.ts'
import { hasSharedCdm } from '../testing/shared-cdm.ts'
import { openApiOf } from './write.ts'

const options = { serverUrl: 'http://localhost:4100' }

describe('the OpenAPI 3.1 description of an API', () => {
  it('the OpenAPI description contains exactly the paths that are served', () => {
    const configuration = aConfiguration({
      excluded: ['Customer.post', 'Order.id.delete'],
      services: { applySot: true, sotEntities: ['Item'] },
      aggregates: [
        { name: 'perLevel', entity: 'Customer', columns: [{ field: 'level', type: 'GROUPBY', alias: 'level' }] },
      ],
    })
    const { paths, servers } = openApiOf(anApi(aShop(), configuration), options)
    expect(servers).toEqual([{ url: 'http://localhost:4100/api/shop/1.0' }])
    expect(operationsOf(paths)).toEqual([
      'get /customer',
      'put /customer',
      'get /customer/{id}',
      'delete /customer/{id}',
      'get /customer/{id}/order',
      'get /_aggregate/customer/perLevel',
      'get /order',
      'post /order',
      'put /order',
      'get /order/{id}',
      'get /order/{id}/customer',
      'get /order/{id}/item',
      'get /item',
      'post /item',
      'put /item',
      'get /item/{sku}',
      'delete /item/{sku}',
      'get /item/{sku}/order',
      'get /_history/item/{sku}',
      'get /_changes/item',
    ])
  })

  it('the OpenAPI description excludes generated keys from POST and requires the key in PUT', () => {
    const { components } = openApiOf(anApi(), options)
    expect(components).toMatchObject({
      schemas: {
        'Customer.insert': { required: ['name'], additionalProperties: false },
        'Customer.update': { required: ['id'] },
        'Item.insert': { required: ['sku', 'amount'] },
        'Item.update': { required: ['sku'] },
      },
    })
    expect(JSON.parse(JSON.stringify(components))['schemas']['Customer.insert'].properties).not.toHaveProperty('id')
  })

  it('the OpenAPI description has decimals as strings, and integers as numbers or, beyond 2^53, strings', () => {
    const { components } = openApiOf(anApi(), options)
    expect(components).toMatchObject({
      schemas: {
        Customer: {
          properties: {
            credit: { type: 'string' },
            points: { type: ['integer', 'string', 'null'] },
            rating: { type: ['number', 'null'] },
            born: { type: ['string', 'null'], format: 'date' },
            picture: { contentEncoding: 'base64' },
            level: { enum: ['gold', 'plain'] },
            name: { maxLength: 100, description: 'As it is said.' },
            order: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          },
        },
        Order: { properties: { customer: { anyOf: [{ $ref: '#/components/schemas/Customer' }, { type: 'null' }] } } },
        Item: { properties: { amount: { type: 'integer', minimum: -2147483648, maximum: 2147483647 } } },
      },
    })
  })

  it('the OpenAPI description has the length of texts of fixed length, and single precision', () => {
    const attributes = [
      aKey({ name: 'code', dataType: 'string', format: 'fixed', maxLength: 3 }),
      aTypeAttribute({ name: 'rate', dataType: 'float', format: 'single', defaultValue: '0.1', nullable: true }),
    ]
    const model = aResolvedModel([anEntity({ name: 'Rate', typeAttributes: aList(...attributes) })])
    expect(openApiOf(anApi(model), options).components).toMatchObject({
      schemas: {
        'Rate.insert': {
          properties: {
            code: { type: 'string', minLength: 3, maxLength: 3 },
            rate: { type: ['number', 'null'], format: 'float', default: 0.1 },
          },
        },
      },
    })
  })

  it('the OpenAPI description names enumerations, with the labels of their values', async () => {
    const description = openApiOf(anApi(anEnumeratedModel()), options)
    const state = { $ref: '#/components/schemas/State' }
    const sorting = { anyOf: [{ $ref: '#/components/schemas/Order2' }, { type: 'null' }] }
    expect(description.components).toMatchObject({
      schemas: {
        State: {
          type: 'string',
          enum: ['in work', 'done'],
          description: 'How far it is.\n\n- in work: Still open',
        },
        Order2: { type: 'string', enum: ['a<b'], description: '- a<b: Ascending' },
        Order: {
          properties: {
            state: { ...state, description: 'Of the work.' },
            before: { anyOf: [state, { type: 'null' }] },
            sorting,
            stale: { type: ['string', 'null'], enum: ['done', null] },
            own: { type: ['string', 'null'], enum: ['x', 'y', null] },
          },
        },
        'Order.insert': { properties: { state: { ...state, default: 'done' }, sorting } },
      },
    })
    expect(await openApiFaults(description)).toEqual([])
  })

  it('the OpenAPI description has integers of a precision with their digits, beyond 18 of them as strings', () => {
    const typeAttributes = aList(
      aKey({ precision: 38 }),
      aTypeAttribute({ name: 'small', dataType: 'integer', precision: 4, defaultValue: '-12' }),
      aTypeAttribute({ name: 'large', dataType: 'integer', precision: 18 }),
    )
    const { components } = openApiOf(anApi(aResolvedModel([anEntity({ name: 'Thing', typeAttributes })])), options)
    expect(components).toMatchObject({
      schemas: {
        'Thing.insert': {
          properties: {
            id: { type: 'string', pattern: '^[+-]?0*\\d{1,38}$' },
            small: { type: 'integer', format: 'int64', minimum: -9999, maximum: 9999, default: -12 },
            large: { type: ['integer', 'string'], format: 'int64', pattern: '^[+-]?0*\\d{1,18}$' },
          },
        },
      },
    })
  })

  it('the OpenAPI description gives the default of a JSON field as JSON', () => {
    const extra = aTypeAttribute({ name: 'extra', dataType: 'object', defaultValue: '{"a": [1, null]}' })
    const resolvedModel = aResolvedModel([anEntity({ name: 'Thing', typeAttributes: aList(aKey(), extra) })])
    expect(openApiOf(anApi(resolvedModel), options).components).toMatchObject({
      schemas: { 'Thing.insert': { properties: { extra: { default: { a: [1, null] } } } } },
    })
  })

  it('the OpenAPI description states authentication and the scopes of each operation', () => {
    const scopes = { enableRbac: true, scopeDefinitions: ['read', 'write'], globalScopes: ['all'] }
    const basic = openApiOf(anApi(aShop(), aConfiguration({ security: 'BASIC', scopes })), options)
    expect(basic).toMatchObject({
      security: [{ caller: [] }],
      components: { securitySchemes: { caller: { type: 'http', scheme: 'basic' } } },
      paths: { '/customer': { get: { description: 'Lists records of Customer. Needs the scope all.' } } },
    })
    const own = { ...scopes, identityProvider: 'MARTINI_USER_DIRECTORY' as const }
    const directory = openApiOf(anApi(aShop(), aConfiguration({ security: 'OAUTH2', scopes: own })), options)
    expect(directory['components']).toMatchObject({
      securitySchemes: {
        caller: { type: 'oauth2', flows: { password: { tokenUrl: 'http://localhost:4100/oauth/token' } } },
      },
    })
    const provider = openApiOf(anApi(aShop(), aConfiguration({ security: 'OAUTH2', scopes })), options)
    expect(provider['components']).toMatchObject({ securitySchemes: { caller: { type: 'http', scheme: 'bearer' } } })
    expect(openApiOf(anApi(), options)).toMatchObject({ security: [] })
  })

  it('the OpenAPI description passes a public linter with every combination of options', async () => {
    for (const security of ['NONE', 'BASIC', 'OAUTH2'] as const) {
      for (const on of [false, true]) {
        const configuration = aConfiguration({
          security,
          sql: { applyLimitOffset: on, applyJoin: on, applyCoalesce: on },
          services: { applyCustomField: on, applySot: on, sotEntities: ['Order'] },
          scopes: { enableRbac: on, identityProvider: 'MARTINI_USER_DIRECTORY', scopeDefinitions: ['a b', 'c'] },
        })
        expect(await openApiFaults(openApiOf(anApi(aShop(), configuration), { serverUrl: '' }))).toEqual([])
      }
    }
  })

  it('the OpenAPI descriptions of generated models pass a public linter and are deterministic', async () => {
    for (const resolvedModel of exportableModels(12, 70, { checks: true })) {
      const described = openApiOf(anApi(resolvedModel), options)
      expect(await openApiFaults(described)).toEqual([])
      expect(JSON.stringify(openApiOf(anApi(resolvedModel), options))).toBe(JSON.stringify(described))
    }
  })

  it.skipIf(!hasSharedCdm)('the OpenAPI description of a real model passes a public linter', async () => {
    const resolvedModel = placedModel(realModel('example-export'))
    expect(await openApiFaults(openApiOf(anApi(resolvedModel), options))).toEqual([])
  })
})

function operationsOf(paths: unknown): string[] {
  const copy: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(paths))
  return Object.entries(copy).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap(method => (method === 'parameters' ? [] : `${method} ${path}`)),
  )
}
