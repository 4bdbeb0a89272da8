import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import { postgresAvailability } from '@cadmus/testing/availability'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockManifestNames } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describe.skipIf(!postgresAvailability().present)('Connections (PostgreSQL)', () => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store: 'postgres' })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('requests that wait for one organisation block neither its reads nor other organisations', async () => {
    const other = server.bootstrap('GLOBEX')
    const quiet = (await other.call(createEntity, { body: { entity: { name: 'Quiet' } } })).entity
    const own = (await designer.call(createEntity, { body: { entity: { name: 'Own' } } })).entity
    const id = await organisationId(server)
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = server.context.store
      .of(id)
      .transaction()
      .execute(async tx => {
        await lockManifestNames(tx, id)
        locked.resolve()
        await released.promise
      })
    await locked.promise
    const writers = Array.from({ length: 30 }, (_, index) =>
      designer.send(createEntity, { body: { entity: { name: `Waits${index}` } } }),
    )
    try {
      // Time for each request to take a connection; none of them ends before the lock is released.
      await wait(500)
      expect((await other.call(getEntity, { params: { id: quiet.id } })).entity.name).toBe('Quiet')
      expect((await designer.call(getEntity, { params: { id: own.id } })).entity.name).toBe('Own')
      const made = await other.call(createEntity, { body: { entity: { name: 'Prompt' } } })
      expect(made.entity.name).toBe('Prompt')
    } finally {
      released.resolve()
      await holding
    }
    const answers = await Promise.all(writers)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
