import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { startChild } from './children.ts'
import { type ConsoleOptions, type ConsoleServer, startConsole } from './console.ts'
import { freePort, Gone, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

export interface ConsoleWithInstance extends ConsoleServer {
  readonly instance: {
    readonly url: string
    /** What the console shows to manage it. */
    readonly secret: string
    output(): string
    /** Ends it and leaves the console alone, as if its machine went away. */
    stop(): Promise<void>
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PATIENCE = 60_000

/** A console and beside it the local instance, as `npm start` runs them: they know each other by settings and share nothing else. */
export async function startConsoleWithInstance(options: ConsoleOptions = {}): Promise<ConsoleWithInstance> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const secret = randomBytes(32).toString('base64url')
  const server = await startConsole({
    ...options,
    env: {
      ...options.env,
      CADMUS_INSTANCES: `local=${url}`,
      CADMUS_INSTANCE_SECRET_LOCAL: secret,
      CADMUS_ALLOWED_INSTANCES: url,
    },
  })
  const dataDir = temporaryFolder('instance')
  const child = startChild(process.execPath, [join(ROOT, 'apps/instance/src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      CADMUS_INSTANCE_PORT: String(port),
      CADMUS_INSTANCE_DATA_DIR: dataDir,
      CADMUS_INSTANCE_SECRET: secret,
      CADMUS_OIDC_ISSUER: `${server.url}/oidc`,
      CADMUS_LOG_LEVEL: 'info',
    },
  })
  try {
    await waitFor(
      async () => {
        if (child.process.exitCode !== null) throw new Gone(`The instance ended with ${child.process.exitCode}.`)
        const answer = await fetch(`${url}/health`)
        if (!answer.ok) throw new Error(`/health answered ${answer.status}.`)
      },
      PATIENCE,
      20,
    )
  } catch (error) {
    await Promise.all([child.stop('SIGKILL'), server.stop()])
    throw new Error(`The instance did not become ready.\n${child.output()}`, { cause: error })
  }
  const stop = () => child.stop('SIGTERM')
  return {
    ...server,
    instance: { url, secret, output: child.output, stop },
    stop: async () => {
      await Promise.all([stop(), server.stop()])
      removeFolder(dataDir)
    },
  }
}
