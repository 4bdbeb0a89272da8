import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '@cadmus/model/content'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { configurationEdits, entityEdits, saveChanges } from '@cadmus/model/contract/edits'
import { addEntityVersion, createEntity, deleteEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { addAttributeEdits } from '@cadmus/model/edits/entity-actions'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { applyEntityEdits, type EntityEdit, invertEntityEdits } from '@cadmus/model/edits/entity-edits'
import { type EntityContent, entityContentSchema } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { runMaintenance } from '../jobs/job-recovery.ts'
import { hashOf } from '../store/content.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, saveBody } from '../testing/entities.ts'

let server: TestConsole
let designer: ConsoleClient
let admin: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
  admin = await server.as('admin', 'ACME')
})
afterAll(() => server.stop())

let count = 0
type State = { id: number; content: EntityContent; etag: string }

async function opened(id: number, client = designer): Promise<State> {
  const { answer, etag } = await client.callWithTag(getEntity, { params: { id } })
  return { id, etag, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
}

async function created(entity: object = {}): Promise<State> {
  const body = { entity: { name: `Edited${++count}`, ...entity } }
  return opened((await designer.call(createEntity, { body })).entity.id)
}

const bodyOf = (base: string, edits: readonly unknown[], more: object = {}) => ({
  format: editFormat,
  operationId: newUid(),
  base,
  edits: edits as EntityEdit[],
  ...more,
})

const described = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })

async function save({ id, etag }: State, edits: readonly unknown[], more: object = {}, client = designer) {
  return client.callWithTag(entityEdits.save, { params: { id }, body: bodyOf(etag, edits, more) })
}

const refused = ({ id, etag }: State, edits: readonly unknown[], more: object = {}, client = designer) =>
  client.refusal(entityEdits.save, { params: { id }, body: bodyOf(etag, edits, more) })

/** An edit of format 0, which adds a relationship. */
function relating({ id, content: { name } }: State): object[] {
  const { associatedEntityTypeAttributeUid: _uid, ...item } = newEntityAttribute({
    associatedEntity: { id, name, path: `user-defined/${name}` },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: 'relatedId',
    position: 1,
  })
  return [{ kind: 'addRelationships', added: [{ item, before: null }] }]
}

const log = async (id: number, query: object = {}, client = designer) =>
  client.call(entityEdits.list, { params: { id }, query })

describe('POST entity/{id}/edits', () => {
  it('stores edits like a save, and answers the entry, the content and its tag', async () => {
    const start = await created()
    const edits = [described('new'), ...addAttributeEdits(start.content, { name: 'code', dataType: 'string' })]
    const operationId = newUid()
    const { answer, etag } = await save(start, edits, { operationId })
    const now = await opened(start.id)
    expect(now).toMatchObject({ etag, content: { description: 'new', typeAttributes: [{}, { name: 'code' }] } })
    expect(answer.content).toEqual(now.content)
    expect(answer.entry).toMatchObject({
      before: start.etag,
      after: etag,
      format: editFormat,
      operationId,
      document: { kind: 'entity', id: start.id, uid: start.content.uid },
      description: expect.stringContaining('code'),
    })
    expect(answer.effects).toEqual([])
    expect(applyEntityEdits(start.content, answer.entry?.edits as EntityEdit[])).toEqual(now.content)
  })

  it('merges a stale base by uid and field, and rejects a field changed by both with both values', async () => {
    const start = await created({ typeAttributes: [{ name: 'code' }] })
    const uid = start.content.typeAttributes[1]?.uid ?? ''
    const change = (fields: object) => [{ kind: 'changeAttributes', changes: [{ uid, change: fields }] }]
    await save(start, change({ description: 'theirs' }))
    const { answer } = await save(start, change({ maxLength: 20 }))
    expect(answer.content?.typeAttributes[1]).toMatchObject({ description: 'theirs', maxLength: 20 })
    // The log contains only the changes of this save, not those made since its base.
    expect(answer.entry?.edits).toEqual(change({ maxLength: 20 }))
    const { status, answer: body } = await refused(start, change({ description: 'mine' }))
    const conflicts = [{ path: 'typeAttributes.code', field: 'description', mine: 'mine', theirs: 'theirs' }]
    expect({ status, ...body }).toMatchObject({ status: 409, code: 'conflict', conflicts })
    expect((await opened(start.id)).content).toEqual(answer.content)
  })

  it('requires a known base and rejects newer formats, naming both numbers', async () => {
    const start = await created()
    const call = (body: object) => refused(start, [described('x')], body)
    expect(await call({ base: undefined })).toMatchObject({ status: 428, answer: { code: 'base_required' } })
    expect(await call({ base: 'f'.repeat(64) })).toMatchObject({ status: 409, answer: { code: 'conflict' } })
    const newer = editFormat + 1
    const message = messages.editFormat(newer, editFormat)
    expect(await call({ format: newer })).toMatchObject({
      status: 400,
      answer: { errors: [{ path: 'format', message }] },
    })
    expect(await call({ format: -1 })).toMatchObject({ status: 400, answer: { errors: [{ path: 'format' }] } })
    const unknown = await refused(start, [{ kind: 'ofLater' }], { format: newer })
    expect(unknown).toMatchObject({ status: 400, answer: { errors: [{ path: 'format', message }] } })
    expect((await save(start, [described('any')], { base: '*' })).answer.content?.description).toBe('any')
    expect(
      (await save(await opened(start.id), [described('b')], { base: `"${(await opened(start.id)).etag}"` })).etag,
    ).toBe((await opened(start.id)).etag)
  })

  it('upgrades edits of an older format, whose relationships have no uid of their target attribute', async () => {
    const [start, target] = [await created(), await created()]
    const edits = relating(target)
    const missing = await refused(start, edits)
    expect(missing).toMatchObject({ status: 400, answer: { errors: [{ path: expect.stringContaining('edits.0') }] } })
    const { answer } = await save(start, edits, { format: 0 })
    expect(answer.content?.entityAttributes).toMatchObject([{ associatedEntityTypeAttribute: 'id' }])
    expect(answer.entry?.format).toBe(editFormat)
    const unknown = await refused(start, [{ kind: 'changeEntity', change: {}, extra: 1 }], { format: 0 })
    expect(unknown).toMatchObject({ status: 400, answer: { errors: [{ path: 'edits.0' }] } })
    const id = { kind: 'entity', id: target.id, base: '*' } as const
    const both = (more: object) => ({ operationId: newUid(), changes: [{ ...id, edits: relating(start) }], ...more })
    const together = await designer.call(saveChanges, { body: both({ format: 0 }) as never })
    expect(together.results).toMatchObject([
      { content: { entityAttributes: [{ foreignKeyTypeAttribute: 'relatedId' }] } },
    ])
    const newer = await designer.refusal(saveChanges, { body: both({ format: editFormat + 1 }) as never })
    expect(newer).toMatchObject({ status: 400, answer: { errors: [{ path: 'format' }] } })
  })

  it('repeats the first answer for an operation id, and rejects another request with the same id', async () => {
    const start = await created()
    const operationId = newUid()
    const first = await save(start, [described('once')], { operationId })
    await save(await opened(start.id), [described('later')])
    expect(await save(start, [described('once')], { operationId })).toEqual(first)
    const other = await refused(start, [described('twice')], { operationId })
    expect(other).toMatchObject({ status: 409, answer: { code: 'operation_reused' } })
    const foreign = await refused(start, [described('once')], { operationId }, admin)
    expect(foreign).toMatchObject({ status: 409, answer: { code: 'operation_cancelled' } })
    expect((await log(start.id)).entries).toHaveLength(3)
  })

  it('a dry run applies the rules and stores nothing', async () => {
    const start = await created()
    const operationId = newUid()
    const dry = await save(start, [described('dry')], { dryRun: true, operationId })
    expect(dry.answer).toMatchObject({ content: { description: 'dry' }, entry: { edits: [described('dry')] } })
    expect(await opened(start.id)).toEqual(start)
    expect((await log(start.id)).entries).toHaveLength(1)
    const bad = await refused(start, [{ kind: 'changeEntity', change: { name: '' } }], { dryRun: true })
    expect(bad.status).toBe(400)
    expect((await save(start, [described('wet')], { operationId })).answer.content?.description).toBe('wet')
  })

  it('a save without effect writes no entry', async () => {
    const start = await created()
    const { answer, etag } = await save(start, [described('')])
    expect({ entry: answer.entry, etag }).toEqual({ entry: null, etag: start.etag })
    expect((await log(start.id)).entries).toHaveLength(1)
  })

  it('a save of a frozen version without effect answers the state of that version', async () => {
    const start = await created()
    await designer.call(addEntityVersion, { params: { id: start.id }, query: { version: '2.0.0' } })
    await save(await opened(start.id), [described('latest')])
    const { answer, etag } = await save(start, [], { version: '1.0.0', base: '*' })
    expect([answer.content?.description, etag]).toEqual(['', start.etag])
  })

  it('answers contents stored by earlier releases in the current format', async () => {
    const start = await created()
    const owner = await organisationId(server)
    const db = server.context.store.of(owner)
    const body = canonicalJson({ ...start.content, format: 1 })
    const hash = hashOf(body)
    await db.insertInto('content').values({ organisation_id: owner, hash, body }).execute()
    await db
      .updateTable('entity')
      .set({ content_hash: hash })
      .where('organisation_id', '=', owner)
      .where('id', '=', start.id)
      .execute()
    const { answer, etag } = await save({ ...start, etag: hash }, [])
    expect([answer.content, etag]).toEqual([start.content, hash])
  })

  it('rejects the removal of a referenced column until the handling of its references is specified', async () => {
    const target = await created({ typeAttributes: [{ name: 'code', unique: true }] })
    const uid = target.content.typeAttributes[1]?.uid ?? ''
    const referrer = await created({ entityAttributes: [aRelationship(target, 'codeOf', 'code')] })
    const removal = [{ kind: 'removeAttributes', uids: [uid] }]
    const { status, answer } = await refused(target, removal)
    expect({ status, ...answer }).toMatchObject({ status: 409, code: 'references', references: [{ id: referrer.id }] })
    const saved = await save(target, removal, { onReferences: { '*': 'remove', [uid]: 'keep' } })
    expect(saved.answer.effects).toMatchObject([
      { document: { kind: 'entity', id: referrer.id }, before: referrer.etag },
    ])
    const entry = (await log(referrer.id)).entries.at(-1)
    expect(entry?.changeId).toBe(saved.answer.entry?.changeId)
    const now = await opened(referrer.id)
    expect(applyEntityEdits(referrer.content, entry?.edits as EntityEdit[])).toEqual(now.content)
  })

  it('applies locks and content rules, and reports the place of each problem', async () => {
    const start = await created()
    await designer.call(addEntityVersion, { params: { id: start.id }, query: { version: '2.0.0' } })
    const locked = await refused(start, [described('x')], { version: '1.0.0' })
    expect(locked).toMatchObject({ status: 403, answer: { code: 'locked' } })
    const scopes = { kind: 'changeScopes', change: { selectOperationScopes: ['read'] } }
    const { answer } = await save(start, [scopes], { version: '1.0.0' })
    expect(answer.entry).toMatchObject({ version: '1.0.0', edits: [scopes] })
    const invalid = { kind: 'changeScopes', change: { selectOperationScopes: ['a '] } }
    const ofScopes = await refused(start, [invalid], { version: '1.0.0', base: '*' })
    expect(ofScopes).toMatchObject({ status: 400, answer: { errors: [{ path: 'operationScopes' }] } })
    const item = newTypeAttribute({ name: 'id', position: 1 })
    const twice = await refused(start, [{ kind: 'addAttributes', added: [{ item, before: null }] }])
    expect(twice).toMatchObject({ status: 400, answer: { errors: [{ path: 'typeAttributes.1.name' }] } })
  })

  it('reports the place of a problem in the order of the lists, which moves do not change', async () => {
    const start = await created({ typeAttributes: [{ name: 'one' }, { name: 'two' }] })
    const [, one = '', two = ''] = start.content.typeAttributes.map(({ uid }) => uid)
    const refusal = await refused(start, [
      { kind: 'moveColumns', moves: [{ uid: two, before: one }], places: [] },
      { kind: 'changeAttributes', changes: [{ uid: two, change: { name: 'id' } }] },
    ])
    expect(refusal).toMatchObject({ status: 400, answer: { errors: [{ path: 'typeAttributes.2.name' }] } })
  })

  it('rejects properties that a request body cannot set', async () => {
    const start = await created({ typeAttributes: [{ name: 'code' }] })
    const uid = start.content.typeAttributes[1]?.uid ?? ''
    const item = newTypeAttribute({ name: 'forged', position: 2 })
    const hostile: [object, string][] = [
      [{ kind: 'changeEntity', change: { type: 'CADMUS' } }, 'type'],
      [{ kind: 'changeEntity', change: { traits: ['x'] } }, 'traits'],
      [{ kind: 'changeEntity', change: { copiedFrom: newUid() } }, 'copiedFrom'],
      [{ kind: 'changeAttributes', changes: [{ uid, change: { traits: ['x'] } }] }, 'typeAttributes.1.traits'],
      [
        { kind: 'addAttributes', added: [{ item: { ...item, copiedFrom: 'mine' }, before: null }] },
        'typeAttributes.2.copiedFrom',
      ],
      [
        { kind: 'changeAttributes', changes: [{ uid, change: { description: 'x'.repeat(20_001) } }] },
        'typeAttributes.1.description',
      ],
      [{ kind: 'changeEntity', change: { uid: newUid() } }, 'edits.0.change'],
      [{ kind: 'changeEntity', change: {}, extra: 1 }, 'edits.0'],
      [{ kind: 'drop' }, 'edits.0.kind'],
      [{ kind: 'addAttributes', added: [{ item: { uid: newUid() }, before: null }] }, 'edits.0.added.0.item.name'],
      [
        { kind: 'addAttributes', added: [{ item: { ...item, uid: start.content.uid }, before: null }] },
        'typeAttributes.2.uid',
      ],
      [{ kind: 'addAttributes', added: [{ item: { ...item, uid: 'mine' }, before: null }] }, 'typeAttributes.2.uid'],
    ]
    for (const [edit, path] of hostile) {
      const { status, answer } = await refused(start, [edit])
      expect({ status, path: answer.errors?.[0]?.path }).toEqual({ status: 400, path })
    }
    expect(await opened(start.id)).toEqual(start)
  })

  it('rejects hostile bodies with a clear message', async () => {
    const start = await created()
    const many = await refused(
      start,
      Array.from({ length: 201 }, () => described('x')),
    )
    expect(many).toMatchObject({ status: 400, answer: { message: expect.stringContaining('at most 200 edits') } })
    const huge = await refused(
      start,
      Array.from({ length: 100_000 }, () => ({ kind: 'changeScopes', change: {} })),
    )
    expect(huge).toMatchObject({ status: 400, answer: { message: expect.stringContaining('300000 values') } })
    const deep = JSON.parse(`${'['.repeat(98)}${']'.repeat(98)}`) as unknown
    const traits = await refused(start, [{ kind: 'changeEntity', change: { traits: [deep] } }])
    expect(traits).toMatchObject({ status: 400, answer: { message: expect.stringContaining('nested deeper') } })
  })
})

describe('Undo from the log', () => {
  it('restores a removed attribute with its traits, by the edits of the log', async () => {
    const start = await created({ typeAttributes: [{ name: 'code' }] })
    const uid = start.content.typeAttributes[1]?.uid ?? ''
    const typeAttributes = start.content.typeAttributes.map(item =>
      item.uid === uid ? { ...item, traits: ['is.x'] } : item,
    )
    const content = JSON.stringify({ ...start.content, typeAttributes })
    await admin.call(adminUpdateEntityContent, { body: { id: start.id, content }, ifMatch: start.etag })
    const before = await opened(start.id)
    const { answer, etag } = await save(before, [{ kind: 'removeAttributes', uids: [uid] }])
    const entry = answer.entry
    const undo = invertEntityEdits(before.content, entry?.edits as EntityEdit[])
    const forged = await refused({ ...start, etag }, undo)
    expect(forged).toMatchObject({ status: 400, answer: { errors: [{ path: 'typeAttributes.1.traits' }] } })
    const cause = { kind: 'undo', sequence: entry?.sequence }
    const undone = await save({ ...start, etag }, undo, { cause })
    expect(undone.answer.content).toEqual(before.content)
    expect(undone.answer.entry).toMatchObject({ cause })
    const other = await created()
    expect(await refused(other, [described('x')], { cause })).toMatchObject({
      status: 400,
      answer: { errors: [{ path: 'cause.sequence' }] },
    })
  })
})

describe('GET entity/{id}/edits', () => {
  it('has the changes of every kind of save, in pages, oldest first', async () => {
    const start = await created()
    const { answer } = await designer.callWithTag(getEntity, { params: { id: start.id } })
    const body = saveBody(answer.entity, { description: 'by PUT' })
    await designer.call(updateEntity, { params: { id: start.id }, body, ifMatch: start.etag })
    await save(await opened(start.id), [described('by POST')])
    const { entries, more } = await log(start.id)
    expect(more).toBe(false)
    expect(entries.map(entry => entry.edits)).toEqual([null, [described('by PUT')], [described('by POST')]])
    const first = await log(start.id, { limit: 1 })
    expect(first).toEqual({ entries: entries.slice(0, 1), more: true })
    const rest = await log(start.id, { after: entries[0]?.sequence })
    expect(rest).toEqual({ entries: entries.slice(1), more: false })
    expect(entries.map(entry => entry.after).slice(0, -1)).toEqual(entries.map(entry => entry.before).slice(1))
    // Only the user of an operation sees its id, and can settle it.
    expect((await log(start.id, {}, admin)).entries.map(entry => entry.operationId)).toEqual([null, null, null])
  })

  it('has the edits of entries that an earlier release wrote in the current format', async () => {
    const [start, target] = [await created(), await created()]
    const { answer } = await save(start, [described('new')])
    const acme = await organisationId(server)
    await server.context.store
      .of(acme)
      .updateTable('audit_entry')
      .set({ edits: JSON.stringify(relating(target)), edit_format: 0 })
      .where('organisation_id', '=', acme)
      .where('sequence', '=', answer.entry?.sequence ?? 0)
      .execute()
    const entry = (await log(start.id)).entries.at(-1)
    expect(entry?.format).toBe(editFormat)
    expect(entry?.edits).toMatchObject([{ added: [{ item: { associatedEntityTypeAttributeUid: null } }] }])
  })

  it('omits the edits of a very large change, which its contents include', async () => {
    const start = await created()
    const added = Array.from({ length: 900 }, (_, index) => ({
      item: newTypeAttribute({ name: `a${index}`, position: index + 1, description: 'x'.repeat(40) }),
      before: null,
    }))
    const { answer, etag } = await save(start, [{ kind: 'addAttributes', added }])
    expect(answer.entry).toMatchObject({ edits: null, format: null, after: etag })
    expect(answer.content?.typeAttributes).toHaveLength(901)
  })
})

describe('POST entity/{id}/edits/{operationId}/settle', () => {
  const settle = ({ id }: State, operationId: string, client = designer) =>
    client.call(entityEdits.settle, { params: { id, operationId } })

  it('returns the stored result of the operation, or cancels it permanently', async () => {
    const start = await created()
    const [stored, late] = [newUid(), newUid()]
    const saved = await save(start, [described('stored')], { operationId: stored })
    await save(await opened(start.id), [described('later')])
    expect(await settle(start, stored)).toEqual({ result: saved.answer })
    expect(await settle(start, stored.toUpperCase())).toEqual({ result: saved.answer })
    expect(await settle(start, late)).toEqual({ result: null })
    const refusal = await refused(start, [described('late')], { operationId: late })
    expect(refusal).toMatchObject({ status: 409, answer: { code: 'operation_cancelled' } })
    await runMaintenance(server.context)
    expect(await settle(start, late)).toEqual({ result: null })
  })

  it('answers 404 for a deleted entity', async () => {
    const start = await created()
    await designer.call(deleteEntity, { params: { id: start.id } })
    const refusal = await designer.refusal(entityEdits.settle, { params: { id: start.id, operationId: newUid() } })
    expect(refusal.status).toBe(404)
  })
})

describe('Edits of a configuration', () => {
  const set = (path: string, value: unknown): ConfigurationEdit =>
    ({ kind: 'changeConfiguration', changes: [{ path: path.split('.'), value }] }) as ConfigurationEdit
  const url = 'packageProperties.connectionPoolInfo.url'
  const password = 'packageProperties.connectionPoolInfo.password'
  const properties = 'packageProperties.customProperties'

  async function configured() {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Configured${++count}` } })
    const params = { id: manifest.id }
    const now = async () => {
      const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
      return { etag, configuration: answer.manifestProperties }
    }
    const post = (base: string, edits: readonly unknown[], more: object = {}) =>
      designer.callWithTag(configurationEdits.save, {
        params,
        body: { ...bodyOf(base, []), edits: edits as ConfigurationEdit[], ...more },
      })
    const refuse = (base: string, edits: readonly unknown[]) =>
      designer.refusal(configurationEdits.save, {
        params,
        body: { ...bodyOf(base, []), edits: edits as ConfigurationEdit[] },
      })
    return { params, now, post, refuse }
  }

  it('are stored and merged like a save; the log has tags and no secrets', async () => {
    const { params, now, post, refuse } = await configured()
    const start = await now()
    const secret = [{ name: 'token', value: 'hidden', secret: true }]
    const first = await post(start.etag, [set(password, 'hidden'), set(properties, secret)])
    const body = { packageProperties: { connectionPoolInfo: { username: 'u' } } }
    await designer.call(saveManifestConfiguration, { params, body, ifMatch: first.etag })
    const { answer, etag } = await post(start.etag, [set(url, 'mine')])
    expect(await now()).toEqual({ etag, configuration: answer.content })
    expect(answer.content?.packageProperties).toMatchObject({ connectionPoolInfo: { url: 'mine', username: 'u' } })
    expect((await refuse(start.etag, [set(url, 'other')])).answer).toMatchObject({
      code: 'conflict',
      conflicts: [{ theirs: 'mine' }],
    })
    const text = await (await designer.send(configurationEdits.list, { params })).text()
    expect(text).not.toContain('hidden')
    const { entries } = await designer.call(configurationEdits.list, { params })
    expect(entries.map(entry => entry.before)).toEqual([start.etag, first.etag, entries[1]?.after])
    expect(entries.at(-1)).toMatchObject({
      after: etag,
      edits: [set(url, 'mine')],
      document: { kind: 'configuration' },
    })
    // The placeholder in the log restores the secret that it stands for.
    const shown = first.answer.content?.packageProperties.connectionPoolInfo.password
    await post(etag, [set(password, 'another')])
    const back = await post((await now()).etag, [set(password, shown)])
    expect(back.answer.content?.packageProperties.connectionPoolInfo.password).toBe(shown)
  })

  it('are refused for unknown fields, invalid values and other names, with the path', async () => {
    const { now, refuse } = await configured()
    const { etag, configuration } = await now()
    const hostile: [string, unknown, string][] = [
      ['packageProperties.nothing', 1, 'packageProperties.nothing'],
      ['__proto__.x', 1, '__proto__.x'],
      ['packageProperties', {}, 'packageProperties'],
      [url, 7, url],
      [url, 'x'.repeat(4001), url],
      ['manifestName', 'Other', 'manifestName'],
      ['configurationBuild.apiConfiguration.type', ['FTP'], 'configurationBuild.apiConfiguration.type.0'],
    ]
    const valueless = { kind: 'changeConfiguration', changes: [{ path: ['manifestName'] }] }
    const missing = { status: 400, answer: { errors: [{ path: 'edits.0.changes.0.value' }] } }
    expect(await refuse(etag, [valueless])).toMatchObject(missing)
    for (const [path, value, at] of hostile)
      expect(await refuse(etag, [set(path, value)])).toMatchObject({ status: 400, answer: { errors: [{ path: at }] } })
    expect(await now()).toEqual({ etag, configuration })
  })

  it('repeat and settle under their operation id', async () => {
    const { params, now, post } = await configured()
    const start = await now()
    const operationId = newUid()
    const first = await post(start.etag, [set(url, 'a')], { operationId })
    await post(first.etag, [set(url, 'b')])
    expect(await post(start.etag, [set(url, 'a')], { operationId })).toEqual(first)
    const settled = await designer.callWithTag(configurationEdits.settle, { params: { ...params, operationId } })
    expect(settled).toEqual({ answer: { result: first.answer }, etag: first.etag })
  })
})
