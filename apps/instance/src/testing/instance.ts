import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
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
  /** Ends it and starts another one on the same data. */
  readonly restart: (env?: Record<string, string>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** An instance in this process on a data directory of its own and a random port. */
export async function startTestInstance(given: Record<string, string> = {}): Promise<TestInstance> {
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
      { now: () => Date.now() + ahead, log: pino({ level: 'debug' }, { write: line => void log.push(line) }) },
    )
  let running = await start({})
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
    fetch: (path, init) => fetch(`http://localhost:${running.context.port}${path}`, init),
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
