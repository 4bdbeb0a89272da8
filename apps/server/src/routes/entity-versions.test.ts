import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  createEntity,
  deleteEntityVersion,
  getEntity,
  getEntityVersionContent,
  listEntityVersions,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('Entity versions', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (name: string) => (await designer.call(createEntity, { body: { entity: { name } } })).entity
  const get = async (id: number, version?: string) =>
    (await designer.call(getEntity, { params: { id }, query: { version } })).entity
  const add = (id: number, version: string) => designer.call(addEntityVersion, { params: { id }, query: { version } })
  const list = async (id: number) => (await designer.call(listEntityVersions, { params: { id } })).entityVersions
  const save = async (id: number, changes: Parameters<typeof saveBody>[1]) =>
    designer.call(updateEntity, { params: { id }, body: saveBody(await get(id), changes), ifMatch: '*' })
  /** A call by its documented address, as a script makes it. */
  const ask = (address: string, method = 'GET') =>
    designer.browser.fetch(`/1.0/cdm/entity${address}`, { method, headers: { 'X-Organisation-Code': 'ACME' } })

  it(
    'entity versions are frozen from the current state, and the new number becomes the latest',
    holds('E7.50', 'E7.51', 'E8.16', 'E3.18', 'E3.20'),
    async () => {
      const entity = await create('Frozen')
      expect(await add(entity.id, '1.1.0')).toEqual({ result: 'OK', message: 'Successfully created entity version.' })
      const latest = await get(entity.id)
      expect(latest).toMatchObject({ latestVersion: '1.1.0', currentVersion: '1.1.0', versions: ['1.1.0', '1.0.0'] })
      const body = saveBody(latest, { description: 'only in the latest', name: 'FrozenLater' })
      await designer.call(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
      expect(await get(entity.id, '1.0.0')).toMatchObject({
        name: 'Frozen',
        description: '',
        currentVersion: '1.0.0',
        latestVersion: '1.1.0',
      })
      expect(
        (await designer.refusal(getEntity, { params: { id: entity.id }, query: { version: '7.0.0' } })).status,
      ).toBe(404)
    },
  )

  it(
    'entity versions are listed highest first, by number and not by text',
    holds('E7.53', 'E3.66', 'E3.67', 'E3.68', 'E3.69'),
    async () => {
      const { id } = await create('Ranked')
      for (const version of ['1.2.0', '1.10.0-beta', '1.10.0']) await add(id, version)
      await save(id, { name: 'RankedNow', description: 'As it is.' })
      const versions = await list(id)
      const numbers = ['1.10.0', '1.10.0-beta', '1.2.0', '1.0.0']
      expect(versions.map(item => item.VERSION)).toEqual(numbers)
      expect(versions.map(item => item.NAME)).toEqual(['RankedNow', 'Ranked', 'Ranked', 'Ranked'])
      expect(versions.map(item => item.DESCRIPTION)).toEqual(['As it is.', '', '', ''])
      const answer = await ask(`/custom/${id}/version`)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ entityVersions: numbers.map(VERSION => ({ VERSION })) })
      expect(versions[3]).toMatchObject({ NAME: 'Ranked', DESCRIPTION: '' })
      expect(JSON.parse(versions[3]?.CONTENT ?? '')).toMatchObject({ name: 'Ranked', description: '' })
    },
  )

  it('return their content', holds('E7.52'), async () => {
    const { id } = await create('Contents')
    await add(id, '2.0.0')
    await save(id, { description: 'Later.' })
    for (const [version, description] of [
      ['1.0.0', ''],
      ['2.0.0', 'Later.'],
    ] as const) {
      const answer = await ask(`/version/content/${id}?version=${version}`)
      expect(answer.status).toBe(200)
      const { entity } = getEntityVersionContent.answer.parse(await answer.json())
      expect(JSON.parse(entity.CONTENT)).toMatchObject({ name: 'Contents', description })
    }
    const unknown = { params: { id }, query: { version: '3.0.0' } }
    expect((await designer.refusal(getEntityVersionContent, unknown)).status).toBe(404)
  })

  it('entity versions are deleted only by their exact number', async () => {
    const { id } = await create('Built')
    await add(id, '2.0.0')
    const unknown = { params: { id }, query: { version: '1.0.0+7' } }
    expect((await designer.refusal(deleteEntityVersion, unknown)).status).toBe(404)
    expect((await get(id)).versions).toEqual(['2.0.0', '1.0.0'])
  })

  it('decisions §2 rejects an invalid, existing or lower version', async () => {
    const { id } = await create('Refusing')
    await add(id, '1.5.0')
    for (const [version, message] of [
      ['1.5', 'Invalid version pattern.'],
      ['latest', 'Invalid version pattern.'],
      ["1.0.0'; drop table entity", 'Invalid version pattern.'],
      ['1.5.0', 'Version 1.5.0 already exists.'],
      ['1.0.0', 'Version 1.0.0 already exists.'],
      ['1.4.9', 'Version 1.4.9 must be higher than 1.5.0.'],
    ] as const) {
      const refusal = await designer.refusal(addEntityVersion, { params: { id }, query: { version } })
      expect(refusal).toMatchObject({ status: 400, answer: { message, errors: [{ path: 'version', message }] } })
    }
    expect((await list(id)).map(item => item.VERSION)).toEqual(['1.5.0', '1.0.0'])
  })

  it('entity versions can be deleted except for the latest and the only one', holds('E7.54'), async () => {
    const { id } = await create('Deleting')
    const remove = (version: string) => ({ params: { id }, query: { version } })
    expect((await designer.refusal(deleteEntityVersion, remove('1.0.0'))).answer.message).toBe(messages.versionLatest)
    await add(id, '1.0.1')
    expect((await designer.refusal(deleteEntityVersion, remove('1.0.1'))).answer.message).toBe(messages.versionLatest)
    expect((await ask(`/custom/${id}/version?version=1.0.0`, 'DELETE')).status).toBe(200)
    expect((await list(id)).map(item => item.VERSION)).toEqual(['1.0.1'])
    expect((await designer.refusal(deleteEntityVersion, remove('1.0.0'))).status).toBe(404)
  })

  it('entity versions do not exist for predefined entities', holds('E4.11', 'E6.7'), async () => {
    const id = await addPredefined(server, { name: 'TestFixed' })
    const refusal = await designer.refusal(addEntityVersion, { params: { id }, query: { version: '1.1.0' } })
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.default } })
    expect((await list(id)).map(item => item.VERSION)).toEqual(['1.0.0'])
  })

  it('entity versions are created once by many concurrent requests', async () => {
    const { id } = await create('Racing')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => designer.send(addEntityVersion, { params: { id }, query: { version: '1.1.0' } })),
    )
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await list(id)).toHaveLength(2)
  })
})
