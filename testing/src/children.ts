import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

export interface Child {
  readonly pid: number
  readonly process: ChildProcess
  /** Everything written to stdout and stderr so far (the last 64 kB). */
  output(): string
  /** Sends `signal`, waits for the end, and kills after `patience` milliseconds. */
  stop(signal?: NodeJS.Signals, patience?: number): Promise<void>
}

export interface ChildOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Run as this system user where we are root; some engines refuse root. */
  readonly user?: string
  /** Sent by the kernel should this process die without a word. */
  readonly deathSignal?: 'KILL' | 'TERM' | 'QUIT'
  readonly pipeInput?: boolean
}

const OUTPUT_KEPT = 65_536
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
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-OUTPUT_KEPT)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return {
    pid,
    process: child,
    output: () => text,
    stop: (signal = 'SIGTERM', patience = 10_000) => stop(child, signal, patience),
  }
}

/** uid and gid of a system user, else of nobody, where we may become another (as root); undefined where we may not. */
export function userIds(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = [name, 'nobody'].map(user => lines.find(entry => entry.startsWith(`${user}:`))).find(Boolean)
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** Is a process with this id alive? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

let setprivFound: boolean | undefined

function hasSetpriv(): boolean {
  setprivFound ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0
  return setprivFound
}

function withGuards(
  program: string,
  args: readonly string[],
  options: ChildOptions,
): [string, readonly string[], SpawnOptions] {
  const ids = options.user === undefined ? undefined : userIds(options.user)
  const spawnOptions: SpawnOptions = {
    stdio: [options.pipeInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }
  if (process.platform !== 'linux' || !hasSetpriv()) return [program, args, { ...spawnOptions, ...ids }]
  const identity = ids === undefined ? [] : ['--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups']
  return ['setpriv', ['--pdeathsig', options.deathSignal ?? 'KILL', ...identity, '--', program, ...args], spawnOptions]
}

async function stop(child: ChildProcess, signal: NodeJS.Signals, patience: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
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
      // Our listener took away the default, which is to end; somebody else's may have its own way to end.
      if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal])
    })
  }
}

function killAll(): void {
  for (const child of running.values()) child.kill('SIGKILL')
}

/** Runs a program to its end and answers its output; throws with that output when it fails. */
export async function execute(program: string, args: readonly string[], options: ChildOptions = {}): Promise<string> {
  const child = startChild(program, args, options)
  const code = await new Promise<number | null>(resolve => child.process.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${child.output()}`)
  return child.output()
}
