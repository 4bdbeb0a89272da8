import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isEnding } from './processes.ts'

/** One line per run, for comparison. */
const SECONDS = join(tmpdir(), 'cadmus-stage-seconds.jsonl')

export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The slowest files. */
  readonly longest?: string
  /** Details of failures. */
  readonly details?: string
}

export interface Stage {
  readonly name: string
  run(): Promise<Outcome>
}

/** A check that passes or fails as a whole. */
export function check(name: string, problemsOf: () => Promise<string>): Stage {
  return {
    name,
    run: async () => {
      const details = await problemsOf()
      return details === '' ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0, details }
    },
  }
}

type StageResult = { readonly name: string; readonly outcome: Outcome; readonly seconds: number }

/**
 * Runs all stages, also after a failure, those of a list in parallel. Ends with the summary on a line of its own.
 * Returns the exit code.
 */
export async function runStages(stages: readonly (Stage | readonly Stage[])[]): Promise<number> {
  const started = performance.now()
  const results: StageResult[] = []
  for (const step of stages) {
    if (isEnding()) break
    results.push(...(await Promise.all([step].flat().map(runStage))))
  }
  const sum = total(results.map(({ outcome }) => outcome))
  console.log('')
  for (const { name, outcome, seconds } of results) {
    console.log(line(name, outcome, seconds))
    if (outcome.longest !== undefined) console.log(`  longest: ${outcome.longest}`)
    // Repeated at the end, as earlier output may be cut off.
    if (outcome.failed > 0 && outcome.details !== undefined) console.log(outcome.details.trimEnd())
  }
  const seconds = secondsLine(results, performance.now() - started)
  console.log(seconds)
  appendFileSync(SECONDS, `${seconds}\n`)
  if (isEnding()) console.log('Stopped before the end.')
  console.log('')
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
  return sum.failed > 0 || isEnding() ? 1 : 0
}

async function runStage({ name, run }: Stage): Promise<StageResult> {
  const start = performance.now()
  const outcome = await run().catch(failureOf)
  const seconds = (performance.now() - start) / 1000
  console.log(line(name, outcome, seconds))
  if (outcome.details !== undefined) console.log(outcome.details.trimEnd())
  return { name, outcome, seconds }
}

/** The seconds of each stage as JSON, for comparison by programs. */
function secondsLine(results: readonly StageResult[], elapsed: number): string {
  const seconds = Object.fromEntries(results.map(({ name, seconds }) => [name, Math.round(seconds)]))
  return JSON.stringify({ at: new Date().toISOString(), seconds: { ...seconds, total: Math.round(elapsed / 1000) } })
}

function failureOf(error: unknown): Outcome {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { passed: 0, failed: 1, skipped: 0, details }
}

function total(outcomes: readonly Outcome[]): Outcome {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((all, one) => all + one[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

function line(name: string, { passed, failed, skipped }: Outcome, seconds: number): string {
  const sign = failed > 0 ? '✗' : '✓'
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${sign} ${name.padEnd(18)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${parts.join(', ')}`
}
