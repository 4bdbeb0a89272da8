import { freePort } from '@cadmus/testing/temporary'
import { expect, it } from 'vitest'
import { DatabaseError } from './driver.ts'
import { openDriver } from './open.ts'

it.each(['postgresql', 'mysql', 'mssql', 'oracle'] as const)(
  'a server of %s that is not there is unavailable at once, and again when it is asked again',
  async dialect => {
    const place = { host: '127.0.0.1', port: await freePort(), database: 'shop', username: 'ann', password: 'secret' }
    const driver = await openDriver({ dialect, ...place })
    const began = performance.now()
    for (const work of [() => driver.check(), () => driver.transaction(async () => undefined)]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown)
      expect(error instanceof DatabaseError ? error.kind : error).toBe('unavailable')
    }
    expect(performance.now() - began).toBeLessThan(10_000)
    await driver.close()
  },
)
