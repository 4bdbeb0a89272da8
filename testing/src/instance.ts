import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './children.ts'
import { freePort, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

export interface InstanceServer {
  readonly url: string
  readonly pid: number
  /** Settings of a console that hosts the instance. */
  readonly hosted: Readonly<Record<string, string>>
  /** A management call; not repeated and without a timeout of its own. */
  manage(method: string, path: string, body?: unknown): Promise<Response>
  /** The log output so far (the last 64 kB); by default warnings and errors. */
  log(): string
  /** Uploads and starts packages, and waits until the named one runs. */
  upload(zip: Uint8Array, name: string): Promise<void>
  stop(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const instanceSecret = 'the-secret-of-an-instance-in-tests-0123456789'
const TIMEOUT = 60_000

/**
 * Starts an instance, by default on a data directory of its own, and waits until it responds. `settings`: in addition
 * to the defaults; `program`: an alternative to the sources.
 */
export async function startInstance(
  settings: Readonly<Record<string, string>> = {},
  program = 'apps/instance/src/main.ts',
): Promise<InstanceServer> {
  const dataDir = temporaryFolder('instance')
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/cadmus-compiled'),
    CADMUS_INSTANCE_PORT: String(port),
    CADMUS_INSTANCE_DATA_DIR: dataDir,
    CADMUS_INSTANCE_SECRET: instanceSecret,
    CADMUS_LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = startChild(process.execPath, [join(ROOT, program)], { cwd: ROOT, env })
  const url = `http://localhost:${port}`
  const call = (method: string, path: string, body?: FormData | string) => {
    const headers: Record<string, string> = { authorization: `Bearer ${instanceSecret}` }
    if (typeof body === 'string') headers['content-type'] = 'application/json'
    return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  }
  await waitFor(() => fetch(`${url}/health`), TIMEOUT, 20)
  return {
    url,
    pid: child.pid,
    hosted: {
      CADMUS_INSTANCES: `local=${url}`,
      CADMUS_INSTANCE_SECRET_LOCAL: instanceSecret,
      CADMUS_ALLOWED_INSTANCES: url,
    },
    manage: (method, path, body) => call(method, path, body === undefined ? undefined : JSON.stringify(body)),
    log: child.output,
    async upload(zip, name) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(zip)]), 'packages.zip')
      await call('POST', '/esbapi/packages/upload?stateOnCreate=STARTED&replaceExisting=true', form)
      await waitFor(() => expectStarted(call('GET', `/esbapi/packages/${name}`)), TIMEOUT, 50)
    },
    async stop() {
      await child.stop('SIGTERM')
      removeFolder(dataDir)
    },
  }
}

async function expectStarted(answer: Promise<Response>): Promise<void> {
  const text = await (await answer).text()
  if (!text.includes('"status":"STARTED"')) throw new Error(`The package does not run: ${text}`)
}
