import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  getEntity,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import { holds } from '@cadmus/testing/holds'
import { deleteEntityRows } from '../store/entity-delete.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  addManifest,
  addPredefined,
  aRelationship,
  organisationId,
  saveBody,
  typeAttributeBody,
} from '../testing/entities.ts'

describeOnBothStores.whenProving('Entities: save', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  type State = { entity: EntityAnswer; etag: string }
  const get = async (id: number, version?: string): Promise<State> => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id }, query: { version } })
    return { entity: answer.entity, etag }
  }
  const create = async (name: string, typeAttributes: { name: string }[] = [], more = {}): Promise<State> => {
    const { answer } = await designer.callWithTag(createEntity, { body: { entity: { name, typeAttributes }, ...more } })
    return get(answer.entity.id)
  }
  const save = async ({ entity, etag }: State, changes: Parameters<typeof saveBody>[1]): Promise<State> => {
    const { answer, etag: next } = await designer.callWithTag(updateEntity, {
      params: { id: entity.id },
      body: saveBody(entity, changes),
      ifMatch: etag,
    })
    return { entity: answer.entity, etag: next }
  }
  const refused = ({ entity, etag }: State, changes: Parameters<typeof saveBody>[1]) =>
    designer.refusal(updateEntity, { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: etag })
  const logs = async (id: number) => {
    const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 100 } })
    return entityLogs.filter(({ UPDATED_CONTENT }) => JSON.parse(UPDATED_CONTENT ?? '{}').uid === uids.get(id))
  }
  const uids = new Map<number, string>()
  /** The attributes as the page sends them, with one changed by name. */
  const changed = (entity: EntityAnswer, name: string, change: object) =>
    entity.typeAttributes.map(item => ({ ...typeAttributeBody(item), ...(item.name === name ? change : {}) }))

  it('stores and returns the new state with its tag', holds('E7.40', 'E7.72', 'E3.4'), async () => {
    const before = await create('Simple')
    const after = await save(before, { description: 'Now described.' })
    expect(after.entity.description).toBe('Now described.')
    expect(after.etag).not.toBe(before.etag)
    expect(await get(before.entity.id)).toEqual(after)
  })

  it('decisions §4 a save without a base is 428, with * it overwrites', async () => {
    const { entity } = await create('Based')
    const body = saveBody(entity, { description: 'x' })
    expect((await designer.refusal(updateEntity, { params: { id: entity.id }, body })).status).toBe(428)
    await designer.call(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
    expect((await get(entity.id)).entity.description).toBe('x')
    const other = await designer.refusal(updateEntity, { params: { id: entity.id }, body, ifMatch: 'f'.repeat(64) })
    expect(other).toMatchObject({ status: 409, answer: { message: messages.unknownBase } })
  })

  it('decisions §4 a stale save of other fields is merged; both changes stand', async () => {
    const base = await create('Merged', [{ name: 'first' }, { name: 'second' }])
    await save(base, { typeAttributes: changed(base.entity, 'first', { description: 'theirs' }) })
    const mine = await save(base, {
      description: 'mine',
      typeAttributes: [...changed(base.entity, 'second', { name: 'renamed' }), { name: 'third' }],
    })
    expect(mine.entity.description).toBe('mine')
    expect(mine.entity.typeAttributes.map(item => [item.name, item.description])).toEqual([
      ['id', ''],
      ['first', 'theirs'],
      ['renamed', ''],
      ['third', ''],
    ])
  })

  it('decisions §4 the same field changed twice is 409 with both values, user and time; nothing is stored', async () => {
    const base = await create('Contested', [{ name: 'field' }])
    const theirs = await save(base, {
      description: 'theirs',
      typeAttributes: changed(base.entity, 'field', { maxLength: 10 }),
    })
    await save(theirs, { description: 'theirs', operationScopes: { selectOperationScopes: ['later'] } })
    const refusal = await refused(base, {
      description: 'mine',
      typeAttributes: changed(base.entity, 'field', { maxLength: 20 }),
    })
    expect(refusal).toMatchObject({ status: 409, answer: { code: 'conflict', message: messages.staleSave } })
    expect(refusal.answer.conflicts).toHaveLength(2)
    const byField = new Map(refusal.answer.conflicts?.map(item => [item.field, item]))
    expect(byField.get('description')).toMatchObject({ base: '', mine: 'mine', theirs: 'theirs', path: '' })
    expect(byField.get('maxLength')).toMatchObject({ mine: 20, theirs: 10, path: 'typeAttributes.field' })
    for (const { who, when } of byField.values()) {
      expect(who).not.toBe('')
      expect(Date.parse(when)).toBeGreaterThan(Date.now() - 60_000)
    }
    expect((await get(base.entity.id)).entity.description).toBe('theirs')
  })

  it('stores nothing for an unchanged entity', async () => {
    const state = await create('Same')
    uids.set(state.entity.id, state.entity.uid)
    const again = await save(state, {})
    expect(again).toEqual(state)
    expect(await logs(state.entity.id)).toHaveLength(1)
  })

  it(
    'writes an audit entry with both contents for every save',
    holds('E3.75', 'E7.55', 'M3.85', 'M3.86', 'M3.88'),
    async () => {
      const state = await create('Audited')
      uids.set(state.entity.id, state.entity.uid)
      await save(state, { name: 'AuditedNow' })
      const [entry, first] = await logs(state.entity.id)
      expect(entry).toMatchObject({ ACTION_TYPE: 'UPDATE', ENTITY_NAME: 'AuditedNow', PATH: 'user-defined/AuditedNow' })
      expect(entry).toMatchObject({ USER_NAME: 'Dan Designer', USER_EMAIL: 'designer@example.com' })
      const headers = { 'X-Organisation-Code': 'ACME' }
      const printed = await designer.browser.fetch('/1.0/cdm/entity/logs?limit=1', { headers })
      expect(printed.status).toBe(200)
      const { totalElements } = await designer.call(listEntityLogs, {})
      expect(await printed.json()).toEqual({ entityLogs: [entry], totalElements })
      expect(JSON.parse(entry?.ORIGINAL_CONTENT ?? '')).toMatchObject({ name: 'Audited', path: 'user-defined/Audited' })
      expect(JSON.parse(entry?.UPDATED_CONTENT ?? '')).toMatchObject({
        name: 'AuditedNow',
        path: 'user-defined/AuditedNow',
      })
      expect(entry?.DESCRIPTION).toContain('Renamed entity Audited to AuditedNow')
      expect(first).toMatchObject({ ACTION_TYPE: 'CREATE', ORIGINAL_CONTENT: null })
    },
  )

  it('changes the name and the last part of the path in a rename', holds('E4.19', 'E4.20'), async () => {
    const manifestId = await addManifest(server, 'Renames')
    const state = await create('Before', [], { targetManifestId: manifestId })
    const { entity } = await save(state, { name: 'After' })
    expect(entity).toMatchObject({ name: 'After', path: 'user-defined/Renames/After', id: state.entity.id })
    await create('Taken', [], { targetManifestId: manifestId })
    const refusal = await refused(await get(state.entity.id), { name: 'taken' })
    expect(refusal.answer.errors).toEqual([
      { path: 'entity.name', message: 'An entity with the name "taken" already exists.' },
    ])
    const cased = await save(await get(state.entity.id), { name: 'AFTER' })
    expect(cased.entity.name).toBe('AFTER')
  })

  it("accepts the entity's own name", holds('E5.11'), async () => {
    const manifestId = await addManifest(server, 'Itself')
    const state = await create('Only', [], { targetManifestId: manifestId })
    expect((await save(state, { description: 'again' })).entity.name).toBe('Only')
  })

  it(
    'a save of an entity keeps the order of the body and accepts a max length with leading zeros',
    holds('E7.73', 'E4.22'),
    async () => {
      const state = await create('Ordered', [{ name: 'aa' }, { name: 'bb' }, { name: 'cc' }])
      const [id, a, b, c] = state.entity.typeAttributes.map(item => ({
        ...typeAttributeBody(item),
        position: undefined,
      }))
      const { entity } = await save(state, { typeAttributes: [id!, c!, { ...a!, maxLength: '080' }, b!] })
      expect(entity.typeAttributes.map(item => item.name)).toEqual(['id', 'cc', 'aa', 'bb'])
      expect(entity.typeAttributes[2]?.maxLength).toBe(80)
    },
  )

  it(
    'updates primaryKey when the key is renamed; another attribute can become the key',
    holds('E4.21', 'E3.33', 'E3.38'),
    async () => {
      const state = await create('Keyed', [{ name: 'code' }])
      const renamed = await save(state, { typeAttributes: changed(state.entity, 'id', { name: 'keyedId' }) })
      expect(renamed.entity.primaryKey).toBe('keyedId')
      const moved = await save(renamed, {
        typeAttributes: changed(renamed.entity, 'code', { purpose: 'identifiedBy', maxLength: 20 }),
      })
      expect(moved.entity.primaryKey).toBe('code')
      const { typeAttributes } = (await get(moved.entity.id)).entity
      expect(typeAttributes.map(({ name, isPrimaryKey }) => [name, isPrimaryKey])).toEqual([
        ['keyedId', false],
        ['code', true],
      ])
    },
  )

  it(
    'a save of an entity keeps imports and the five scope lists',
    holds('E3.7', 'E7.76', 'E3.21', 'E3.22', 'E3.23', 'E3.24', 'E3.25', 'E7.75'),
    async () => {
      const state = await create('Scoped')
      const operationScopes = {
        selectOperationScopes: ['read'],
        selectAllOperationScopes: ['read', 'list'],
        deleteOperationScopes: ['write'],
        insertOperationScopes: ['write'],
        updateOperationScopes: ['write', 'change'],
      }
      const body = { ...saveBody(state.entity, { operationScopes }), referenceImportPaths: ['a', 'b'] }
      await designer.call(updateEntity, { params: { id: state.entity.id }, body, ifMatch: state.etag })
      expect((await get(state.entity.id)).entity).toMatchObject({ operationScopes, imports: ['a', 'b'] })
    },
  )

  it('requires scopes to be a list of texts', holds('E5.36'), async () => {
    const { entity } = await create('BadScopes')
    const response = await designer.send(updateEntity, {
      params: { id: entity.id },
      body: { entity: { name: 'BadScopes', operationScopes: { selectOperationScopes: 5 } } },
      ifMatch: '*',
    })
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('Scopes must be an array of strings')
  })

  it('accepts only scopes for an old version', holds('E7.80', 'E4.1', 'E4.10', 'E4.7'), async () => {
    const first = await create('Versioned')
    await designer.call(addEntityVersion, { params: { id: first.entity.id }, query: { version: '1.1.0' } })
    const old = await get(first.entity.id, '1.0.0')
    expect(old.entity).toMatchObject({ currentVersion: '1.0.0', latestVersion: '1.1.0' })
    expect(await refused(old, { description: 'no' })).toMatchObject({
      status: 403,
      answer: { message: messages.locked.version },
    })
    await save(old, { operationScopes: { selectOperationScopes: ['read'] } })
    expect((await get(first.entity.id, '1.0.0')).entity.operationScopes.selectOperationScopes).toEqual(['read'])
    expect((await get(first.entity.id)).entity.operationScopes.selectOperationScopes).toEqual([])
    const latest = await save(await get(first.entity.id), { description: 'yes' })
    expect(latest.entity).toMatchObject({ currentVersion: '1.1.0', description: 'yes' })
    expect((await get(first.entity.id, '1.0.0')).entity.description).toBe('')
  })

  it('starts a new entity with the version in its body', holds('E7.80'), async () => {
    const { answer } = await designer.callWithTag(createEntity, {
      body: { entity: { name: 'Begun' }, version: '2.0.0' },
    })
    expect(answer.entity).toMatchObject({ currentVersion: '2.0.0', latestVersion: '2.0.0', versions: ['2.0.0'] })
    const refusal = await designer.refusal(createEntity, { body: { entity: { name: 'Not_begun' }, version: 'x' } })
    expect(refusal).toMatchObject({ status: 400, answer: { message: 'Invalid version pattern.' } })
  })

  it('stores scopes of a predefined entity for this organisation only', holds('E4.4', 'E4.13', 'E4.7'), async () => {
    const id = await addPredefined(server, { name: 'TestAccount' })
    const state = await get(id)
    expect(await refused(state, { description: 'no' })).toMatchObject({
      status: 403,
      answer: { message: messages.locked.default },
    })
    const saved = await save(state, { operationScopes: { insertOperationScopes: ['write'] } })
    expect(await get(id)).toEqual(saved)
    const again = await save(saved, { operationScopes: { insertOperationScopes: ['other'] } })
    expect(again.entity.operationScopes.insertOperationScopes).toEqual(['other'])
    const stale = await refused(state, { operationScopes: { insertOperationScopes: ['stale'] } })
    expect(stale).toMatchObject({ status: 409 })
    const elsewhere = await server.bootstrap('GLOBEX').call(getEntity, { params: { id } })
    expect(elsewhere.entity.operationScopes.insertOperationScopes).toEqual([])
  })

  it('a save of an entity keeps a relationship to a missing target', async () => {
    const target = await create('Vanishing')
    const state = await create('Keeper')
    const body = aRelationship(target.entity, 'vanishingId')
    await designer.call(addRelationship, { params: { id: state.entity.id }, body, ifMatch: '*' })
    // A state from older stores: today, a deletion also updates referrers.
    const acme = await organisationId(server)
    await deleteEntityRows(server.context.store.of(acme), acme, [target.entity.id])
    const left = await get(state.entity.id)
    const { entity } = await save(left, { description: 'still here' })
    expect(entity).toMatchObject({
      description: 'still here',
      entityAttributes: [{ associatedEntity: { id: -1, name: 'Vanishing' } }],
    })
  })

  it('decisions §4 none of many concurrent saves is lost', async () => {
    const state = await create(
      'Busy',
      Array.from({ length: 8 }, (_, index) => ({ name: `a${index}` })),
    )
    const writers = Array.from({ length: 8 }, (_, index) =>
      save(state, { typeAttributes: changed(state.entity, `a${index}`, { description: `by ${index}` }) }),
    )
    await Promise.all(writers)
    const { entity } = await get(state.entity.id)
    expect(entity.typeAttributes.slice(1).map(item => item.description)).toEqual(
      Array.from({ length: 8 }, (_, index) => `by ${index}`),
    )
    uids.set(entity.id, entity.uid)
    expect(await logs(entity.id)).toHaveLength(9)
  })
})
