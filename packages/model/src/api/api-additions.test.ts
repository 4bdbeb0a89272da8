import { expect, it } from 'vitest'
import { anApi, anApiEntity, anApiField, anApiKey } from '../testing/apis.ts'
import type { Api } from './api.ts'
import { apiAdditions } from './api-additions.ts'

const note = anApiField('note')
const key = anApiKey()
const plain = anApiEntity({ fields: [key, note] })
const relationOver = (...fields: string[]) =>
  plain.relations.map(one => ({ ...one, pairs: fields.map(field => ({ field, otherField: field })) }))
const options = (overrides: Partial<Api['options']>) => ({ ...anApi().options, ...overrides })

it.each<[string, Api, Api, string[]]>([
  ['nothing', anApi(), anApi(), []],
  [
    'an entity',
    anApi(),
    anApi({ entities: [anApiEntity(), anApiEntity({ uid: 'i', name: 'Item' })] }),
    ['Item is new.'],
  ],
  [
    'operations, fields, aggregates and a history',
    anApi({ entities: [plain] }),
    anApi({
      entities: [
        anApiEntity({
          fields: [key, note, anApiField('flag')],
          operations: { selectAll: { scopes: [] }, insert: { scopes: [] }, delete: { scopes: [] } },
          aggregates: [{ name: 'total', columns: [] }, ...plain.aggregates],
          history: true,
        }),
      ],
    }),
    [
      'Order now has the operation delete.',
      'Order.flag is new.',
      'Order.total is new.',
      'The changes of Order are now recorded.',
    ],
  ],
  [
    'renamed entities, fields and relations (none)',
    anApi({ entities: [plain, anApiEntity({ uid: 'i', name: 'Item', relations: [] })] }),
    anApi({
      entities: [
        anApiEntity({
          name: 'Sale',
          fields: [key, { ...note, name: 'remark' }],
          relations: plain.relations.map(one => ({ ...one, name: 'lines', entity: 'Line' })),
        }),
        anApiEntity({ uid: 'i', name: 'Line', relations: [] }),
      ],
    }),
    [],
  ],
  [
    'a relation over several fields',
    anApi({ entities: [anApiEntity({ relations: [] })] }),
    anApi({ entities: [anApiEntity({ relations: relationOver('id', 'note') })] }),
    ['Order.items is new.'],
  ],
  ['a relation', anApi({ entities: [anApiEntity({ relations: [] })] }), anApi(), ['Order.items is new.']],
  [
    'a relation that is not served (none)',
    anApi({ options: options({ join: false }), entities: [anApiEntity({ relations: [] })] }),
    anApi({ options: options({ join: false }) }),
    [],
  ],
  [
    'options and the end of authentication',
    anApi({ options: options({ join: false }), security: { ...anApi().security, kind: 'BASIC' } }),
    anApi({ options: options({ customFields: true, limitOffset: true }) }),
    [
      'Calls no longer require authentication: anyone can make them.',
      'Lists now accept limit and offset.',
      'Related records are now included.',
      'Records now have custom fields.',
    ],
  ],
  [
    'a further protocol',
    anApi({ protocols: ['REST'] }),
    anApi({ protocols: ['GRAPHQL', 'REST'], entities: [anApiEntity(), anApiEntity({ uid: 'i', name: 'Item' })] }),
    ['GraphQL is now served.', 'Item is new.'],
  ],
  [
    'the first protocol, which includes the rest',
    anApi({ protocols: [] }),
    anApi(),
    ['REST is now served.', 'SOAP is now served.'],
  ],
  ['what no protocol serves (none)', anApi(), anApi({ protocols: [], entities: [] }), []],
])('reports what clients can use only after the change: %s', (_what, before, after, expected) => {
  expect(apiAdditions(before, after)).toEqual(expected)
})
