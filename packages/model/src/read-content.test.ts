import { expect, it } from 'vitest'
import { newEntityContent } from './entity.ts'
import { newEntityAttribute } from './entity-attribute.ts'
import { readEntityContent } from './read-content.ts'
import { newTypeAttribute } from './type-attribute.ts'

const customer = newEntityContent({
  name: 'Customer',
  traits: [{ traitReference: 'is.custom', arguments: [1, { deep: true }] }],
  typeAttributes: ['id', 'code', 'size'].map((name, position) => newTypeAttribute({ name, position })),
  entityAttributes: [
    newEntityAttribute({
      associatedEntity: {
        id: 7,
        uid: '0190a0a0-0000-7000-8000-000000000001',
        name: 'Group',
        path: 'user-defined/Group',
      },
      associatedEntityTypeAttribute: 'id',
      associatedEntityTypeAttributeUid: '0190a0a0-0000-7000-8000-000000000002',
      foreignKeyTypeAttribute: 'group_id',
      position: 3,
    }),
  ],
})

const text = JSON.stringify(customer)

/** Reads the content with a part of its text replaced. */
function read(part = '', other = '') {
  expect(text).toContain(part)
  return readEntityContent(JSON.parse(text.replace(part, other)), customer)
}

const problems = (part: string, other: string) => read(part, other).problems

it('reads the text of a content back unchanged', () => {
  expect(read()).toEqual({ content: customer, problems: [] })
})

it('requires only a name of a new attribute, and only a target of a new relationship', () => {
  const { content } = read('"typeAttributes":[', '"typeAttributes":[{"name":"added","dataType":"integer"},')
  expect(content?.typeAttributes.map(item => item.name)).toEqual(['added', 'id', 'code', 'size'])
  expect(content?.typeAttributes[0]).toMatchObject({ dataType: 'integer', purpose: 'hasA', choices: [] })
  const target = '{"associatedEntity":{"id":9,"name":"A","path":"a"},"associatedEntityTypeAttribute":"id"'
  const related = read('"entityAttributes":[', `"entityAttributes":[${target},"foreignKeyTypeAttribute":"a_id"},`)
  expect(related.content?.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['a_id', 'group_id'])
  expect(problems('"typeAttributes":[', '"typeAttributes":[{},')).toEqual([
    { path: 'typeAttributes.0.name', message: 'This is missing.' },
  ])
})

it('takes the order of a reordered list, unless positions are given', () => {
  const [id, code, size] = customer.typeAttributes.map(item => JSON.stringify(item))
  const moved = read(`${id},${code},${size}`, `${size},${id},${code}`).content
  const order = (items: readonly { name: string; position: number }[] = []) =>
    items.toSorted((a, b) => a.position - b.position).map(item => item.name)
  expect(order(moved?.typeAttributes)).toEqual(['size', 'id', 'code'])
  const last = code?.replace('"position":1', '"position":9') ?? ''
  expect(order(read(code, last).content?.typeAttributes)).toEqual(['id', 'size', 'code'])
})

it('reports problems at their paths, with the names of attributes and relationships', () => {
  const pathsOf = (part: string, other: string) => problems(part, other).map(({ path }) => path)
  expect(pathsOf('"dataType":"string"', '"dataType":"money"')).toEqual(['typeAttributes.id.dataType'])
  expect(pathsOf('"onDelete":"restrict"', '"onDelete":1')).toEqual(['entityAttributes.group_id.onDelete'])
  expect(pathsOf('"selectOperationScopes":[]', '"selectOperationScopes":5')).toEqual([
    'operationScopes.selectOperationScopes',
  ])
  expect(readEntityContent([], customer).problems).toEqual([
    { path: '', message: 'The content must be an object in braces.' },
  ])
})

it('reports unknown properties and values that text cannot represent', () => {
  expect(problems('"choices":[]', '"choices":[],"colour":"red"')).toEqual([
    { path: 'typeAttributes.id.colour', message: 'Unknown property.' },
  ])
  for (const [part, other, path] of [
    [`"uid":"${customer.uid}"`, '"uid":"0190a0a0-0000-7000-8000-000000000009"', 'uid'],
    ['"type":"EXCLUSIVE"', '"type":"TEMPLATE"', 'type'],
  ] as const)
    expect(problems(part, other)).toEqual([{ path, message: 'The identity of the entity cannot be changed.' }])
  const [first = '', second = ''] = customer.typeAttributes.map(item => item.uid)
  expect(problems(`"uid":"${second}"`, `"uid":"${first}"`)).toEqual([
    { path: 'typeAttributes.code.uid', message: 'This uid is used twice.' },
  ])
  expect(problems(`"uid":"${second}"`, '"uid":"mine"').map(({ path }) => path)).toEqual(['typeAttributes.code.uid'])
})

it('a changed name of the target attribute takes precedence over its old uid', () => {
  const { content } = read('"associatedEntityTypeAttribute":"id"', '"associatedEntityTypeAttribute":"code"')
  expect(content?.entityAttributes[0]).toMatchObject({ associatedEntityTypeAttributeUid: null })
})

it('requires only the kind of a new group, and the names of its attributes', () => {
  const group = '{"kind":"index","members":[{"name":"code"},{"name":"size","descending":true}]}'
  const { content } = read('"groups":[]', `"groups":[${group}]`)
  const [, code, size] = customer.typeAttributes
  expect(content?.groups).toEqual([
    {
      uid: expect.stringMatching(/^[\da-f-]{36}$/),
      kind: 'index',
      name: '',
      members: [
        { uid: code?.uid, name: 'code', descending: false },
        { uid: size?.uid, name: 'size', descending: true },
      ],
    },
  ])
})
