import { typedCondition } from '../conditions/types.ts'
import { aCheck } from '../testing/builders.ts'
import { expect, it } from 'vitest'
import { anApi, anApiEntity, anApiField, anApiKey } from '../testing/apis.ts'
import type { Api, ApiEntity, ApiField } from './api.ts'
import { apiBreaks } from './api-breaks.ts'

const [field, entity, api] = [anApiField, anApiEntity, anApi]
const id = anApiKey()

it('additions and changes of unserved parts do not break clients', () => {
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

it('reports removals and new requirements for clients', () => {
  const { security } = api()
  expect(
    apiBreaks(api(), api({ protocols: ['REST'], security: { ...security, kind: 'BASIC' }, entities: [] })),
  ).toEqual(['SOAP is no longer served.', 'The security changed from NONE to BASIC.', 'Order was removed.'])
  expect(apiBreaks(api({ protocols: ['REST', 'GRAPHQL'] }), api({ protocols: ['REST'] }))).toEqual([
    'GraphQL is no longer served.',
  ])
  const fields = [
    field('note', { maxLength: 10, nullable: false, choices: [{ kind: 'text', value: 'a' }] }),
    field('who', { nullable: false }),
  ]
  const after = entity({ fields, key: [], relations: [], operations: { selectAll: { scopes: [] } }, aggregates: [] })
  expect(apiBreaks(api(), api({ entities: [after] }))).toEqual([
    'The key of Order was changed.',
    'Order no longer has the operation insert.',
    'Order.id was removed.',
    'Order.note is now required.',
    'Order.note now accepts at most 10 characters.',
    'Order.note now accepts fewer values.',
    'Order.who is now required.',
    'Order.count was removed.',
    'Order.items was removed.',
  ])
  const typed = entity({ fields: [id, field('note', { type: { kind: 'date' } })] })
  expect(apiBreaks(api(), api({ entities: [typed] }))).toEqual(['The type of Order.note was changed.'])
})

it('a reordered, longer or shorter key is a break; a renamed part of it is its own', () => {
  const keyed = (key: readonly string[], name = 'line') => {
    const fields = [id, { ...field(name), uid: 'line' }]
    return api({
      entities: [entity({ fields, relations: [], aggregates: [], key: fields.filter(one => key.includes(one.name)) })],
    })
  }
  const reordered = keyed(['id', 'line'])
  const backwards = { ...reordered, entities: reordered.entities.map(one => ({ ...one, key: one.key.toReversed() })) }
  for (const [before, after] of [
    [reordered, backwards],
    [keyed(['id']), reordered],
    [reordered, keyed(['id'])],
  ] as const)
    expect(apiBreaks(before, after)).toEqual(['The key of Order was changed.'])
  expect(apiBreaks(reordered, keyed(['id', 'row'], 'row'))).toEqual(['Order.line was renamed to row.'])
})

it('a renamed field breaks its own name, but no aggregate query, whose columns have aliases', () => {
  const counted = (name: string) => {
    const aggregates = [{ name: 'count', columns: [{ field: name, type: 'COUNT' as const, alias: 'n' }] }]
    return api({ entities: [entity({ fields: [id, { ...field(name), uid: 'town' }], relations: [], aggregates })] })
  }
  expect(apiBreaks(counted('city'), counted('town'))).toEqual(['Order.city was renamed to town.'])
})

const [, note] = entity().fields
const withNote = (overrides: Partial<ApiField>) =>
  api({ entities: [entity({ fields: [id, { ...field('note'), ...note, ...overrides }] })] })
const guarded = (scopes: readonly string[], overrides: Partial<Api['security']> = {}) =>
  api({
    security: { kind: 'OAUTH2', identityProvider: 'CADMUS', rbac: true, scopes: [], globalScopes: [], ...overrides },
    entities: [entity({ operations: { selectAll: { scopes }, insert: { scopes: [] } } })],
  })
const options = (overrides: Partial<Api['options']>) => api({ options: { ...api().options, ...overrides } })
const aggregate = (alias: string) =>
  api({ entities: [entity({ aggregates: [{ name: 'count', columns: [{ field: 'id', type: 'COUNT', alias }] }] })] })
const pairsOf = (...fields: string[]) => fields.map(field => ({ field, otherField: field }))
const related = (overrides: Partial<ApiEntity['relations'][number]>, join = true) => {
  const [items] = entity().relations
  const relations = items ? [{ ...items, ...overrides }] : []
  return api({
    options: { ...api().options, join },
    entities: [entity({ relations }), entity({ uid: 'i', name: 'Item' })],
  })
}

it.each<[string, Api, Api, string[]]>([
  [
    'a relation gets or loses a field',
    related({}),
    related({ pairs: pairsOf('id', 'note') }),
    ['The target of Order.items was changed.'],
  ],
  [
    'the fields of a relation get another order (none)',
    related({ pairs: pairsOf('id', 'note') }),
    related({ pairs: pairsOf('note', 'id') }),
    [],
  ],
  [
    'an entity gets a relation over several fields (none)',
    api({ entities: [entity({ relations: [] })] }),
    related({ pairs: pairsOf('id', 'note') }),
    [],
  ],
  ['a field is renamed', api(), withNote({ name: 'remark' }), ['Order.note was renamed to remark.']],
  ['an entity is renamed', api(), api({ entities: [entity({ name: 'Sale' })] }), ['Order was renamed to Sale.']],
  ['a field becomes nullable', withNote({ nullable: false }), api(), ['Order.note may now be null.']],
  ['a field becomes unique', api(), withNote({ unique: true }), ['Order.note must now be unique.']],
  ['a field becomes generated', api(), withNote({ generated: true }), ['Order.note is now generated by the database.']],
  [
    'a field becomes a reference',
    api(),
    withNote({ references: { entity: 'Item', field: 'id' } }),
    ['The target of Order.note was changed.'],
  ],
  [
    'a text of fixed length gets longer',
    withNote({ type: { kind: 'text', isFixed: true }, maxLength: 2 }),
    withNote({ type: { kind: 'text', isFixed: true }, maxLength: 3 }),
    ['Order.note now accepts texts of 3 characters only.'],
  ],
  [
    'a number gets single precision',
    withNote({ type: { kind: 'double' } }),
    withNote({ type: { kind: 'double', isSingle: true } }),
    ['The type of Order.note was changed.'],
  ],
  [
    'lists get a default limit',
    options({}),
    options({ limitOffset: true }),
    ['Lists without a limit now return 20 records.'],
  ],
  [
    'lists lose limit and offset',
    options({ limitOffset: true }),
    options({}),
    ['Lists no longer accept limit and offset.'],
  ],
  [
    'null in updates keeps the value',
    options({}),
    options({ coalesce: true }),
    ['An update with null now keeps the stored value.'],
  ],
  [
    'null in updates clears the field',
    options({ coalesce: true }),
    options({}),
    ['An update with null now clears the field.'],
  ],
  ['records get tenants', options({}), options({ tenancy: true }), ['Records are now separated by tenant.']],
  ['custom fields are removed', options({ customFields: true }), options({}), ['Custom fields were removed.']],
  ['joins are removed', options({}), options({ join: false }), ['Related records are no longer included.']],
  [
    'a history is removed',
    api({ entities: [entity({ history: true })] }),
    api(),
    ['The history of Order was removed.'],
  ],
  [
    'an aggregate query changes its columns',
    aggregate('n'),
    aggregate('m'),
    ['The columns of Order.count were changed.'],
  ],
  [
    'a relation changes its target',
    related({}),
    related({ entity: 'Order' }),
    ['The target of Order.items was changed.'],
  ],
  [
    'a scope becomes required',
    guarded([]),
    guarded(['read']),
    ['The operation selectAll of Order now requires one of the scopes read.'],
  ],
  [
    'an alternative scope is removed',
    guarded(['read', 'all']),
    guarded(['read']),
    ['The operation selectAll of Order now requires one of the scopes read.'],
  ],
  [
    'the identity provider changes',
    guarded([]),
    guarded([], { identityProvider: 'MARTINI_USER_DIRECTORY' }),
    ['Tokens of another identity provider are required.'],
  ],
  // Compatible changes.
  ['authentication is removed (none)', guarded(['read']), api(), []],
  ['an alternative scope is added (none)', guarded(['read']), guarded(['read', 'all']), []],
  [
    'a global scope becomes required for operations without scopes',
    guarded(['read']),
    guarded(['read'], { globalScopes: ['all'] }),
    ['The operation insert of Order now requires one of the scopes all.'],
  ],
  ['a max length grows (none)', withNote({ maxLength: 20 }), withNote({ maxLength: 30 }), []],
  ['choices stay (none)', withNote({ choices: [] }), withNote({ choices: [] }), []],
  [
    'an enumeration names the choices (none)',
    withNote({ choices: [{ kind: 'text', value: 'a' }] }),
    withNote({
      choices: [{ kind: 'text', value: 'a' }],
      enumeration: { uid: 'u', name: 'State', description: '', values: [{ value: 'a', label: 'A' }] },
    }),
    [],
  ],
  [
    'an unserved relation is removed with its entity',
    related({}, false),
    api({ options: options({ join: false }).options }),
    ['Item was removed.'],
  ],
])('reports breaking changes for clients: %s', (_what, before, after, expected) => {
  expect(apiBreaks(before, after)).toEqual(expected)
})

it.each(['instant', 'local'] as const)('a time that becomes %s breaks clients, as offsets are read otherwise', kind => {
  const typed = (type: ApiField['type']) => withNote({ type })
  expect(apiBreaks(typed({ kind: 'timestamp' }), typed({ kind }))).toEqual(['The type of Order.note was changed.'])
})

it.each([{ kind: 'integer', bits: 64, digits: 17 } as const, { kind: 'integer', bits: 64 } as const])(
  'an integer of other digits breaks clients: %j',
  type => {
    const typed = (of: ApiField['type']) => withNote({ type: of })
    const broken = ['The type of Order.note was changed.']
    expect(apiBreaks(typed({ kind: 'integer', bits: 64, digits: 18 }), typed(type))).toEqual(broken)
  },
)

it('a new or other check breaks clients; a renamed field or another message does not', () => {
  const type = { kind: 'integer', bits: 32 } as const
  const checked = (condition: string, name = 'price', message = '') => {
    const { typed } = typedCondition(aCheck(condition).condition, () => ({
      name,
      type: { kind: 'number', whole: 10, scale: 0 } as const,
      nullable: false,
    }))
    const checks = typed ? [{ message, text: condition, condition: typed, fields: [name] }] : []
    return api({ entities: [entity({ fields: [id, { ...field(name), uid: 'price', type }], relations: [], checks })] })
  }
  const none = api({ entities: [entity({ fields: [id, { ...field('price'), type }], relations: [] })] })
  expect(apiBreaks(none, checked('price > 0'))).toEqual(['Records of Order must now meet: price > 0'])
  expect(apiBreaks(checked('price > 0'), checked('price > 1'))).toEqual(['Records of Order must now meet: price > 1'])
  expect(apiBreaks(checked('price > 0'), checked('price > 0', 'price', 'Other'))).toEqual([])
  expect(apiBreaks(checked('price > 0'), checked('cost > 0', 'cost'))).toEqual(['Order.price was renamed to cost.'])
  expect(apiBreaks(checked('price > 0'), none)).toEqual([])
})

it('fields that become unique together break clients, unless one of them is new', () => {
  const fields = [id, field('note'), field('place')]
  const before = api({ entities: [entity({ fields, relations: [] })] })
  const grouped = (uniqueTogether: string[][], more: ApiField[] = []) =>
    api({ entities: [entity({ fields: [...fields, ...more], relations: [], uniqueTogether })] })
  expect(apiBreaks(before, grouped([['note', 'place']]))).toEqual(['note, place of Order must now be unique together.'])
  expect(apiBreaks(grouped([['note', 'place']]), grouped([['place', 'note']]))).toEqual([])
  expect(apiBreaks(before, grouped([['note', 'more']], [field('more')]))).toEqual([])
})
