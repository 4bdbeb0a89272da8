// Runs each test of `npm run mutate` once as it is and once for each mutant that it covers and no test killed before,
// in one process: a process for each mutant would take a hundred times as long.
import { appendFileSync, readFileSync } from 'node:fs'
import { type RunnerTestCase, TestRunner } from 'vitest'

/** A line of the file between the runner and scripts/mutate.ts. */
export interface Finding {
  readonly kind: 'outside' | 'covered' | 'static' | 'killed' | 'unrepeatable'
  /** The mutants, or the test that cannot be repeated. */
  readonly ids: readonly string[]
}

interface Switches {
  stryCov_9fa48: (...ids: readonly string[]) => void
  stryMutAct_9fa48: (id: string) => boolean
}

const FILE = process.env['CADMUS_MUTATE_FILE'] ?? ''
const MOST_UNCHECKED = 10
const FEWEST_STEPS = 200_000
let active: string | undefined
let covered: Set<string> | undefined
const everywhere = new Set<string>()
let steps = 0
let limit = Number.POSITIVE_INFINITY

function step(): void {
  steps += 1
  // Ends loops that the mutant made endless.
  if (steps > limit) throw new Error('This mutant does not end.')
}

const switches: Switches = {
  stryCov_9fa48: (...ids) => {
    if (active !== undefined) return
    const set = covered ?? everywhere
    for (const id of ids) set.add(id)
  },
  stryMutAct_9fa48: id => {
    step()
    return id === active
  },
}
Object.assign(globalThis, switches)

export default class MutateRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    limit = Number.POSITIVE_INFINITY
    steps = 0
    const seen = new Set<string>()
    covered = seen
    try {
      await callOf(test)()
    } finally {
      covered = undefined
    }
    limit = 20 * steps + FEWEST_STEPS
    note('static', everywhere)
    note('covered', seen)
    const done = new Set(read().flatMap(({ kind, ids }) => (kind === 'killed' || kind === 'outside' ? ids : [])))
    const left = [...seen].filter(id => !done.has(id))
    if (left.length === 0) return
    if (await fails(test)) return note('unrepeatable', [test.fullName])
    const killed: string[] = []
    for (const [index, id] of left.entries()) {
      if (await fails(test, id)) killed.push(id)
      if (killed.length < MOST_UNCHECKED && index < left.length - 1) continue
      // Without this check a value that a mutant spoiled for all later runs would kill other mutants.
      if (await fails(test)) return note('unrepeatable', [`${test.fullName} after mutants ${killed.join()}`])
      note('killed', killed.splice(0))
    }
  }
}

async function fails(test: RunnerTestCase, id?: string): Promise<boolean> {
  await hooks(test, 'afterEach')
  await hooks(test, 'beforeEach')
  active = id ?? ''
  steps = 0
  try {
    await callOf(test)()
    return false
  } catch {
    return true
  } finally {
    active = undefined
  }
}

async function hooks(test: RunnerTestCase, name: 'beforeEach' | 'afterEach'): Promise<void> {
  for (let suite = test.suite ?? test.file; ; suite = suite.suite ?? test.file) {
    for (const hook of TestRunner.getSuiteHooks(suite)[name]) await hook(test.context, suite)
    if (suite === test.file) return
  }
}

function callOf(test: RunnerTestCase): () => unknown {
  const call = TestRunner.getTestFn(test)
  if (call === undefined) throw new Error(`No function of ${test.fullName}`)
  return call
}

function read(): Finding[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines.flatMap(line => (line === '' ? [] : [JSON.parse(line) as Finding]))
}

function note(kind: Finding['kind'], ids: Iterable<string>): void {
  const finding: Finding = { kind, ids: [...ids] }
  if (finding.ids.length > 0) appendFileSync(FILE, `${JSON.stringify(finding)}\n`)
}
