import { readConfiguration, type Configuration } from '@cadmus/model/configuration'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteRelationship,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import {
  addManifestVersion,
  createManifest,
  getManifestConfiguration,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityAnswer } from '../jobs/answers.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, relationshipBody, saveBody } from '../testing/entities.ts'

// A client that continues with its own copy under the tag of a merged state would undo the other user's changes.
describeOnBothStores.whenProving('Tag and content of an answer belong together', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let target: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
    target = (await designer.call(createEntity, { body: { entity: { name: 'Aim' } } })).entity
  })
  afterAll(() => server.stop())

  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }
  let count = 0
  const opened = async (attributes = 0) => {
    const typeAttributes = Array.from({ length: attributes }, (_, index) => ({
      name: `a${index}`,
      description: 'x'.repeat(400),
    }))
    const body = {
      entity: { name: `Told${++count}`, typeAttributes, entityAttributes: [aRelationship(target, 'aimId')] },
    }
    return get((await designer.call(createEntity, { body })).entity.id)
  }
  const described = (state: { entity: EntityAnswer; etag: string }, description: string) =>
    designer.call(updateEntity, {
      params: { id: state.entity.id },
      body: saveBody(state.entity, { description }),
      ifMatch: state.etag,
    })
  const named = (id: number) => ({
    params: { id, associatedEntityId: target.id },
    query: { associatedAttributeName: 'aimId' },
  })
  const first = ({ entityAttributes: [item] }: EntityAnswer) => {
    if (!item) throw new Error('There is no relationship.')
    return relationshipBody(item)
  }

  for (const [size, attributes] of [
    ['small', 0],
    ['large', 400],
  ] as const) {
    it(`tag and content match in the answer of each relationship call on a ${size} entity, including concurrent saves`, async () => {
      const [one, two, three] = [await opened(attributes), await opened(attributes), await opened(attributes)]
      for (const state of [one, two, three]) await described(state, 'Theirs')
      const added = await designer.callWithTag(addRelationship, {
        params: { id: one.entity.id },
        body: aRelationship(target, 'secondId'),
        ifMatch: one.etag,
      })
      const changed = await designer.callWithTag(updateRelationship, {
        ...named(two.entity.id),
        body: { ...first(two.entity), unique: true },
        ifMatch: two.etag,
      })
      const deleted = await designer.callWithTag(deleteRelationship, { ...named(three.entity.id), ifMatch: three.etag })
      const states = [
        { entity: added.answer.entity, etag: added.etag },
        { entity: changed.answer.entity, etag: changed.etag },
        { entity: deleted.answer.entity, etag: deleted.etag },
      ]
      for (const state of states) {
        expect(state.entity.description).toBe('Theirs')
        expect(state).toEqual(await get(state.entity.id))
      }
      expect(added.answer.entity.entityAttributes).toContainEqual(added.answer.entityAttribute)
      expect(changed.answer.entity.entityAttributes).toEqual([changed.answer.entityAttribute])
      expect(deleted.answer).toMatchObject({ result: 'OK', message: 'Successfully deleted entity attributes!' })
      expect(deleted.answer.entity.entityAttributes).toEqual([])
    })
  }

  it("tag and content match in the answer of an administrator's content save and of every other save, despite later saves", async () => {
    const { entity, etag } = await opened()
    await described({ entity, etag }, 'Theirs')
    const content = entity.content.replace('"unique":false', '"unique":true')
    const saved = await admin.callWithTag(adminUpdateEntityContent, { body: { id: entity.id, content }, ifMatch: etag })
    expect(saved.answer.entity.description).toBe('Theirs')
    expect({ entity: saved.answer.entity, etag: saved.etag }).toEqual(await get(entity.id))
    await described({ entity: saved.answer.entity, etag: saved.etag }, 'Later')
    const place = { store: server.context.store, organisationId: await organisationId(server) }
    const shown = await entityAnswer(place, entity.id, { hash: saved.etag })
    expect(shown).toEqual({ entity: saved.answer.entity, hash: saved.etag })
  })

  it('tag and content match in the answer to a configuration save, without secrets and during concurrent saves', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Told' } })
    const params = { id: manifest.id }
    const read = async () => {
      const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
      return { configuration: readConfiguration(answer.manifestProperties), etag }
    }
    const connected = (configuration: Configuration, connection: object): Configuration => {
      const { packageProperties } = configuration
      const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...connection }
      return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo } }
    }
    const save = (body: Configuration, ifMatch: string) =>
      designer.callWithTag(saveManifestConfiguration, { params, body, ifMatch })
    const { configuration, etag } = await read()
    await save(connected(configuration, { url: 'theirs', password: 'Tiger-9213' }), etag)
    const { answer, etag: merged } = await save(connected(configuration, { username: 'mine' }), etag)
    expect({ configuration: answer.manifestProperties, etag: merged }).toEqual(await read())
    expect(answer.manifestProperties.packageProperties.connectionPoolInfo).toMatchObject({
      url: 'theirs',
      username: 'mine',
      password: expect.stringMatching(/^\*{8} /),
    })
    const again = await save(answer.manifestProperties, merged)
    expect([again.etag, again.answer.manifestProperties]).toEqual([merged, answer.manifestProperties])
  })

  it('a creation sent twice, in sequence or concurrently, creates one object', async () => {
    const ids = { one: newUid(), two: newUid(), manifest: newUid() }
    const create = async (name: string, saveId: string) =>
      (await designer.call(createEntity, { query: { saveId }, body: { entity: { name } } })).entity.id
    const first = await create('Once', ids.one)
    expect(await create('Once', ids.one)).toBe(first)
    const [one, other] = await Promise.all([create('Twice', ids.two), create('Twice', ids.two)])
    expect(other).toBe(one)
    await expect(create('Once', newUid())).rejects.toMatchObject({ status: 400 })

    const manifest = async (manifestName: string, saveId: string) => {
      const body = { manifestName, exclusiveEntities: ['Inner'] }
      return (await designer.call(createManifest, { query: { saveId }, body })).manifest.id
    }
    const made = await Promise.all([manifest('Store', ids.manifest), manifest('Store', ids.manifest)])
    expect(made).toEqual([made[0], await manifest('Store', ids.manifest)])

    const related = newUid()
    const relate = async () => {
      const body = aRelationship(target, 'aimId')
      const input = { params: { id: first }, query: { saveId: related }, body, ifMatch: '*' }
      return designer.callWithTag(addRelationship, input)
    }
    expect(await relate()).toEqual(await relate())

    const [entityVersion, manifestVersion] = [newUid(), newUid()]
    for (let time = 0; time < 2; time++) {
      const input = { params: { id: first }, query: { version: '2.0.0', saveId: entityVersion } }
      await designer.call(addEntityVersion, input)
      const query = { version: '2.0.0', saveId: manifestVersion }
      await Promise.all([0, 1].map(() => designer.call(addManifestVersion, { params: { id: made[0] ?? 0 }, query })))
    }
    const again = { params: { id: first }, query: { version: '2.0.0', saveId: newUid() } }
    await expect(designer.call(addEntityVersion, again)).rejects.toMatchObject({ status: 400 })
  })

  it('a reused operation id with other content is rejected', async () => {
    const [saveId, made, versions] = [newUid(), newUid(), newUid()]
    const message = 'This operation id was already used for another save. Nothing was stored. Save again.'
    const refused = { status: 409, answer: { code: 'operation_reused', message } }
    const start = await opened()
    const { id } = start.entity
    const save = async ({ entity, etag }: typeof start, description: string): Promise<typeof start> => {
      const body = saveBody(entity, { description })
      const input = { params: { id }, query: { saveId }, body, ifMatch: etag }
      const { answer, etag: next } = await designer.callWithTag(updateEntity, input)
      return { entity: answer.entity, etag: next }
    }
    const saved = await save(start, 'mine')
    await expect(save(start, 'other')).rejects.toMatchObject(refused)
    await expect(save(saved, 'other')).rejects.toMatchObject(refused)
    const asVersion = { params: { id }, query: { version: '2.0.0', saveId } }
    expect(await designer.refusal(addEntityVersion, asVersion)).toMatchObject({ status: 409 })
    expect(await get(id)).toEqual(saved)
    // An identical repeat gets the stored result, whatever its base, because the sender may have read the
    // result since.
    expect(await save(start, 'mine')).toEqual(saved)
    // Percent-encoding of the parameter's name must not matter.
    const path = `${updateEntity.path}?%73aveId=${newUid()}`
    const escaped = async (description: string) => {
      const body = saveBody(saved.entity, { description })
      return (await designer.send({ ...updateEntity, path }, { params: { id }, body, ifMatch: '*' })).status
    }
    expect([await escaped('one'), await escaped('one'), await escaped('two')]).toEqual([200, 200, 409])
    expect((await get(id)).entity.description).toBe('one')

    const version = (number: string) => ({ params: { id }, query: { version: number, saveId: versions } })
    await designer.call(addEntityVersion, version('2.0.0'))
    await designer.call(addEntityVersion, version('2.0.0'))
    expect(await designer.refusal(addEntityVersion, version('3.0.0'))).toMatchObject(refused)

    const create = (name: string) => ({ query: { saveId: made }, body: { entity: { name } } })
    const first = await designer.call(createEntity, create('FirstOfTwo'))
    const second = await designer.refusal(createEntity, create('SecondOfTwo'))
    const madeFirst = { id: first.entity.id, name: 'FirstOfTwo' }
    expect(second).toMatchObject({ ...refused, answer: { ...refused.answer, made: madeFirst } })
    expect((await designer.call(createEntity, create('FirstOfTwo'))).entity.id).toBe(first.entity.id)

    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'OneOfTwo' } })
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const { packageProperties, ...rest } = readConfiguration(answer.manifestProperties)
    const configured = newUid()
    const configure = (password: string) => {
      const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, password }
      const body = { ...rest, packageProperties: { ...packageProperties, connectionPoolInfo } }
      return { params, query: { saveId: configured }, body, ifMatch: etag }
    }
    const mine = await designer.callWithTag(saveManifestConfiguration, configure('Tiger-1'))
    expect(await designer.callWithTag(saveManifestConfiguration, configure('Tiger-1'))).toEqual(mine)
    expect(await designer.refusal(saveManifestConfiguration, configure('Tiger-2'))).toMatchObject(refused)
  })
})
