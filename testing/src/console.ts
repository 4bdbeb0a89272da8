import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, compileCache, startChild } from './children.ts'
import { sharedConsoleHost } from './console-host.ts'
import { copyPreparedData, usesDefaultContent } from './prepared.ts'
import { freePort, Gone, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

export interface ConsoleServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** The log output so far. */
  output(): string
  /** Stops the server like Ctrl-C and removes the data directory unless it was given by the caller. */
  stop(): Promise<void>
  /** Advances the clock of a hosted console. */
  advance(milliseconds: number): Promise<void>
  /** Ends the server like kill -9: nothing is flushed or closed. The data directory remains. */
  kill(): Promise<void>
}

export interface ConsoleOptions {
  /** Settings in addition to the defaults (a free port, a temporary data directory, few log lines). */
  readonly env?: Readonly<Record<string, string>>
  /** A data directory that outlives the server, to start another one on it. */
  readonly dataDir?: string
  readonly port?: number
  /** A replacement for the console's program: the control of a proof. */
  readonly program?: string
  /** Starts on an empty store, for tests of the start itself. */
  readonly fresh?: boolean
  /** Runs in one process with the other hosted consoles, which starts much faster. `kill` ends them all. */
  readonly hosted?: boolean
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAIN = join(ROOT, 'apps/server/src/main.ts')
/** No test depends on the speed of the machine, so the timeout only ends a hanging start. */
const TIMEOUT = 600_000

/** Starts the console's server like `npm start`, without building the web app, and waits until it is ready. */
export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleServer> {
  const dataDir = options.dataDir ?? temporaryFolder('console')
  if (hasDefaultContent(options) && readdirSync(dataDir).length === 0) await copyPreparedData(dataDir)
  const port = options.port ?? (await freePort())
  const base = { ...cleanEnvironment(), ...compileCache }
  const settings = {
    CADMUS_LOG_LEVEL: 'warn',
    ...options.env,
    CADMUS_PORT: String(port),
    CADMUS_DATA_DIR: dataDir,
  }
  const running =
    options.hosted === true
      ? await startHosted(port, base, settings)
      : await startAlone(options.program, port, base, settings)
  const { child, stop, advance } = running
  return {
    url: urlOf(port),
    port,
    pid: child.pid,
    dataDir,
    output: child.output,
    stop: async () => {
      await stop()
      if (options.dataDir === undefined) removeFolder(dataDir)
    },
    advance,
    kill: () => child.stop('SIGKILL'),
  }
}

type RunningConsole = Pick<ConsoleServer, 'stop' | 'advance'> & { readonly child: Child }
type Settings = Readonly<Record<string, string>>

async function startHosted(port: number, base: Settings, settings: Settings): Promise<RunningConsole> {
  const host = await sharedConsoleHost(base)
  await host.start(port, settings)
  return {
    child: host.child,
    stop: () => host.stop(port),
    advance: milliseconds => host.advance(port, milliseconds),
  }
}

async function startAlone(program = MAIN, port: number, base: Settings, settings: Settings): Promise<RunningConsole> {
  if (!existsSync(program)) throw new Error(`There is no ${program}.`)
  const child = startChild(process.execPath, [program], { cwd: ROOT, env: { ...base, ...settings } })
  try {
    await waitFor(() => isReady(urlOf(port), child), TIMEOUT, 20)
  } catch (error) {
    await child.stop('SIGKILL')
    throw new Error(`The console did not become ready.\n${child.output()}`, { cause: error })
  }
  return { child, stop: () => child.stop('SIGTERM'), advance: () => Promise.reject(new Error('It is not hosted.')) }
}

function urlOf(port: number): string {
  return `http://localhost:${port}`
}

function hasDefaultContent({ env, program, fresh = false }: ConsoleOptions): boolean {
  return !fresh && program === undefined && usesDefaultContent(env)
}

/** Throws while the server is not ready; throws `Gone` if it ended. */
async function isReady(url: string, child: Child): Promise<void> {
  if (child.process.exitCode !== null) throw new Gone(`The server ended with ${child.process.exitCode}.`)
  const answer = await fetch(`${url}/ready`)
  if (!answer.ok) throw new Error(`/ready answered ${answer.status}.`)
}

/** The environment without the console's settings. */
function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('CADMUS_'))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
