import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest, listManifestLogs } from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Counts and fields of the manifest log', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    for (let index = 0; index < 22; index++) {
      const { manifest } = await designer.call(createManifest, { body: { manifestName: `Logged${index}` } })
      if (index < 2) await designer.call(deleteManifest, { params: { id: manifest.id } })
    }
    await server.bootstrap('ACME').call(createManifest, { body: { manifestName: 'ByScript' } })
  })
  afterAll(() => server.stop())

  const logs = async (query: Record<string, unknown> = {}) => designer.call(listManifestLogs, { query })
  const everything = async () => (await logs({ limit: 1000 })).manifestLogs
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  it(
    'the manifest log returns manifestLogs and the entity log entityLogs, each with the total of matches',
    holds('M3.90', 'M3.91'),
    async () => {
      await designer.call(createEntity, { body: { entity: { name: 'Alone' } } })
      const manifests: unknown = await (await designer.send(listManifestLogs, { query: { limit: 3 } })).json()
      const entities: unknown = await (await designer.send(listEntityLogs, { query: { limit: 1 } })).json()
      expect(manifests).not.toHaveProperty('entityLogs')
      expect(manifests).toHaveProperty('manifestLogs.length', 3)
      expect(manifests).toHaveProperty('totalElements', (await everything()).length)
      expect(entities).not.toHaveProperty('manifestLogs')
      expect(entities).toMatchObject({ entityLogs: [{ ENTITY_NAME: 'Alone' }] })
      const result = await logs({ actionType: 'DELETE', limit: 1 })
      expect([result.manifestLogs.length, result.totalElements]).toEqual([1, 2])
    },
  )

  it('every entry describes the change in DESCRIPTION', holds('M3.87'), async () => {
    const entries = await everything()
    expect(entries.filter(entry => entry.DESCRIPTION.trim() === '')).toEqual([])
    const of = (action: string) =>
      entries.find(entry => entry.ENTITY_NAME === 'Logged0' && entry.ACTION_TYPE === action)?.DESCRIPTION
    expect(of('CREATE')).toMatch(/^Created .*Logged0/)
    expect(of('DELETE')).toMatch(/^Deleted .*Logged0/)
  })

  it('offset skips entries, limit is 20 by default', holds('M7.53', 'M7.54'), async () => {
    const all = await everything()
    expect(all.length).toBeGreaterThan(21)
    expect((await logs()).manifestLogs).toEqual(all.slice(0, 20))
    expect((await logs({ offset: 0 })).manifestLogs).toEqual(all.slice(0, 20))
    expect((await logs({ offset: 1 })).manifestLogs).toEqual(all.slice(1, 21))
    expect((await logs({ offset: 2, limit: 5 })).manifestLogs).toEqual(all.slice(2, 7))
  })

  it('orderBy accepts any field in both directions and rejects others', holds('M7.55'), async () => {
    const fields = ['ID', 'LAST_MODIFIED', 'USER_NAME', 'USER_EMAIL'] as const
    for (const field of [...fields, 'ACTION_TYPE', 'DESCRIPTION', 'ENTITY_NAME', 'PATH'] as const) {
      const ordered = async (direction: string) =>
        (await logs({ orderBy: `${field} ${direction}`, limit: 1000 })).manifestLogs.map(entry => entry[field])
      const [up, down] = [await ordered('asc'), await ordered('desc')]
      expect([field, down]).toEqual([field, up.toReversed()])
      expect([field, down]).not.toEqual([field, up])
    }
    const names = (await logs({ orderBy: 'ENTITY_NAME', limit: 1000 })).manifestLogs.map(entry => entry.ENTITY_NAME)
    expect(names).toEqual(names.toSorted())
    expect((await designer.refusal(listManifestLogs, { query: { orderBy: 'SHOE_SIZE' } })).status).toBe(400)
  })

  it('actionType selects entries of that action', holds('M7.56'), async () => {
    const all = await everything()
    for (const actionType of ['CREATE', 'UPDATE', 'DELETE'])
      expect((await logs({ actionType, limit: 1000 })).manifestLogs).toEqual(
        all.filter(entry => entry.ACTION_TYPE === actionType),
      )
    expect((await logs({ actionType: 'DELETE' })).manifestLogs.map(entry => entry.ENTITY_NAME)).toEqual([
      'Logged1',
      'Logged0',
    ])
    expect((await designer.send(listManifestLogs, { query: { actionType: 'READ' } })).status).toBe(400)
  })

  it(
    'userId, prefix of userName, and userEmail select entries of that user',
    holds('M7.57', 'M7.58', 'M7.59'),
    async () => {
      const { USER_NAME, USER_EMAIL } = (await logs({ userId: designer.userId, limit: 1 })).manifestLogs[0]!
      const all = await everything()
      const mine = all.filter(entry => entry.USER_NAME === USER_NAME)
      expect(mine.length).toBeGreaterThan(23)
      expect(mine.length).toBeLessThan(all.length)
      const start = USER_NAME.slice(0, 3)
      for (const query of [{ userId: designer.userId }, { userName: start }, { userEmail: USER_EMAIL }])
        expect(await logs({ ...query, limit: 1000 })).toEqual({ manifestLogs: mine, totalElements: mine.length })
      const script = await logs({ userName: 'bootst' })
      expect(script.manifestLogs.map(entry => entry.ENTITY_NAME)).toEqual(['ByScript'])
      for (const query of [{ userId: 'nobody' }, { userName: USER_NAME.slice(1) }, { userEmail: 'nobody@example.com' }])
        expect((await logs(query)).totalElements).toBe(0)
    },
  )

  it('the range from startDate to endDate includes both days', holds('M7.60'), async () => {
    const { length } = await everything()
    const between = async (startDate: string, endDate: string) => (await logs({ startDate, endDate })).totalElements
    expect(await between(day(0), day(0))).toBe(length)
    expect(await between(day(-1), day(1))).toBe(length)
    expect(await between(day(1), day(1))).toBe(0)
    expect(await between(day(-2), day(-1))).toBe(0)
  })
})
