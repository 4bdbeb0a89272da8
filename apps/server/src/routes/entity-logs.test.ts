import { afterAll, beforeAll, expect, it } from 'vitest'
import { getEntityLog } from '@cadmus/model/contract/audit'
import { createEntity, deleteEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The entity log', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    for (let index = 0; index < 22; index++) {
      const { entity } = await designer.call(createEntity, { body: { entity: { name: `Logged${index}` } } })
      if (index === 0) await designer.call(deleteEntity, { params: { id: entity.id } })
    }
    await server.bootstrap('ACME').call(createEntity, { body: { entity: { name: 'ByScript' } } })
  })
  afterAll(() => server.stop())

  const logs = (query: Record<string, unknown> = {}) => designer.call(listEntityLogs, { query })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  it('returns entries with their fields, newest first', holds('E7.55', 'M3.84', 'M3.85', 'M3.89'), async () => {
    const { entityLogs, totalElements } = await logs()
    expect(totalElements).toBeGreaterThanOrEqual(24)
    expect(entityLogs[0]).toMatchObject({
      ENTITY_NAME: 'ByScript',
      PATH: 'user-defined/ByScript',
      USER_NAME: 'bootstrap',
      ACTION_TYPE: 'CREATE',
      DESCRIPTION: 'Created entity ByScript.',
      ORIGINAL_CONTENT: null,
    })
    const times = entityLogs.map(entry => entry.LAST_MODIFIED)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const { ID, LAST_MODIFIED } of entityLogs) {
      expect(ID).toBeGreaterThan(0)
      expect(new Date(LAST_MODIFIED).toISOString()).toBe(LAST_MODIFIED)
    }
    expect(new Set(entityLogs.map(({ ID }) => ID)).size).toBe(entityLogs.length)
  })

  it('supports offset and limit', holds('E7.56', 'E7.57'), async () => {
    const all = (await logs({ limit: 100 })).entityLogs
    expect(all.length).toBeGreaterThan(20)
    expect((await logs()).entityLogs).toEqual(all.slice(0, 20))
    expect(await logs({ offset: 0 })).toEqual(await logs())
    expect((await logs({ offset: 1, limit: 5 })).entityLogs).toEqual(all.slice(1, 6))
  })

  it('orders by a field and direction, and rejects unknown fields', holds('E7.58', 'M7.55'), async () => {
    const times = (await logs({ orderBy: 'LAST_MODIFIED asc' })).entityLogs.map(entry => entry.LAST_MODIFIED)
    expect(times).toEqual(times.toSorted())
    const named = (await logs({ orderBy: 'ENTITY_NAME desc', limit: 1, userId: designer.userId })).entityLogs
    expect(named[0]?.ENTITY_NAME).toBe('Logged9')
    for (const orderBy of ['SHOE_SIZE', 'id; drop table audit_entry', 'id sideways', 'constructor'])
      expect((await designer.refusal(listEntityLogs, { query: { orderBy } })).status).toBe(400)
  })

  it('filters by action', holds('E7.59'), async () => {
    const { entityLogs } = await logs({ actionType: 'DELETE' })
    expect(entityLogs[0]).toMatchObject({ ENTITY_NAME: 'Logged0', UPDATED_CONTENT: null })
    expect(entityLogs.every(entry => entry.ACTION_TYPE === 'DELETE')).toBe(true)
  })

  it('filters by user: id, prefix of the name, e-mail', holds('E7.60', 'E7.61', 'E7.62'), async () => {
    const mine = await logs({ userId: designer.userId, limit: 100 })
    expect(mine.totalElements).toBeGreaterThanOrEqual(23)
    expect(mine.entityLogs.map(entry => entry.ENTITY_NAME)).not.toContain('ByScript')
    const { USER_NAME, USER_EMAIL } = mine.entityLogs[0]!
    const beginning = USER_NAME.slice(0, 3).toUpperCase()
    expect((await logs({ userName: beginning })).totalElements).toBe(mine.totalElements)
    expect((await logs({ userName: USER_NAME.slice(1) })).totalElements).toBe(0)
    expect((await logs({ userName: '%' })).totalElements).toBe(0)
    expect((await logs({ userEmail: USER_EMAIL })).totalElements).toBe(mine.totalElements)
    expect((await logs({ userName: 'boot' })).totalElements).toBe(1)
  })

  it('filters by object, including deleted ones', async () => {
    const removed = (await logs({ limit: 100 })).entityLogs.find(entry => entry.ACTION_TYPE === 'DELETE')
    const { target } = await designer.call(getEntityLog, { params: { id: removed?.ID ?? 0 } })
    const { entityLogs, totalElements } = await logs({ target: target.id })
    expect(entityLogs.map(entry => [entry.ENTITY_NAME, entry.ACTION_TYPE])).toEqual([
      ['Logged0', 'DELETE'],
      ['Logged0', 'CREATE'],
    ])
    expect(totalElements).toBe(2)
    expect((await logs({ target: target.id, actionType: 'DELETE', limit: 1 })).entityLogs).toEqual([removed])
    expect((await logs({ target: 999_999_999 })).totalElements).toBe(0)
  })

  it('filters by dates, including the last day', holds('E7.63', 'E7.64'), async () => {
    const { totalElements } = await logs()
    expect((await logs({ startDate: day(1) })).totalElements).toBe(0)
    expect((await logs({ startDate: day(0) })).totalElements).toBe(totalElements)
    expect((await logs({ endDate: day(-1) })).totalElements).toBe(0)
    expect((await logs({ startDate: day(0), endDate: day(0) })).totalElements).toBe(totalElements)
    const instant = new Date(Date.now() + 60_000).toISOString()
    expect((await logs({ endDate: instant })).totalElements).toBe(totalElements)
    for (const startDate of ['yesterday', '2026-13-01', '1'])
      expect((await designer.refusal(listEntityLogs, { query: { startDate } })).status).toBe(400)
  })

  it('shows no entry of another organisation', async () => {
    expect((await server.bootstrap('GLOBEX').call(listEntityLogs, { query: {} })).totalElements).toBe(0)
  })
})
