import { readConfiguration } from '@cadmus/model/configuration'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { configurationEdits, entityEdits } from '@cadmus/model/contract/edits'
import { addEntityVersion, createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runMaintenance } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, saveBody } from '../testing/entities.ts'
import { scriptOf } from '../testing/personal-tokens.ts'

describeOnBothStores.whenProving('Settling an unanswered save by its id', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  const get = async (id: number, query: { version?: string } = {}, client = designer) => {
    const { answer, etag } = await client.callWithTag(getEntity, { params: { id }, query })
    return { entity: answer.entity, etag }
  }
  const document = { answer: 'document' as const }
  /** The state stored by a save; null if it stored nothing. */
  const settled = async (id: number, operationId: string, client = designer) => {
    const input = { params: { id, operationId }, query: document }
    const { answer, etag } = await client.callWithTag(entityEdits.settle, input)
    return answer.result && { entity: answer.result.entity, etag }
  }
  const settledConfiguration = async (id: number, operationId: string) => {
    const input = { params: { id, operationId }, query: document }
    const { answer, etag } = await designer.callWithTag(configurationEdits.settle, input)
    return answer.result && { configuration: readConfiguration(answer.result.manifestProperties), etag }
  }
  type State = Awaited<ReturnType<typeof get>>
  const save = async ({ entity, etag }: State, changes: object, saveId?: string): Promise<State> => {
    const body = { ...saveBody(entity, changes), version: entity.currentVersion }
    const input = { params: { id: entity.id }, query: { saveId }, body, ifMatch: etag }
    const { answer, etag: next } = await designer.callWithTag(updateEntity, input)
    return { entity: answer.entity, etag: next }
  }
  const organisationOf = async (code: string) => {
    const { shared } = server.context.store
    const row = shared.selectFrom('organisation').select('id').where('code', '=', code)
    return (await row.executeTakeFirstOrThrow()).id
  }
  const entriesOf = async (id: number) => {
    const organisationId = await organisationOf('ACME')
    const entries = server.context.store.of(organisationId).selectFrom('audit_entry').select('id')
    const result = entries.where('organisation_id', '=', organisationId).where('target_id', '=', id)
    return (await result.execute()).length
  }
  let count = 0
  const opened = async (attributes = 0) => {
    const typeAttributes = Array.from({ length: attributes }, (_, index) => ({
      name: `a${index}`,
      description: 'x'.repeat(400),
    }))
    const body = { entity: { name: `Asked${++count}`, typeAttributes } }
    return get((await designer.call(createEntity, { body })).entity.id)
  }

  for (const attributes of [0, 400]) {
    it(`returns the state it stored, whatever came before and after, with ${attributes} attributes`, async () => {
      const [saveId, other] = [newUid(), newUid()]
      const start = await opened(attributes)
      const operationScopes = { ...start.entity.operationScopes, selectOperationScopes: ['seen'] }
      const before = await save(start, { operationScopes }, other.toUpperCase())
      const saved = await save(start, { description: 'mine' }, saveId)
      await save(saved, { description: 'theirs' })
      expect(saved.entity).toMatchObject({ description: 'mine', operationScopes })
      expect(await settled(start.entity.id, saveId)).toEqual(saved)
      expect(await settled(start.entity.id, other)).toEqual(before)
    })
  }

  it('answers null if it never arrived, was rejected or changed nothing', async () => {
    const [refused, same] = [newUid(), newUid()]
    const start = await opened()
    const now = await save(start, { description: 'theirs' })
    await expect(save(start, { description: 'mine' }, refused)).rejects.toThrow()
    await save(now, {}, same)
    for (const saveId of [refused, same, newUid()]) expect(await settled(start.entity.id, saveId)).toBeNull()
    await expect(settled(start.entity.id, 'x')).rejects.toMatchObject({ status: 400 })
  })

  it('waits for a running save before reporting that nothing was stored', async () => {
    const start = await opened()
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Slow' } })
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const { packageProperties, ...rest } = readConfiguration(answer.manifestProperties)
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, url: 'mine' }
    const body = { ...rest, packageProperties: { ...packageProperties, connectionPoolInfo } }
    const [saveId, configured, hold] = [newUid(), newUid(), Promise.withResolvers<void>()]
    const { writing } = server.context.store
    const run = writing.run.bind(writing)
    const turns = vi.spyOn(writing, 'run').mockImplementation(async (owner, work, stop) => {
      await hold.promise
      return run(owner, work, stop)
    })
    const saving = save(start, { description: 'mine' }, saveId)
    const input = { params, query: { saveId: configured }, body, ifMatch: etag }
    const configuring = designer.callWithTag(saveManifestConfiguration, input)
    await expect.poll(() => turns.mock.calls.length).toBe(2)
    const requester = settled(start.entity.id, saveId)
    const requesterOfConfiguration = settledConfiguration(manifest.id, configured)
    setTimeout(hold.resolve, 300)
    expect(await requester).toEqual(await saving)
    expect((await requesterOfConfiguration)?.etag).toBe((await configuring).etag)
    turns.mockRestore()
  })

  it('cancels an unknown save permanently, for entities and configurations', async () => {
    const [late, configured] = [newUid(), newUid()]
    const start = await opened()
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Late' } })
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const { packageProperties, ...rest } = readConfiguration(answer.manifestProperties)
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, url: 'mine' }
    const body = { ...rest, packageProperties: { ...packageProperties, connectionPoolInfo } }
    expect(await settled(start.entity.id, late)).toBeNull()
    expect(await settledConfiguration(manifest.id, configured)).toBeNull()

    const refused = { status: 409, answer: { code: 'operation_cancelled' } }
    await expect(save(start, { description: 'mine' }, late)).rejects.toMatchObject(refused)
    await expect(save(start, {}, late)).rejects.toMatchObject(refused)
    const input = { params, query: { saveId: configured }, body, ifMatch: etag }
    await expect(designer.call(saveManifestConfiguration, input)).rejects.toMatchObject(refused)
    expect(await get(start.entity.id)).toEqual(start)
    expect((await designer.callWithTag(getManifestConfiguration, { params })).etag).toBe(etag)
    expect(await settled(start.entity.id, late)).toBeNull()
  })

  it('returns the same result for a repeated save, in sequence or concurrently, stored once', async () => {
    const [first, both, configured] = [newUid(), newUid(), newUid()]
    const start = await opened()
    const saved = await save(start, { description: 'mine' }, first)
    const now = await save(saved, { description: 'before' })
    expect(await save(start, { description: 'mine' }, first)).toEqual(saved)
    expect(await get(start.entity.id)).toEqual(now)
    const twice = [save(now, { description: 'both' }, both), save(now, { description: 'both' }, both)]
    const [one, other] = await Promise.all(twice)
    expect(other).toEqual(one)
    expect(await entriesOf(start.entity.id)).toBe(4)

    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Twice' } })
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const { packageProperties, ...rest } = readConfiguration(answer.manifestProperties)
    const configure = async (url: string, ifMatch: string, saveId: string) => {
      const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, url }
      const body = { ...rest, packageProperties: { ...packageProperties, connectionPoolInfo } }
      return designer.callWithTag(saveManifestConfiguration, { params, query: { saveId }, body, ifMatch })
    }
    const mine = await configure('mine', etag, configured)
    const theirs = await configure('theirs', mine.etag, newUid())
    expect(await configure('mine', etag, configured)).toEqual(mine)
    expect((await designer.callWithTag(getManifestConfiguration, { params })).etag).toBe(theirs.etag)
  })

  it('the query for a save on another server has a consistent result: stored and returned, or cancelled and rejected', async () => {
    // Another server does not know the running saves of this one.
    const waitForEnd = vi.spyOn(server.context.store.saves, 'waitForEnd').mockResolvedValue()
    let state = await opened()
    for (let round = 0; round < 8; round++) {
      const saveId = newUid()
      const saving = save(state, { description: `round ${round}` }, saveId).catch((error: unknown) => error)
      const { id } = state.entity
      const requester = settled(id, saveId).catch((error: unknown) => error)
      const [saved, reported] = await Promise.all([saving, requester])
      const now = await get(id)
      const isStored = now.entity.description === `round ${round}`
      expect([saved, reported]).toMatchObject(isStored ? [now, now] : [{ status: 409 }, null])
      state = now
    }
    waitForEnd.mockRestore()
  })

  it('the id of a cancelled save is kept for a day', async () => {
    const start = await opened()
    const organisationId = await organisationOf('ACME')
    const saveId = newUid()
    await settled(start.entity.id, saveId)
    const db = server.context.store.of(organisationId)
    const stored = () =>
      db
        .selectFrom('spent_save')
        .select('spent_at')
        .where('organisation_id', '=', organisationId)
        .where('save_id', '=', saveId)
        .execute()
    await runMaintenance(server.context)
    const [{ spent_at: at } = { spent_at: 0 }] = await stored()
    await db
      .updateTable('spent_save')
      .set({ spent_at: Number(at) - 24 * 60 * 60_000 })
      .where('organisation_id', '=', organisationId)
      .where('save_id', '=', saveId)
      .execute()
    await runMaintenance(server.context)
    expect(await stored()).toEqual([])
  })

  it('rejects an id used by another user and stores nothing', async () => {
    const [saveId, made] = [newUid(), newUid()]
    const start = await opened()
    const saved = await save(start, { description: 'mine' }, saveId)
    const body = saveBody(saved.entity, { description: 'theirs' })
    const input = { params: { id: start.entity.id }, query: { saveId }, body, ifMatch: saved.etag }
    const refused = { status: 409, answer: { code: 'operation_cancelled' } }
    expect(await admin.refusal(updateEntity, input)).toMatchObject(refused)
    await expect(settled(start.entity.id, saveId, admin)).rejects.toMatchObject({ status: 404 })
    expect(await get(start.entity.id)).toEqual(saved)
    await designer.call(createEntity, { query: { saveId: made }, body: { entity: { name: 'MadeByOne' } } })
    const again = { query: { saveId: made }, body: { entity: { name: 'MadeByOther' } } }
    expect(await admin.refusal(createEntity, again)).toMatchObject(refused)
  })

  it('is rejected with a read-only token, because it may cancel a running save', async () => {
    const [late, configured] = [newUid(), newUid()]
    const start = await opened()
    const { script } = await scriptOf(designer, { access: 'read' })
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'ReadOnly' } })
    const refused = { status: 403, answer: { code: 'read_only' } }
    await expect(settled(start.entity.id, late, script)).rejects.toMatchObject(refused)
    const requester = { params: { id: manifest.id, operationId: configured } }
    expect(await script.refusal(configurationEdits.settle, requester)).toMatchObject(refused)
    expect(await get(start.entity.id, {}, script)).toEqual(start)
    expect((await save(start, { description: 'mine' }, late)).entity).toMatchObject({ description: 'mine' })
  })

  it('answers the current state for a save of another object, and 404 in another organisation', async () => {
    const saveId = newUid()
    const [one, two] = [await opened(), await opened()]
    await save(one, { description: 'mine' }, saveId)
    expect(await settled(two.entity.id, saveId)).toEqual(two)
    const elsewhere = settled(one.entity.id, saveId, await server.as('admin', 'CADMUS'))
    await expect(elsewhere).rejects.toMatchObject({ status: 404 })
  })

  it('works for contents saved as text, old versions and predefined entities', async () => {
    const [text, old, own] = [newUid(), newUid(), newUid()]
    const start = await opened()
    const content = JSON.stringify({ ...JSON.parse(start.entity.content), description: 'text' })
    const input = { query: { saveId: text }, body: { id: start.entity.id, content }, ifMatch: start.etag }
    const { answer, etag } = await admin.callWithTag(adminUpdateEntityContent, input)
    expect(await settled(start.entity.id, text, admin)).toEqual({ entity: answer.entity, etag })

    const { id } = start.entity
    await designer.call(addEntityVersion, { params: { id }, query: { version: '2.0.0' } })
    const operationScopes = { ...start.entity.operationScopes, selectOperationScopes: ['seen'] }
    const frozen = await save(await get(id, { version: '1.0.0' }), { operationScopes }, old)
    await save(await get(id), { description: 'later' })
    expect(await settled(id, old)).toEqual(frozen)

    const predefined = await get(await addPredefined(server, { name: 'Norm' }))
    const scoped = await save(predefined, { operationScopes }, own)
    expect(await settled(predefined.entity.id, own)).toEqual(scoped)
  })

  for (const properties of [0, 60]) {
    it(`returns the saved configuration of ${properties} properties, with that save's own placeholders`, async () => {
      const { manifest } = await designer.call(createManifest, { body: { manifestName: `Asked${properties}` } })
      const params = { id: manifest.id }
      const read = async () => {
        const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
        return { configuration: readConfiguration(answer.manifestProperties), etag }
      }
      const saveWith = async (
        { configuration, etag }: Awaited<ReturnType<typeof read>>,
        pool: object,
        saveId: string,
      ) => {
        const { packageProperties } = configuration
        const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...pool }
        const body = { ...configuration, packageProperties: { connectionPoolInfo, customProperties } }
        const input = { params, query: { saveId }, body, ifMatch: etag }
        const { answer, etag: next } = await designer.callWithTag(saveManifestConfiguration, input)
        return { configuration: readConfiguration(answer.manifestProperties), etag: next }
      }
      const customProperties = Array.from({ length: properties }, (_, index) => ({
        name: `p${index}`,
        value: 'x'.repeat(4000),
        secret: false,
      }))
      const [first, second, third] = [newUid(), newUid(), newUid()]
      const one = await saveWith(await read(), { password: 'Lion-1' }, first)
      const two = await saveWith(one, { password: 'Bear-1' }, second)
      await saveWith(two, { url: 'later' }, newUid())
      expect([await settledConfiguration(manifest.id, first), await settledConfiguration(manifest.id, second)]).toEqual(
        [one, two],
      )
      expect(one.configuration.packageProperties.connectionPoolInfo.password).not.toBe(
        two.configuration.packageProperties.connectionPoolInfo.password,
      )
      expect(await settledConfiguration(manifest.id, third)).toBeNull()
    })
  }
})
