import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody } from '../testing/entities.ts'
import { isHealthy } from '../testing/hostile.ts'

describeOnBothStores('One request does not hold the others', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('a stale save that meets thousands of additions of the same names', { timeout: 60_000 }, async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Contested' } } })
    const { etag } = await designer.callWithTag(getEntity, { params: { id: entity.id } })
    const added = (description: string) =>
      saveBody(entity, {
        typeAttributes: Array.from({ length: 4990 }, (_, index) => ({ name: `column${index}`, description })),
      })
    const send = (description: string) =>
      designer.send(updateEntity, { params: { id: entity.id }, body: added(description), ifMatch: etag })
    expect((await send('first')).status).toBe(200)
    const began = performance.now()
    const refused = await send('second')
    // Over a minute when each name was looked for among all; this bound is for a busy machine.
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(refused.status).toBe(409)
    const { conflicts = [] } = errorAnswer.parse(await refused.json())
    expect(conflicts.filter(({ field }) => field === 'name')).toHaveLength(4990)
    expect(new Set(conflicts.map(({ who }) => who)).size).toBe(1)
    expect(conflicts[0]?.who).not.toBe('')
    expect(await isHealthy(server)).toBe(true)
  })
})
