import { expect, it } from 'vitest'
import type { Api, ApiEntity, ApiField } from './api.ts'
import { apiBreaks } from './api-breaks.ts'

const field = (name: string, given: Partial<ApiField> = {}): ApiField => ({
  uid: name,
  name,
  description: '',
  type: { kind: 'text' },
  nullable: true,
  generated: false,
  default: null,
  maxLength: null,
  choices: [],
  unique: false,
  references: null,
  ...given,
})
const id = field('id', { type: { kind: 'integer', bits: 64 }, nullable: false, generated: true })
const entity = (given: Partial<ApiEntity> = {}): ApiEntity => ({
  uid: 'e',
  name: 'Order',
  segment: 'order',
  description: '',
  fields: [id, field('note', { maxLength: 20, choices: [] })],
  key: id,
  relations: [{ name: 'items', kind: 'toMany', entity: 'Item', field: 'id', otherField: 'orderId' }],
  operations: { selectAll: { scopes: [] }, insert: { scopes: [] } },
  aggregates: [{ name: 'count', columns: [] }],
  history: false,
  ...given,
})
const api = (given: Partial<Api> = {}): Api => ({
  name: 'a',
  namespace: 'a',
  title: 'A',
  description: '',
  version: '1.0.0',
  protocols: ['REST', 'SOAP'],
  security: { kind: 'NONE', identityProvider: 'CADMUS', rbac: false, scopes: [], globalScopes: [] },
  options: { coalesce: false, limitOffset: false, join: false, tenancy: false, customFields: false },
  entities: [entity()],
  ...given,
})

it('what is added breaks nothing, nor what nobody was served', () => {
  const more = entity({
    fields: [
      ...entity().fields,
      field('more'),
      field('flag', { nullable: false, default: { kind: 'text', value: 'x' } }),
    ],
  })
  expect(apiBreaks(api(), api({ entities: [more, entity({ name: 'Other' })] }))).toEqual([])
  expect(apiBreaks(api({ protocols: [] }), api({ entities: [] }))).toEqual([])
})

it('what is taken from callers, or asked of them, is told', () => {
  const { security } = api()
  expect(
    apiBreaks(api(), api({ protocols: ['REST'], security: { ...security, kind: 'BASIC' }, entities: [] })),
  ).toEqual(['SOAP is no longer served.', 'The security was NONE and is BASIC.', 'Order is gone.'])
  const fields = [
    field('note', { maxLength: 10, nullable: false, choices: [{ kind: 'text', value: 'a' }] }),
    field('who', { nullable: false }),
  ]
  const after = entity({ fields, key: null, relations: [], operations: { selectAll: { scopes: [] } }, aggregates: [] })
  expect(apiBreaks(api(), api({ entities: [after] }))).toEqual([
    'Order has another key.',
    'Order no longer has the operation insert.',
    'Order.id is gone.',
    'Order.note must have a value now.',
    'Order.note takes at most 10 characters now.',
    'Order.note takes fewer values now.',
    'Order.who must have a value now.',
    'Order.items is gone.',
    'Order.count is gone.',
  ])
  const typed = entity({ fields: [id, field('note', { type: { kind: 'date' } })] })
  expect(apiBreaks(api(), api({ entities: [typed] }))).toEqual(['Order.note has another type.'])
})
