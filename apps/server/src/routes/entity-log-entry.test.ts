import { afterAll, beforeAll, expect, it } from 'vitest'
import { downloadEntityLogs, downloadManifestLogs, getEntityLog, getManifestLog } from '@cadmus/model/contract/audit'
import { createEntity, deleteEntity, listEntityLogs, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  listManifestLogs,
  removeEntityFromManifest,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('A log entry', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const newestOfManifests = async () => {
    const [entry] = (await designer.call(listManifestLogs, { query: { limit: 1 } })).manifestLogs
    return designer.call(getManifestLog, { params: { id: entry?.ID ?? 0 } })
  }
  const newest = async (kind: 'entity' | 'manifest') => {
    if (kind === 'manifest') return newestOfManifests()
    const [entry] = (await designer.call(listEntityLogs, { query: { limit: 1 } })).entityLogs
    return designer.call(getEntityLog, { params: { id: entry?.ID ?? 0 } })
  }
  const create = async (name: string, body: object = {}) =>
    (await designer.call(createEntity, { body: { entity: { name, ...body } } })).entity

  it('lists the changed fields of a save and whether the entity still exists', async () => {
    const entity = await create('Order', { typeAttributes: [{ name: 'code' }, { name: 'old' }] })
    const [id, code] = saveBody(entity).entity.typeAttributes ?? []
    await designer.call(updateEntity, {
      params: { id: entity.id },
      body: {
        entity: {
          name: 'SalesOrder',
          description: 'What was sold.',
          typeAttributes: [{ name: 'id', ...id }, { name: 'code', ...code, maxLength: 12 }, { name: 'placed' }],
        },
      },
      ifMatch: '*',
    })
    const { target, differences, ...rest } = await newest('entity')
    expect(rest).toHaveProperty('entityLog.ENTITY_NAME', 'SalesOrder')
    expect(target).toEqual({ id: entity.id, exists: true })
    expect(differences).toEqual([
      { change: 'renamed', path: '', field: 'name', before: 'Order', after: 'SalesOrder' },
      { change: 'changed', path: '', field: 'description', before: '', after: 'What was sold.' },
      { change: 'removed', path: 'typeAttributes.old', field: '', before: 'string', after: null },
      { change: 'changed', path: 'typeAttributes.code', field: 'maxLength', before: null, after: 12 },
      { change: 'added', path: 'typeAttributes.placed', field: '', before: null, after: 'string' },
    ])
  })

  it('the log entry of a creation or deletion lists all parts', async () => {
    const target = await create('Country')
    const entity = await create('City', {
      description: 'A place.',
      entityAttributes: [aRelationship(target, 'countryId')],
    })
    const made = await newest('entity')
    expect(made.differences).toContainEqual({ change: 'renamed', path: '', field: 'name', before: '', after: 'City' })
    expect(made.differences).toContainEqual({
      change: 'added',
      path: 'entityAttributes.countryId',
      field: '',
      before: null,
      after: 'Country.id',
    })
    await designer.call(deleteEntity, { params: { id: entity.id } })
    const deleted = await newest('entity')
    expect(deleted.target).toEqual({ id: entity.id, exists: false })
    expect(deleted.differences).toContainEqual({
      change: 'removed',
      path: 'entityAttributes.countryId',
      field: '',
      before: 'Country.id',
      after: null,
    })
  })

  it('the log entry of an added or removed attribute lists all properties', async () => {
    const status = { name: 'status', choices: ['open', 'shut'], defaultValue: 'open', unique: true }
    const { id } = await create('Ticket', { typeAttributes: [status] })
    const path = 'typeAttributes.status'
    const fields = (side: 'before' | 'after') => {
      const other = side === 'after' ? 'before' : 'after'
      return [
        ['choices', ['open', 'shut']],
        ['defaultValue', 'open'],
        ['unique', true],
      ].map(([field, value]) => ({ change: 'changed', path, field, [side]: value, [other]: null }))
    }
    const made = (await newest('entity')).differences.filter(one => one.path === path)
    expect(made).toEqual(
      expect.arrayContaining([{ change: 'added', path, field: '', before: null, after: 'string' }, ...fields('after')]),
    )
    await designer.call(deleteEntity, { params: { id } })
    const removed = (await newest('entity')).differences.filter(one => one.path === path)
    expect(removed).toEqual(
      expect.arrayContaining([
        { change: 'removed', path, field: '', before: 'string', after: null },
        ...fields('before'),
      ]),
    )
  })

  it('the log entry of a manifest lists its members, including deleted ones', async () => {
    const free = await create('Loose')
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Listing' } })
    await server.bootstrap('ACME').call(addEntitiesToManifest, {
      params: { id: manifest.id },
      body: { entityIds: [free.id], type: 'TEMPLATE' },
    })
    const path = 'entities.user-defined/Loose'
    expect((await newest('manifest')).differences).toEqual([
      { change: 'added', path, field: '', before: null, after: 'TEMPLATE' },
    ])
    await designer.call(removeEntityFromManifest, { params: { id: manifest.id, entityId: free.id } })
    await designer.call(deleteEntity, { params: { id: free.id } })
    expect((await newest('manifest')).differences).toEqual([
      { change: 'removed', path, field: '', before: 'TEMPLATE', after: null },
    ])
    await designer.call(updateManifest, { params: { id: manifest.id }, body: { manifestName: 'Listed' }, ifMatch: '*' })
    expect((await newest('manifest')).differences).toEqual([
      { change: 'changed', path: '', field: 'name', before: 'Listing', after: 'Listed' },
    ])
  })

  it('the log entry of a configuration lists its fields without passwords', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Configured' } })
    const pool = { username: 'app', password: 'Hunter2-secret' }
    const body = {
      configurationBuild: { sqlConfiguration: { applyCoalesce: true } },
      packageProperties: { connectionPoolInfo: pool },
    }
    await designer.call(saveManifestConfiguration, { params: { id: manifest.id }, body, ifMatch: '*' })
    const { differences, manifestLog } = await newestOfManifests()
    expect(manifestLog.CONTENT_KIND).toBe('configuration')
    const path = 'configurationBuild.sqlConfiguration'
    expect(differences).toContainEqual({ change: 'changed', path, field: 'applyCoalesce', before: false, after: true })
    expect(manifestLog.DESCRIPTION).toBe(
      'Changed the configuration of manifest Configured. The connection password was changed.',
    )
    expect(JSON.stringify([differences, manifestLog])).not.toContain('Hunter2')
  })

  it('a log entry with large contents is made in a worker without loss', async () => {
    const typeAttributes = Array.from({ length: 1500 }, (_none, index) => ({ name: `column${index}` }))
    await create('Wide', { typeAttributes })
    const { differences } = await newest('entity')
    expect(
      differences.filter(({ change, path }) => change === 'added' && path.startsWith('typeAttributes.column')),
    ).toHaveLength(1500)
  })

  it('a log entry of another kind, unknown or of another organisation is 404', async () => {
    const { manifestLog } = await newestOfManifests()
    for (const id of [manifestLog.ID, 987_654_321])
      expect((await designer.refusal(getEntityLog, { params: { id } })).status).toBe(404)
    expect((await server.bootstrap('GLOBEX').refusal(getManifestLog, { params: { id: manifestLog.ID } })).status).toBe(
      404,
    )
  })

  it('appears in the filtered CSV, newest first, and cannot be a formula', async () => {
    await create('Formula')
    const csv = async (query: object) => {
      const answer = await designer.send(downloadEntityLogs, { query })
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.get('content-disposition')).toContain('entity-logs.csv')
      return (await answer.text()).trimEnd().split('\r\n')
    }
    const [head, first] = await csv({})
    expect(head).toBe('"Timestamp","User","E-mail","Action","Name","Path","Version","Details"')
    expect(first).toMatch(
      /^"\d{4}-\d\d-\d\dT[\d:.]+Z","[^"]+","[^"]+","CREATE","Formula","user-defined\/Formula","1.0.0",/,
    )
    const { totalElements } = await designer.call(listEntityLogs, { query: { limit: 1, actionType: 'DELETE' } })
    expect(await csv({ actionType: 'DELETE' })).toHaveLength(totalElements + 1)
    expect(await csv({ userName: 'nobody' })).toHaveLength(1)
    expect((await designer.refusal(downloadManifestLogs, { query: { startDate: 'soon' } })).status).toBe(400)
    expect((await designer.refusal(downloadManifestLogs, { query: { startDate: '2026-02-31' } })).status).toBe(400)
  })
})
