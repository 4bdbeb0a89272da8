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
  options: { coalesce: false, limitOffset: false, join: true, tenancy: false, customFields: false },
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
  expect(apiBreaks(api({ protocols: ['REST', 'GRAPHQL'] }), api({ protocols: ['REST'] }))).toEqual([
    'GraphQL is no longer served.',
  ])
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
    'Order.count is gone.',
    'Order.items is gone.',
  ])
  const typed = entity({ fields: [id, field('note', { type: { kind: 'date' } })] })
  expect(apiBreaks(api(), api({ entities: [typed] }))).toEqual(['Order.note has another type.'])
})

const [, note] = entity().fields
const withNote = (given: Partial<ApiField>) =>
  api({ entities: [entity({ fields: [id, { ...field('note'), ...note, ...given }] })] })
const guarded = (scopes: readonly string[], given: Partial<Api['security']> = {}) =>
  api({
    security: { kind: 'OAUTH2', identityProvider: 'CADMUS', rbac: true, scopes: [], globalScopes: [], ...given },
    entities: [entity({ operations: { selectAll: { scopes }, insert: { scopes: [] } } })],
  })
const options = (given: Partial<Api['options']>) => api({ options: { ...api().options, ...given } })
const aggregate = (alias: string) =>
  api({ entities: [entity({ aggregates: [{ name: 'count', columns: [{ field: 'id', type: 'COUNT', alias }] }] })] })
const related = (given: Partial<ApiEntity['relations'][number]>, join = true) => {
  const [items] = entity().relations
  const relations = items ? [{ ...items, ...given }] : []
  return api({
    options: { ...api().options, join },
    entities: [entity({ relations }), entity({ uid: 'i', name: 'Item' })],
  })
}

it.each<[string, Api, Api, string[]]>([
  ['a field is called otherwise', api(), withNote({ name: 'remark' }), ['Order.note is called remark.']],
  ['an entity is called otherwise', api(), api({ entities: [entity({ name: 'Sale' })] }), ['Order is called Sale.']],
  ['a value may be missing', withNote({ nullable: false }), api(), ['Order.note may be missing now.']],
  ['a value must be unique', api(), withNote({ unique: true }), ['Order.note must be unique now.']],
  ['the database gives it', api(), withNote({ generated: true }), ['Order.note is given by the database now.']],
  [
    'a field refers to records',
    api(),
    withNote({ references: { entity: 'Item', field: 'id' } }),
    ['Order.note refers to something else.'],
  ],
  [
    'lists hold fewer',
    options({}),
    options({ limitOffset: true }),
    ['Lists hold 20 records now where no limit is asked for.'],
  ],
  ['lists have no pages', options({ limitOffset: true }), options({}), ['Lists no longer take limit and offset.']],
  ['null keeps', options({}), options({ coalesce: true }), ['An update with null keeps the stored value now.']],
  ['null empties', options({ coalesce: true }), options({}), ['An update with null empties the field now.']],
  ['tenants', options({}), options({ tenancy: true }), ['Records are kept apart by tenant now.']],
  ['custom fields go', options({ customFields: true }), options({}), ['Custom fields are gone.']],
  ['joins go', options({}), options({ join: false }), ['Related records no longer come along.']],
  ['a history goes', api({ entities: [entity({ history: true })] }), api(), ['The history of Order is gone.']],
  ['a query has other columns', aggregate('n'), aggregate('m'), ['Order.count has other columns.']],
  ['a relation leads elsewhere', related({}), related({ entity: 'Order' }), ['Order.items refers to something else.']],
  [
    'a scope is needed',
    guarded([]),
    guarded(['read']),
    ['The operation selectAll of Order needs one of the scopes read now.'],
  ],
  [
    'another scope is needed',
    guarded(['read', 'all']),
    guarded(['read']),
    ['The operation selectAll of Order needs one of the scopes read now.'],
  ],
  [
    'another provider',
    guarded([]),
    guarded([], { identityProvider: 'MARTINI_USER_DIRECTORY' }),
    ['Tokens of another identity provider are needed.'],
  ],
  // What works as it did.
  ['nobody is asked who they are', guarded(['read']), api(), []],
  ['a further scope is enough', guarded(['read']), guarded(['read', 'all']), []],
  [
    'a global scope is enough, and needed where none was',
    guarded(['read']),
    guarded(['read'], { globalScopes: ['all'] }),
    ['The operation insert of Order needs one of the scopes all now.'],
  ],
  ['a value may be longer', withNote({ maxLength: 20 }), withNote({ maxLength: 30 }), []],
  ['choices are more', withNote({ choices: [] }), withNote({ choices: [] }), []],
  [
    'a relation that nobody was served',
    related({}, false),
    api({ options: options({ join: false }).options }),
    ['Item is gone.'],
  ],
])('of callers: %s', (_what, before, after, told) => {
  expect(apiBreaks(before, after)).toEqual(told)
})
