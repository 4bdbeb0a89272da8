import { addEntityVersion, getEntityVersionContent, listEntityVersions } from '@cadmus/model/contract/entity-version'
import { createEntity, listEntityLogs, updateEntity } from '@cadmus/model/contract/entity'
import { limits } from '@cadmus/model/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship } from '../testing/entities.ts'
import { isHealthy } from '../testing/hostile.ts'

describeOnBothStores('What is allowed but large', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (entity: { name: string } & Record<string, unknown>) =>
    (await designer.call(createEntity, { body: { entity } })).entity

  it(
    'lists of versions and of audit entries answer as much as fits, the newest first, and the rest one by one',
    {
      timeout: 120_000,
    },
    async () => {
      const typeAttributes = Array.from({ length: 230 }, (_, index) => ({
        name: `attribute${index}`,
        description: 'x'.repeat(19_900),
      }))
      const { id } = await create({ name: 'Heavy', typeAttributes })
      const last = 9
      for (let version = 2; version <= last; version++) {
        await designer.call(addEntityVersion, { params: { id }, query: { version: `${version}.0.0` } })
        const entity = { name: 'Heavy', description: `version ${version}`, typeAttributes }
        await designer.call(updateEntity, { params: { id }, body: { entity }, ifMatch: '*' })
      }
      const { entityVersions } = await designer.call(listEntityVersions, { params: { id } })
      expect(entityVersions.map(item => item.VERSION)).toEqual(
        Array.from({ length: last }, (_, index) => `${last - index}.0.0`),
      )
      expect(entityVersions[0]?.CONTENT).toContain(`"version ${last}"`)
      expect(entityVersions.at(-1)).toMatchObject({ NAME: 'Heavy', DESCRIPTION: '', CONTENT: '' })
      expect(JSON.stringify(entityVersions).length).toBeLessThan(limits.listedContents * 1.5)
      const oldest = await designer.call(getEntityVersionContent, { params: { id }, query: { version: '1.0.0' } })
      expect(oldest.entity.CONTENT).toContain('"attribute229"')

      const whole = await designer.send(listEntityLogs, { query: { limit: 1000 } })
      const text = await whole.text()
      expect(text.length).toBeLessThan(limits.listedContents * 1.5)
      const { entityLogs } = listEntityLogs.answer.parse(JSON.parse(text))
      const ours = entityLogs.filter(entry => entry.ENTITY_NAME === 'Heavy')
      expect(ours).toHaveLength(1 + 2 * (last - 1))
      expect(ours[0]?.UPDATED_CONTENT).toContain(`"version ${last}"`)
      expect(ours.at(-1)?.UPDATED_CONTENT).toBeNull()
      const offset = entityLogs.findIndex(entry => entry.ID === ours.at(-1)?.ID)
      const alone = await designer.call(listEntityLogs, { query: { offset, limit: 1 } })
      expect(alone.entityLogs[0]?.UPDATED_CONTENT).toContain('"attribute229"')
      server.advance(10_000)
    },
  )

  it(
    'thousands of relationships to one entity of thousands of attributes do not hold up the others',
    {
      timeout: 120_000,
    },
    async () => {
      const typeAttributes = Array.from({ length: 4900 }, (_, index) => ({ name: `wide${index}` }))
      const target = await create({ name: 'Wide', typeAttributes })
      const entityAttributes = Array.from({ length: 3000 }, (_, index) => aRelationship(target, `wide${index}Id`))
      const began = performance.now()
      const { entityAttributes: made } = await create({ name: 'Related', entityAttributes })
      expect(made).toHaveLength(3000)
      // Half a second on a calm machine; quadratic, as it was, it takes minutes on a busy one.
      expect(performance.now() - began).toBeLessThan(20_000)
      expect(await isHealthy(server)).toBe(true)
    },
  )
})
