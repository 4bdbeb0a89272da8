import { schemaStep } from '@cadmus/model/schema-step'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { pino } from 'pino'
import * as z from 'zod'
import { readConfig } from '../config.ts'
import type { Context, ContextOptions } from '../context.ts'
import type { Protocol } from '../http/protocols.ts'
import { startInstance } from '../start.ts'

export const consoleSecret = 'secret-of-the-console-in-tests-0123456789'

/** Advancing the clock by these milliseconds retries a failed start within a second. */
export const pastRetry = 10_000

export type TestInstance = {
  readonly url: string
  readonly context: Context
  readonly dataDir: string
  /** All log lines, as JSON. */
  readonly log: readonly string[]
  readonly advance: (milliseconds: number) => void
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** A management call with the console's secret; bodies other than forms are sent as JSON. */
  readonly manage: (method: string, path: string, body?: unknown) => Promise<Response>
  readonly upload: (zip: Uint8Array, query?: string) => Promise<Response>
  /** Requests the warnings that an upload would cause. */
  readonly preview: (zip: Uint8Array, query?: string) => Promise<Response>
  /** Waits until the package is not loading, starting or stopping. */
  readonly settled: (name: string) => Promise<SettledPackage>
  /** Restarts the instance on the same data. */
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
  /** Timeout of a stalled body, in milliseconds. */
  stalled?: number
}

/** Starts an instance in this process with its own data directory and a random port. */
export async function startTestInstance({ env: baseEnv = {}, ...options }: TestOptions = {}): Promise<TestInstance> {
  const dataDir = temporaryFolder('instance')
  const log: string[] = []
  let offset = 0
  const start = (env: Record<string, string>) =>
    startInstance(
      readConfig({
        CADMUS_INSTANCE_PORT: '0',
        CADMUS_INSTANCE_DATA_DIR: dataDir,
        CADMUS_INSTANCE_SECRET: consoleSecret,
        ...baseEnv,
        ...env,
      }),
      {
        now: () => Date.now() + offset,
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
    advance: milliseconds => void (offset += milliseconds),
    fetch: call,
    manage,
    upload: (zip, query = 'stateOnCreate=STARTED&replaceExisting=true') =>
      manage('POST', `/esbapi/packages/upload?${query}`, formOf(zip)),
    preview: (zip, query = '') => manage('POST', `/esbapi/packages/preview?${query}`, formOf(zip)),
    settled: name =>
      waitFor(
        async () => {
          const answer = await manage('GET', `/esbapi/packages/${name}`)
          const state = settledPackage.parse(await answer.json())
          if (state.status.endsWith('ING')) throw new Error(`${name} is ${state.status}.`)
          return state
        },
        20_000,
        // Below the rate limit of the management calls.
        50,
      ),
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

function formOf(zip: Uint8Array): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
  return form
}
