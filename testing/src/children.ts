import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly pid: number
  readonly process: ChildProcess
  /** The output on stdout and stderr so far (the last 64 kB). */
  output(): string
  /** Sends `signal`, waits for the end, and kills the process after `timeout` milliseconds. */
  stop(signal?: NodeJS.Signals, timeout?: number): Promise<void>
}

export interface ChildOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** System user to run as if this process is root; some engines refuse to run as root. */
  readonly user?: string
  /** Signal sent by the kernel if this process is killed. */
  readonly deathSignal?: 'KILL' | 'TERM' | 'QUIT'
}

/** Environment with a compile cache, which halves the CPU time of starting a program of several hundred modules. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/cadmus-compiled', import.meta.url)),
}

const MAX_OUTPUT = 65_536
const running = new Map<number, ChildProcess>()
let guarded = false

/** Starts a program that ends with this process: on exit, Ctrl-C, SIGTERM, and on Linux also on `kill -9`. */
export function startChild(program: string, args: readonly string[], options: ChildOptions = {}): Child {
  guard()
  const [command, commandArgs, spawnOptions] = withGuards(program, args, options)
  const child = spawn(command, commandArgs, spawnOptions)
  const { pid } = child
  if (pid === undefined) {
    child.on('error', () => {})
    throw new Error(`${program} could not be started.`)
  }
  running.set(pid, child)
  child.once('exit', () => running.delete(pid))
  let text = ''
  const append = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-MAX_OUTPUT)
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return {
    pid,
    process: child,
    output: () => text,
    stop: (signal = 'SIGTERM', timeout = 10_000) => stop(child, signal, timeout),
  }
}

/** uid and gid of a system user, otherwise of the user nobody; undefined unless this process is root. */
export function userIds(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = [name, 'nobody'].map(user => lines.find(entry => entry.startsWith(`${user}:`))).find(Boolean)
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

let isSetprivAvailable: boolean | undefined

function hasSetpriv(): boolean {
  isSetprivAvailable ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0
  return isSetprivAvailable
}

function withGuards(
  program: string,
  args: readonly string[],
  options: ChildOptions,
): [string, readonly string[], SpawnOptions] {
  const ids = options.user === undefined ? undefined : userIds(options.user)
  const spawnOptions: SpawnOptions = {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }
  if (process.platform !== 'linux' || !hasSetpriv()) return [program, args, { ...spawnOptions, ...ids }]
  const identity = ids === undefined ? [] : ['--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups']
  return ['setpriv', ['--pdeathsig', options.deathSignal ?? 'KILL', ...identity, '--', program, ...args], spawnOptions]
}

async function stop(child: ChildProcess, signal: NodeJS.Signals, timeout: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout)
  await ended
  clearTimeout(timer)
}

function guard(): void {
  if (guarded) return
  guarded = true
  process.once('exit', killAll)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killAll()
      // This listener disables the default action, which is to exit; other listeners may exit on their own.
      if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal])
    })
  }
}

function killAll(): void {
  for (const child of running.values()) child.kill('SIGKILL')
}

/** Runs a program to its end and returns its output; throws with that output on failure. */
export async function execute(program: string, args: readonly string[], options: ChildOptions = {}): Promise<string> {
  const child = startChild(program, args, options)
  const code = await new Promise<number | null>(resolve => child.process.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${child.output()}`)
  return child.output()
}
