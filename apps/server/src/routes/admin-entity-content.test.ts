import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import * as z from 'zod'
import { adminUpdateEntityContent, adminValidateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  addEntityVersion,
  createEntity,
  deleteEntityVersion,
  getEntity,
  getEntityVersionContent,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { adminOrganisationHeader } from '@cadmus/model/contract/routes'
import { holds } from '@cadmus/testing/holds'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, saveBody } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const json = z.record(z.string(), z.unknown())
type Json = z.output<typeof json>

describeOnBothStores.whenProving("The content of another organisation's entity", store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  /** The same administrator, with the organisation header. */
  let inAcme: ConsoleClient
  let target: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
    inAcme = new ConsoleClient(admin.browser, admin.userId, undefined, { [adminOrganisationHeader]: 'ACME' })
    target = await create({ name: 'ContentTarget' })
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  let made = 0
  const create = async (entity: object = {}) =>
    (await designer.call(createEntity, { body: { entity: { name: `Content${++made}`, ...entity } } })).entity
  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }
  const asJson = ({ content }: EntityAnswer) => json.parse(JSON.parse(content))
  const itemsOf = (entity: EntityAnswer, list: string) => z.array(json).parse(asJson(entity)[list])
  const written = (entity: EntityAnswer, changes: Json) => JSON.stringify({ ...asJson(entity), ...changes })
  /** Returns the rejection of a text, which must be the same for both calls and change nothing. */
  const refusal = async (entity: EntityAnswer, content: string) => {
    const before = await get(entity.id)
    const body = { id: entity.id, content }
    const verdict = await inAcme.refusal(adminValidateEntityContent, { body })
    const stored = await inAcme.refusal(adminUpdateEntityContent, { body, ifMatch: before.etag })
    expect([stored.status, stored.answer]).toEqual([verdict.status, verdict.answer])
    expect(await get(entity.id)).toEqual(before)
    return { status: verdict.status, message: verdict.answer.message, errors: verdict.answer.errors ?? [] }
  }

  it(
    "the content of another organisation's entity is validated and stored, with the administrator in its audit entry",
    holds('M7.96', 'M7.97', 'E7.84', 'E7.85'),
    async () => {
      const { id, name } = await create()
      for (const client of [admin, inAcme]) {
        const { entity, etag } = await get(id)
        const content = written(entity, { description: `By ${client === admin ? 'search' : 'header'}.` })
        await client.call(adminValidateEntityContent, { body: { id, content } })
        expect((await get(id)).etag).toBe(etag)
        const { answer } = await client.callWithTag(adminUpdateEntityContent, { body: { id, content }, ifMatch: etag })
        expect((await get(id)).entity).toEqual(answer.entity)
        expect(answer.entity.description).toMatch(/^By (search|header)\.$/)
        const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1 } })
        expect(entityLogs[0]).toMatchObject({ ENTITY_NAME: name, ACTION_TYPE: 'UPDATE', USER_NAME: 'Sid Stranger' })
      }
      const own = await admin.call(listEntityLogs, {})
      expect(own.entityLogs.filter(entry => entry.ENTITY_NAME === name)).toEqual([])
    },
  )

  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{\n  "name": "A",\n  "description": \n}', 4, 1],
    ['{"name": "A" "type": 1}', 1, 14],
    ['[1, 2,]', 1, 7],
    ["{'name': 1}", 1, 2],
    ['{"name": "a\nb"}', 1, 12],
    ['{"name": NaN}', 1, 10],
    ['{} {}', 1, 4],
    ['\u00ef\u00bb\u00bf{}', 1, 1],
  ])('rejects invalid JSON with its position: %j', async (content, line, column) => {
    const { status, message, errors } = await refusal(target, content)
    expect(status).toBe(400)
    expect(message).toMatch(/^Syntax Error: /)
    expect(message).toContain(`(line ${line}, column ${column})`)
    expect(errors).toEqual([{ path: 'content', message }])
  })

  it.each([
    ['1e400', 'The number 1e400 cannot be stored exactly: it has too many digits or is too large.'],
    [
      '12345678901234567890',
      'The number 12345678901234567890 cannot be stored exactly: it has too many digits or is too large.',
    ],
    ['{"a": 1, "b": {}, "a": 2}', 'The key "a" occurs twice in one object.'],
    ['"\\u0000"', 'A text contains a character that cannot be stored.'],
    ['"\\ud800"', 'A text contains a character that cannot be stored.'],
  ])('rejects a content that would be stored differently: %j', async (value, message) => {
    const content = written(target, { traits: ['HERE'] }).replace('"HERE"', value)
    expect(await refusal(target, content)).toEqual({
      status: 400,
      message: 'Invalid entity json content',
      errors: [{ path: 'content', message }],
    })
  })

  it('rejects an invalid content with the path of each error', async () => {
    const [attribute] = itemsOf(target, 'typeAttributes')
    const places = async (content: string) => {
      const { status, message, errors } = await refusal(target, content)
      expect([status, message]).toEqual([400, 'Invalid entity json content'])
      return errors.map(({ path }) => path)
    }
    for (const content of ['[]', '"text"', '1', 'null', 'true']) expect(await places(content)).toEqual(['content'])
    expect(await places('{}')).toEqual(expect.arrayContaining(['format', 'name', 'typeAttributes', 'operationScopes']))
    expect(await places(written(target, { description: 1, traits: {} }))).toEqual(['description', 'traits'])
    const typed = (changes: Json) => written(target, { typeAttributes: [{ ...attribute, ...changes }] })
    expect(await places(typed({ dataType: 'money' }))).toEqual(['typeAttributes.id.dataType'])
    expect(
      (await refusal(target, typed({ dataType: 'money', maxLength: 'long', choices: {}, unique: 7 }))).errors,
    ).toEqual([
      {
        path: 'typeAttributes.id.dataType',
        message: 'This must be "boolean", "dateTime", "double", "float", "integer", "object" or "string".',
      },
      { path: 'typeAttributes.id.choices', message: 'This must be a list, not an object.' },
      { path: 'typeAttributes.id.maxLength', message: 'This must be a number, not a text.' },
      { path: 'typeAttributes.id.unique', message: 'This must be true or false, not a number.' },
    ])
    expect(await places(typed({ choices: [1, 'b'], unique: 'no' }))).toEqual([
      'typeAttributes.id.choices.0',
      'typeAttributes.id.unique',
    ])
    expect(await places(written(target, { typeAttributes: [null, 7] }))).toEqual([
      'typeAttributes.0',
      'typeAttributes.1',
    ])
    expect(await places(typed({ uid: 'mine' }))).toEqual(['typeAttributes.id.uid'])
    const twice = written(target, { typeAttributes: [attribute, { ...attribute, name: 'other' }] })
    expect(await places(twice)).toEqual(['typeAttributes.other.uid'])
    expect(await places(written(target, { format: 99 }))).toEqual(['format'])
    expect(
      await places(written(target, { descripton: 'x', typeAttributes: [{ ...attribute, nulable: true }] })),
    ).toEqual(['typeAttributes.id.nulable', 'descripton'])
  })

  it('must follow the rules of names and types and use free names', async () => {
    await create({ name: 'ContentTaken' })
    const reported = async (changes: Json) => (await refusal(target, written(target, changes))).errors
    const pattern =
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'
    expect(await reported({ name: 'a__b' })).toEqual([{ path: 'name', message: pattern }])
    expect(await reported({ name: '<script>' })).toEqual([{ path: 'name', message: expect.stringContaining(pattern) }])
    expect(await reported({ name: 'contenttaken' })).toEqual([
      { path: 'name', message: 'An entity with the name "contenttaken" already exists.' },
    ])
    const [key] = itemsOf(target, 'typeAttributes')
    const other = { ...key, uid: '01890000-0000-7000-8000-000000000001', purpose: 'hasA', position: 1 }
    const attributes = (name: string) => ({ typeAttributes: [key, { ...other, name }] })
    expect((await reported(attributes('ID'))).map(({ path }) => path)).toEqual(['typeAttributes.ID.name'])
    expect((await reported(attributes('a-b'))).map(({ path }) => path)).toEqual(['typeAttributes.a-b.name'])
    const stolen = (await create()).typeAttributes[0]?.uid
    expect(await reported({ typeAttributes: [key, { ...other, uid: stolen, name: 'stolen' }] })).toMatchObject([
      { path: 'typeAttributes.stolen.uid' },
    ])
  })

  it("rejects references to other organisations, including the administrator's own", async () => {
    const entity = await create({ entityAttributes: [aRelationship(target, 'targetId')] })
    const [relationship] = itemsOf(entity, 'entityAttributes')
    for (const client of [admin, server.bootstrap('GLOBEX')]) {
      const foreign = (await client.call(createEntity, { body: { entity: { name: 'ContentForeign' } } })).entity
      const { id, name, path } = foreign
      const pointed = { ...relationship, associatedEntity: { id, name, path }, associatedEntityTypeAttributeUid: null }
      const { status, errors } = await refusal(entity, written(entity, { entityAttributes: [pointed] }))
      expect(status).toBe(400)
      const removed = { ...pointed, associatedEntity: { id: 987_654_321, name, path } }
      expect((await refusal(entity, written(entity, { entityAttributes: [removed] }))).errors).toEqual(errors)
      const extending = await refusal(entity, written(entity, { extendsEntity: { id, name, path } }))
      expect([extending.status, extending.errors.map(one => one.path)]).toEqual([400, ['extendsEntity']])
    }
  })

  it('requires a base, merges concurrent saves, and reports conflicting ones', async () => {
    const { id } = await create()
    const { entity, etag } = await get(id)
    const body = { id, content: written(entity, { description: 'mine' }) }
    expect((await inAcme.refusal(adminUpdateEntityContent, { body })).status).toBe(428)
    const unknown = await inAcme.refusal(adminUpdateEntityContent, { body, ifMatch: 'f'.repeat(64) })
    expect(unknown.status).toBe(409)
    const ofAnother = await inAcme.refusal(adminUpdateEntityContent, { body, ifMatch: (await get(target.id)).etag })
    expect(ofAnother.status).toBe(409)
    const theirs = { params: { id }, body: saveBody(entity, { name: `${entity.name}Renamed` }), ifMatch: etag }
    const saved = await designer.callWithTag(updateEntity, theirs)
    const { answer } = await inAcme.callWithTag(adminUpdateEntityContent, { body, ifMatch: etag })
    expect(answer.entity).toMatchObject({ name: `${entity.name}Renamed`, description: 'mine' })
    const again = { id, content: written(saved.answer.entity, { description: 'other' }) }
    const refused = await inAcme.refusal(adminUpdateEntityContent, { body: again, ifMatch: saved.etag })
    expect(refused).toMatchObject({
      status: 409,
      answer: { conflicts: [{ mine: 'other', theirs: 'mine', who: 'Sid Stranger' }] },
    })
    const overwritten = await inAcme.call(adminUpdateEntityContent, { body: again, ifMatch: '*' })
    expect(overwritten.entity.description).toBe('other')
  })

  it('changes the latest version only', async () => {
    const { id } = await create()
    const { entity, etag } = await get(id)
    await designer.call(addEntityVersion, { params: { id }, query: { version: '2.0.0' } })
    const body = { id, content: written(entity, { description: 'of the latest' }) }
    await inAcme.call(adminUpdateEntityContent, { body, ifMatch: etag })
    const content = async (version: string) =>
      JSON.parse((await inAcme.call(getEntityVersionContent, { params: { id }, query: { version } })).entity.CONTENT)
    expect((await content('1.0.0')).description).toBe('')
    expect((await content('2.0.0')).description).toBe('of the latest')
    // A save for a version that is no longer the latest or was deleted is rejected.
    const made = { id, content: written(entity, { description: 'made for 1.0.0' }) }
    const refusal = async (version: string) =>
      inAcme.refusal(adminUpdateEntityContent, { body: { ...made, version }, ifMatch: etag })
    expect(await refusal('1.0.0')).toMatchObject({
      status: 403,
      answer: { message: 'Only the latest version can be edited.', code: 'locked' },
    })
    await designer.call(deleteEntityVersion, { params: { id }, query: { version: '1.0.0' } })
    expect(await refusal('1.0.0')).toMatchObject({ status: 404, answer: { message: 'The version was not found.' } })
    const latest = await get(id)
    expect(latest.entity.description).toBe('of the latest')
    const named = { ...made, version: '2.0.0' }
    const { entity: saved } = await inAcme.call(adminUpdateEntityContent, { body: named, ifMatch: latest.etag })
    expect([saved.currentVersion, saved.description]).toEqual(['2.0.0', 'made for 1.0.0'])
  })

  it.each([
    ['a list of many that are none', '"typeAttributes"', `[${Array(150_000).fill('{}').join(',')}]`],
    ['more relationships than there may be', '"entityAttributes"', `[${Array(5001).fill('{}').join(',')}]`],
    ['more values than may be', '"traits"', `[${Array(450_000).fill('0').join(',')}]`],
    ['lists in lists', '"traits"', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ])("content of another organisation's entity with %s is rejected with one message", async (_what, key, value) => {
    const text = target.content
    const place = text.indexOf(key) + key.length + 1
    const content = `${text.slice(0, place)}${value},"rest":${text.slice(place)}`
    const { status, message, errors } = await refusal(target, content)
    expect([status, message, errors.length]).toEqual([400, 'Invalid entity json content', 1])
  })

  it("the content of another organisation's entity is limited to the size of a request, to text, and to existing entities", async () => {
    const body = { id: target.id, content: JSON.stringify('x'.repeat(5_300_000)) }
    expect((await inAcme.send(adminUpdateEntityContent, { body, ifMatch: '*' })).status).toBe(413)
    for (const wrong of [
      { ...body, content: {} },
      { ...body, content: null },
      { content: '{}' },
      { id: '1', content: '{}' },
    ])
      expect((await inAcme.send(adminValidateEntityContent, { body: wrong })).status).toBe(400)
    for (const id of [987_654_321, 0, -1])
      expect([400, 404]).toContain(
        (await inAcme.send(adminValidateEntityContent, { body: { id, content: '{}' } })).status,
      )
    const foreign = (await admin.call(createEntity, { body: { entity: { name: 'ContentOwn' } } })).entity
    const theirs = { body: { id: foreign.id, content: foreign.content } }
    expect((await inAcme.refusal(adminValidateEntityContent, theirs)).status).toBe(404)
    await admin.call(adminValidateEntityContent, theirs)
  })

  it("the content of another organisation's entity cannot set properties of the object prototype", async () => {
    const { id } = await create()
    const { entity, etag } = await get(id)
    const content = entity.content.replace('{', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},')
    const { answer } = await inAcme.refusal(adminUpdateEntityContent, { body: { id, content }, ifMatch: etag })
    expect(answer.errors?.map(({ path }) => path)).toEqual(['__proto__', 'constructor'])
    expect((await get(id)).entity.content).toBe(entity.content)
    expect({}).not.toHaveProperty('isAdmin')
  })
})
