import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './children.ts'
import { sharedConsoleHost } from './console-host.ts'
import { copyPreparedData, fillsAsUsual } from './prepared.ts'
import { freePort, Gone, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

export interface ConsoleServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** What the server wrote to its log so far. */
  output(): string
  /** Ends the server as Ctrl-C does and removes the data directory, unless the caller gave it. */
  stop(): Promise<void>
  /** kill -9: nothing is flushed, nothing is closed. The data directory stays. */
  kill(): Promise<void>
}

export interface ConsoleOptions {
  /** Settings beside the defaults (a free port, a data directory in the temp folder, few log lines). */
  readonly env?: Readonly<Record<string, string>>
  /** A data directory that outlives the server, to start another one on it. */
  readonly dataDir?: string
  readonly port?: number
  /** Another program than the console's: the control of a proof. */
  readonly program?: string
  /** On an empty store: the start itself is what matters. */
  readonly fresh?: boolean
  /** In one process with the other consoles of this one that are: it starts in a fraction of the time. `kill` ends them all. */
  readonly hosted?: boolean
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAIN = join(ROOT, 'apps/server/src/main.ts')
/** A server loads several hundred modules: those that were compiled for one before are there for the next. */
const COMPILED = join(ROOT, 'node_modules/.cache/cadmus-compiled')
/** As long as the process is there: how quick the machine is, is no question of a test's; its own limit ends what never comes. */
const PATIENCE = 600_000

/** Starts the console's server as `npm start` does, without building the page, and waits until it is ready. */
export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleServer> {
  const dataDir = options.dataDir ?? (await newDataDir(options))
  const port = options.port ?? (await freePort())
  const base = { ...cleanEnvironment(), NODE_COMPILE_CACHE: COMPILED }
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
  const { child, stop } = running
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
    kill: () => child.stop('SIGKILL'),
  }
}

type RunningConsole = { readonly child: Child; readonly stop: () => Promise<void> }
type Settings = Readonly<Record<string, string>>

async function startHosted(port: number, base: Settings, settings: Settings): Promise<RunningConsole> {
  const host = await sharedConsoleHost(base)
  await host.start(port, settings)
  return { child: host.child, stop: () => host.stop(port) }
}

async function startAlone(program = MAIN, port: number, base: Settings, settings: Settings): Promise<RunningConsole> {
  if (!existsSync(program)) throw new Error(`There is no ${program}.`)
  const child = startChild(process.execPath, [program], { cwd: ROOT, env: { ...base, ...settings } })
  try {
    await waitFor(() => isReady(urlOf(port), child), PATIENCE, 20)
  } catch (error) {
    await child.stop('SIGKILL')
    throw new Error(`The console did not become ready.\n${child.output()}`, { cause: error })
  }
  return { child, stop: () => child.stop('SIGTERM') }
}

function urlOf(port: number): string {
  return `http://localhost:${port}`
}

async function newDataDir({ env, program, fresh = false }: ConsoleOptions): Promise<string> {
  const folder = temporaryFolder('console')
  if (!fresh && program === undefined && fillsAsUsual(env)) await copyPreparedData(folder)
  return folder
}

/** Throws while the server is not ready; a server that ended never will be, so the waiting ends too. */
async function isReady(url: string, child: Child): Promise<void> {
  if (child.process.exitCode !== null) throw new Gone(`The server ended with ${child.process.exitCode}.`)
  const answer = await fetch(`${url}/ready`)
  if (!answer.ok) throw new Error(`/ready answered ${answer.status}.`)
}

/** The environment without settings that a developer's shell may carry. */
function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('CADMUS_'))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
