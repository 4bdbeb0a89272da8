import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, getEntity, listEntities, updateEntity } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { valueTexts } from '@cadmus/model/messages/values'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type EntityBody, saveBody } from '../testing/entities.ts'

const patterned = [
  '1abc',
  '_abc',
  'a-b',
  'a b',
  'a.b',
  'abc_',
  'a__b',
  'Kün',
  'a\u0000b',
  'a🙂b',
  "x'; drop table entity",
]

describeOnBothStores.whenProving('Input validation of entities', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const refusal = (entity: EntityBody['entity']) => designer.refusal(createEntity, { body: { entity } })
  const attribute = (input: object & { name: string }) => ({ name: 'Holder', typeAttributes: [input] })

  it.each(patterned)(
    'rejects the name %j with the pattern message',
    holds('E5.1', 'E5.2', 'E5.3', 'E5.4', 'E5.6'),
    async name => {
      const message = expect.stringMatching(
        /^this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed\./,
      )
      for (const [entity, path] of [
        [{ name }, 'entity.name'],
        [attribute({ name }), 'entity.typeAttributes.0.name'],
      ] as const) {
        const { status, answer } = await refusal(entity)
        expect({ status, ...answer }).toMatchObject({ status: 400, message, errors: [{ path, message }] })
      }
    },
  )

  it.each([
    ['', 'this is a required field'],
    ['   ', 'this is a required field'],
    ['a', 'this must be 2 to 120 characters long.'],
    ['a'.repeat(121), 'this must be 2 to 120 characters long.'],
    ['a'.repeat(10_000), 'this must be 2 to 120 characters long.'],
    ['🙂'.repeat(10_000), expect.stringMatching(/^this must be 2 to 120 characters long\. this must contain only/)],
  ])('rejects an entity name of wrong length', holds('E5.7', 'E5.8', 'E5.9'), async (name, message) => {
    expect((await refusal({ name })).answer.errors).toEqual([{ path: 'entity.name', message }])
  })

  it('accepts names of exactly the minimum and maximum length', holds('E5.8', 'E5.9', 'E5.15'), async () => {
    for (const name of ['ab', 'b'.repeat(120)]) {
      const typeAttributes = [{ name: 'aa' }, { name: 'c'.repeat(50) }]
      const { entity } = await designer.call(createEntity, { body: { entity: { name, typeAttributes } } })
      expect(entity.name).toBe(name)
    }
    for (const name of ['a', 'c'.repeat(51)])
      expect((await refusal(attribute({ name }))).answer.errors).toEqual([
        { path: 'entity.typeAttributes.0.name', message: 'this must be 2 to 50 characters long.' },
      ])
  })

  it('requires a name, and rejects other values with a message', holds('E7.70'), async () => {
    for (const body of [{}, { entity: {} }, { entity: null }, { entity: { name: 5 } }, [], 'text', null]) {
      const response = await designer.send(createEntity, { body })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ message: expect.any(String) })
    }
  })

  it('requires distinct attribute names, case-insensitively, and reports the later one', holds('E5.17'), async () => {
    const { answer } = await refusal({ name: 'Twice', typeAttributes: [{ name: 'code' }, { name: 'CODE' }] })
    expect(answer.errors).toEqual([
      { path: 'entity.typeAttributes.1.name', message: 'A type attribute with the name "CODE" already exists.' },
    ])
  })

  it.each([
    [{ name: 'aa', maxLength: '12a' }, 'maxLength', 'this must contain only digits.'],
    [{ name: 'aa', maxLength: '-1' }, 'maxLength', 'this must contain only digits.'],
    [
      { name: 'aa', dataType: 'boolean', purpose: 'identifiedBy' },
      'dataType',
      'The primary key must be an integer or a string.',
    ],
    [{ name: 'aa', choices: ['Open', 'Open'] }, 'choices', messages.duplicateChoice('Open')],
    [{ name: 'aa', dataType: 'integer', defaultValue: 'x' }, 'defaultValue', valueTexts.integer],
    [{ name: 'aa', dataType: 'string', precision: 5 }, 'precision', messages.precisionType],
    [{ name: 'aa', dataType: 'boolean', format: 'guid' }, 'format', messages.formatType('guid', 'boolean')],
  ])('rejects %j', holds('E5.18', 'E5.19'), async (input, field, message) => {
    expect((await refusal(attribute(input))).answer.errors).toContainEqual({
      path: `entity.typeAttributes.0.${field}`,
      message,
    })
  })

  it('reports all problems at once', async () => {
    const typeAttributes = [{ name: 'a' }, { name: 'ok' }, { name: 'x__y', maxLength: 'z' }]
    const { answer } = await refusal({ name: '9', typeAttributes })
    expect(answer.errors?.map(error => error.path)).toEqual([
      'entity.name',
      'entity.typeAttributes.0.name',
      'entity.typeAttributes.2.name',
      'entity.typeAttributes.2.maxLength',
    ])
  })

  it('validates a save like a creation', async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Saved' } } })
    const body = saveBody(entity, { name: 'a__b', typeAttributes: [{ name: '1x' }] })
    const refused = await designer.refusal(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
    expect(refused.answer.errors?.map(error => error.path)).toEqual(['entity.name', 'entity.typeAttributes.0.name'])
    expect((await designer.call(getEntity, { params: { id: entity.id } })).entity.name).toBe('Saved')
  })

  it('returns texts unchanged, with quotes, emoji and control characters', async () => {
    const description = "Robert'); drop table entity;-- 🙂 \u0000\u0007\u202E ‮ </script>"
    const typeAttributes = [{ name: 'state', choices: ["o'pen", 'cl"osed', '🙂'], description }]
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: 'Texts', description, typeAttributes } },
    })
    const read = (await designer.call(getEntity, { params: { id: entity.id } })).entity
    expect(read.description).toBe(description)
    expect(read.typeAttributes[1]).toMatchObject({ choices: ["o'pen", 'cl"osed', '🙂'], description })
  })

  it('invalid ids are rejected and the server remains healthy', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '9'.repeat(40), '1;drop']) {
      const response = await designer.browser.fetch(`/1.0/cdm/entity/${encodeURIComponent(id)}`, {
        headers: { 'X-Organisation-Code': 'ACME' },
      })
      expect(response.status).toBe(400)
    }
    expect((await designer.refusal(getEntity, { params: { id: 2 ** 52 } })).status).toBe(404)
    expect((await designer.call(listEntities, { query: { limit: 1 } })).result).toBe('OK')
    expect(server.log.filter(line => line.includes('"level":50'))).toEqual([])
  })
})
