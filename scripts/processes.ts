import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './end-with-parent.js'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Show the output while it comes, instead of keeping it. */
  readonly show?: boolean
}

const PATIENCE = 10_000
const ORPHAN_GUARD = new URL('end-with-parent.js', import.meta.url).href
/** V8 may end a process with many threads on processors that have these keys ('Check failed: jit_page.has_value()'). */
const V8_FLAGS = ['--no-memory-protection-keys']
const children = new Set<ChildProcess>()
let ending = false

/** Runs a Node program to its end, on this very Node. `output` is empty when it was shown. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<{ code: number; output: string }> {
  const child = startNode(args, options.env ?? {}, options.show ? 'inherit' : 'pipe')
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return new Promise(resolve => {
    child.once('close', (code, signal) => resolve({ code: code ?? (signal === null ? 0 : 1), output }))
  })
}

/** Runs Node programs side by side until one of them ends or somebody presses Ctrl-C; then ends all. Answers the exit code. */
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

/** The program that a package brings, to be run by Node: works on every system, unlike the links in node_modules/.bin. */
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

/** Ctrl-C reaches the children from the terminal as well; a signal that somebody sends reaches them only from here. */
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
    setTimeout(() => child.kill('SIGKILL'), PATIENCE).unref()
  }
}
