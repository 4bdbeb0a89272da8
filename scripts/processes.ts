import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './end-with-parent.js'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Forwards the output instead of collecting it. */
  readonly show?: boolean
}

const KILL_TIMEOUT = 10_000
const ORPHAN_GUARD = new URL('end-with-parent.js', import.meta.url).href
/**
 * V8 may crash a process with many threads on processors with memory protection keys ('Check failed:
 * jit_page.has_value()').
 */
const V8_FLAGS = ['--no-memory-protection-keys']
const children = new Set<ChildProcess>()
let ending = false

/** Runs a Node program to its end on the current Node. `output` is empty if it was shown. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<{ code: number; output: string }> {
  const child = startNode(args, options.env ?? {}, options.show ? 'inherit' : 'pipe')
  let output = ''
  const append = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return new Promise(resolve => {
    child.once('close', (code, signal) => resolve({ code: code ?? (signal === null ? 0 : 1), output }))
  })
}

/** Runs Node programs in parallel until one of them ends or on Ctrl-C; then ends all. Returns the exit code. */
export async function runTogether(
  programs: readonly { args: string[]; env?: Record<string, string> }[],
): Promise<number> {
  const ends = programs.map(({ args, env }) => {
    const child = startNode(args, env ?? {}, 'inherit')
    return new Promise<number>(resolve => child.once('exit', code => resolve(code ?? 0)))
  })
  const code = await Promise.race(ends)
  endChildren()
  await Promise.all(ends)
  return code
}

/**
 * The script of a package's program, to be run by Node: works on every system, unlike the links in node_modules/.bin.
 */
export function programOf(packageName: string, program: string = packageName): string {
  const folder = join(ROOT, 'node_modules', packageName)
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const path = typeof bin === 'string' ? bin : bin[program]
  if (path === undefined) throw new Error(`${packageName} brings no program ${program}.`)
  return join(folder, path)
}

function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  output: 'inherit' | 'pipe',
): ChildProcess {
  guard()
  const child = spawn(process.execPath, [...V8_FLAGS, '--import', ORPHAN_GUARD, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

let guarded = false

/** The terminal sends Ctrl-C to the children as well; other signals have to be forwarded. */
function guard(): void {
  if (guarded) return
  guarded = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endChildren)
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })
}

export function isEnding(): boolean {
  return ending
}

function endChildren(): void {
  ending = true
  for (const child of children) {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), KILL_TIMEOUT).unref()
  }
}
