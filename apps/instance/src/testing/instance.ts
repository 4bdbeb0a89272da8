import { schemaStep } from '@cadmus/model/schema-step'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { pino } from 'pino'
import * as z from 'zod'
import { readConfig } from '../config.ts'
import type { Context, ContextOptions } from '../context.ts'
import type { Protocol } from '../http/protocols.ts'
import { startInstance } from '../start.ts'

export const consoleSecret = 'secret-of-the-console-in-tests-0123456789'

export type TestInstance = {
  readonly url: string
  readonly context: Context
  readonly dataDir: string
  /** Everything that was logged, one JSON text a line. */
  readonly log: readonly string[]
  readonly advance: (milliseconds: number) => void
  /** A call to a path of this instance. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** A call of the console's to its management: a body that is no form goes as JSON. */
  readonly manage: (method: string, path: string, body?: unknown) => Promise<Response>
  /** Uploads a zip and answers what was answered. */
  readonly upload: (zip: Uint8Array, query?: string) => Promise<Response>
  /** The package once it is none of what passes: loading, starting, stopping. */
  readonly settled: (name: string) => Promise<SettledPackage>
  /** Ends it and starts another one on the same data. */
  readonly restart: (env?: Record<string, string>) => Promise<void>
  readonly stop: () => Promise<void>
}

const settledPackage = z.object({
  status: z.string(),
  version: z.string(),
  reason: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  runningVersion: z.string().nullable(),
  steps: z.array(schemaStep).optional(),
  stepCount: z.number().optional(),
  lossDigest: z.string().optional(),
})
export type SettledPackage = z.output<typeof settledPackage>

export type TestOptions = {
  env?: Record<string, string>
  openEngine?: NonNullable<ContextOptions['openEngine']>
  protocols?: readonly Protocol[]
  /** Milliseconds that a sender may stop in the middle of a body. */
  stalled?: number
}

/** An instance in this process on a data directory of its own and a random port. */
export async function startTestInstance({ env: given = {}, ...options }: TestOptions = {}): Promise<TestInstance> {
  const dataDir = temporaryFolder('instance')
  const log: string[] = []
  let ahead = 0
  const start = (env: Record<string, string>) =>
    startInstance(
      readConfig({
        CADMUS_INSTANCE_PORT: '0',
        CADMUS_INSTANCE_DATA_DIR: dataDir,
        CADMUS_INSTANCE_SECRET: consoleSecret,
        ...given,
        ...env,
      }),
      {
        now: () => Date.now() + ahead,
        log: pino({ level: 'debug' }, { write: line => void log.push(line) }),
        ...options,
      },
    )
  let running = await start({})
  const call = (path: string, init?: RequestInit) => fetch(`http://localhost:${running.context.port}${path}`, init)
  const manage = (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData
    const type: Record<string, string> = isForm || body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
    return call(path, { method, headers: { authorization: `Bearer ${consoleSecret}`, ...type }, ...sent })
  }
  return {
    get url() {
      return running.context.publicUrl.origin
    },
    get context() {
      return running.context
    },
    dataDir,
    log,
    advance: milliseconds => void (ahead += milliseconds),
    fetch: call,
    manage,
    upload(zip, query = 'stateOnCreate=STARTED&replaceExisting=true') {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
      return manage('POST', `/esbapi/packages/upload?${query}`, form)
    },
    settled: name =>
      waitFor(async () => {
        const answer = await manage('GET', `/esbapi/packages/${name}`)
        const found = settledPackage.parse(await answer.json())
        if (found.status.endsWith('ING')) throw new Error(`${name} is ${found.status}.`)
        return found
      }, 20_000),
    async restart(env = {}) {
      await running.close()
      running = await start(env)
    },
    async stop() {
      await running.close()
      removeFolder(dataDir)
    },
  }
}
