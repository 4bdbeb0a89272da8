import { apiOf } from '@cadmus/sql/api-of'
import type { Operation } from '@cadmus/model/api/operation'
import { operations } from '@cadmus/model/entity'
import type { DatabaseSettings } from '../drivers/driver.ts'
import type { OpenEngine } from '../engine/engine.ts'
import { OperationError } from '../engine/errors.ts'
import type { Protocol } from '../http/protocols.ts'
import { notFound } from '../http-error.ts'

// For tests: an engine without a database, and a protocol that reports the admitted caller.

export type ProbeEngines = {
  readonly openEngine: OpenEngine
  /** In the order of opening. */
  readonly opened: { version: string; database: DatabaseSettings; closed: boolean }[]
  /** The error of further opens; null: none. */
  failure: Error | null
  /** Awaited by each open. */
  waitsFor: Promise<unknown>
}

export function probeEngines(): ProbeEngines {
  const engines: ProbeEngines = {
    opened: [],
    failure: null,
    waitsFor: Promise.resolve(),
    async openEngine(model, database) {
      await engines.waitsFor
      if (engines.failure !== null) throw engines.failure
      const entry = { version: model.version, database, closed: false }
      engines.opened.push(entry)
      return {
        api: apiOf(model),
        async run(_operation: Operation) {
          if (entry.closed) throw new OperationError({ kind: 'unavailable', message: 'Closed.' })
          return { kind: 'record', record: { version: model.version } }
        },
        write: () => Promise.reject(new Error('Not used by probes.')),
        check: async () => undefined,
        close: async () => void (entry.closed = true),
      }
    },
  }
  return engines
}

/** `GET /probe/<namespace>[/<entity>/<operation>]` returns the admitted caller and the answering version. */
export const probe: Protocol = (app, host) => {
  app.get('/probe/*', answer)
  async function answer(request: Parameters<typeof host.admit>[0]) {
    const [, , namespace = '', entity = '', word = ''] = (request.url.split('?')[0] ?? '').split('/')
    const running = host.byNamespace(namespace)
    if (running === undefined) throw notFound('The package')
    const operation = operations.find(name => name === word)
    const { name, tenant } = await host.admit(request, running, operation === undefined ? 'any' : { entity, operation })
    const pause = Number(/wait=(\d+)/.exec(request.url)?.[1] ?? 0)
    await new Promise(resolve => setTimeout(resolve, pause))
    const result = await running.engine.run({ kind: 'delete', entity, key: [1] }, { name, tenant })
    return { name, tenant, result }
  }
}
