import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { processorTime } from '@cadmus/testing/processor-time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../apps/server/src/testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../apps/server/src/testing/console.ts'
import { aRelationship, saveBody } from '../apps/server/src/testing/entities.ts'
import { isHealthy, measureSlowest } from '../apps/server/src/testing/rejections.ts'

describeOnBothStores.whenProving('response times of other requests', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  let bystanders = 0
  /** A small entity of another user. */
  async function bystander() {
    const other = server.bootstrap('ACME')
    const { entity } = await designer.call(createEntity, { body: { entity: { name: `Small${bystanders++}` } } })
    return { other, entityId: entity.id }
  }

  const columns = (count: number, start: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `${start}${index}`, description: 'what it is for' }))

  it('response times are short while many clients read a long inheritance chain with many attributes', async () => {
    const quiet = await bystander()
    let id = -1
    for (let depth = 0; depth < 6; depth++) {
      const { entity } = await designer.call(createEntity, {
        body: {
          entity: {
            name: `Link${depth}`,
            typeAttributes: columns(1500, `c${depth}x`),
            extendsEntity: id > 0 ? { id } : null,
          },
        },
      })
      id = entity.id
    }
    const texts: string[] = []
    const { slowest } = await measureSlowest(server, quiet, async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => designer.send(getEntity, { params: { id } })))
      for (const answer of answers) texts.push(await answer.text())
    })
    expect(slowest).toBeLessThan(2000)
    expect(new Set(texts).size).toBe(1)
    // All share the key of the first entity.
    const { entity } = getEntity.answer.parse(JSON.parse(texts[0] ?? ''))
    expect(entity.resolvedAttributes).toHaveLength(6 * 1500 + 1)
  })

  it('response times are short during several saves of maximum size', async () => {
    const quiet = await bystander()
    const create = (index: number) =>
      designer.send(createEntity, {
        body: { entity: { name: `Large${index}`, typeAttributes: columns(4990, `c${index}x`) } },
      })
    const statuses: number[] = []
    const { slowest } = await measureSlowest(server, quiet, async () => {
      for (const answer of await Promise.all([0, 1, 2].map(create))) {
        statuses.push(answer.status)
        await answer.arrayBuffer()
      }
    })
    expect(statuses).toEqual([200, 200, 200])
    expect(slowest).toBeLessThan(4000)
  })

  it('response times are short during a stale save that conflicts with thousands of added names', async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Contested' } } })
    const { etag } = await designer.callWithTag(getEntity, { params: { id: entity.id } })
    const added = (description: string) =>
      saveBody(entity, {
        typeAttributes: Array.from({ length: 4990 }, (_, index) => ({ name: `column${index}`, description })),
      })
    const send = (description: string) =>
      designer.send(updateEntity, { params: { id: entity.id }, body: added(description), ifMatch: etag })
    expect((await send('first')).status).toBe(200)
    const began = processorTime()
    const refused = await send('second')
    // A nested search would take over a minute.
    expect(processorTime() - began).toBeLessThan(10_000)
    expect(refused.status).toBe(409)
    const { conflicts = [] } = errorAnswer.parse(await refused.json())
    expect(conflicts.filter(({ field }) => field === 'name')).toHaveLength(4990)
    expect(new Set(conflicts.map(({ who }) => who)).size).toBe(1)
    expect(conflicts[0]?.who).not.toBe('')
    expect(await isHealthy(server)).toBe(true)
  })

  it('response times are short while thousands of relationships to one large entity are saved', async () => {
    const create = async (entity: { name: string } & Record<string, unknown>) =>
      (await designer.call(createEntity, { body: { entity } })).entity
    const target = await create({ name: 'Wide', typeAttributes: columns(4900, 'wide') })
    const entityAttributes = Array.from({ length: 3000 }, (_, index) => aRelationship(target, `wide${index}Id`))
    const began = processorTime()
    const { entityAttributes: made } = await create({ name: 'Related', entityAttributes })
    expect(made).toHaveLength(3000)
    // A linear algorithm takes half a second, a quadratic one minutes.
    expect(processorTime() - began).toBeLessThan(10_000)
    expect(await isHealthy(server)).toBe(true)
  })

  it('response times are short while a content with 150,000 invalid attributes is refused', async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Odd' } } })
    const typeAttributes = Array.from({ length: 150_000 }, () => ({}))
    const body = { id: entity.id, content: JSON.stringify({ ...JSON.parse(entity.content), typeAttributes }) }
    const began = processorTime()
    const refused = await server.bootstrap('ACME').refusal(adminUpdateEntityContent, { body, ifMatch: '*' })
    expect(refused.answer.message).toBe('Invalid entity json content')
    // Reading item by item would take twenty seconds.
    expect(processorTime() - began).toBeLessThan(5000)
  })
})
