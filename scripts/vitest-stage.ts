import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { programOf, ROOT, runNode } from './processes.ts'
import type { Outcome, Stage } from './stages.ts'
import { UNHANDLED_FILE, unhandledErrorsIn, type UnhandledError } from './unhandled-errors.ts'

/** The parts of vitest's JSON report that are used. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    /** Milliseconds. */
    readonly startTime?: number
    readonly endTime?: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Vitest projects as a stage; its output is shown while it runs. `workers` is the number of parallel files. */
export function vitestStage(name: string, projects: readonly string[], workers: number): Stage {
  const selected = projects.flatMap(project => ['--project', project])
  return { name, run: async () => outcomeOf(await runVitest([...selected, `--maxWorkers=${workers}`])) }
}

/**
 * Counts tests. A file that failed before its first test, or a failed run without a failed test, counts as one failure.
 */
export function countTests(report: VitestReport, exitCode: number): Outcome {
  const tests = report.testResults.flatMap(file => file.assertionResults)
  const count = (...statuses: string[]): number => tests.filter(test => statuses.includes(test.status)).length
  const broken = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  ).length
  const failed = count('failed') + broken
  return {
    passed: count('passed'),
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
  }
}

/** The ten slowest files with their seconds, the source of scripts/longest-first.ts. */
export function longestOf({ testResults }: VitestReport): string {
  return testResults
    .map(({ name, startTime = 0, endTime = 0 }) => ({ name: nameOf(name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${name} ${seconds.toFixed(0)}`)
    .join(', ')
}

/** Counts, details of failures and the slowest files of a run. */
export function outcomeOf({ report, code, unhandled }: Run): Outcome {
  const details = [
    ...skippedAdvice(report),
    ...headed('Went wrong outside of any test:', unhandled.map(described)),
    ...headed('Failed:', failures(report)),
  ]
  const outcome = { ...countTests(report, code), longest: longestOf(report) }
  return details.length === 0 ? outcome : { ...outcome, details: details.join('\n') }
}

function described({ text, file }: UnhandledError): string {
  return file === undefined ? text : `${nameOf(file)}: ${text}`
}

type Run = {
  readonly report: VitestReport
  readonly code: number
  readonly unhandled: readonly UnhandledError[]
}

async function runVitest(args: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'cadmus-report-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
    const unhandled = join(folder, 'unhandled.txt')
    const { code } = await runNode([programOf('vitest'), 'run', ...args, ...reporters], {
      show: true,
      env: { [UNHANDLED_FILE]: unhandled },
    })
    const report: VitestReport = JSON.parse(readFileSync(file, 'utf8'))
    return { report, code, unhandled: unhandledErrorsIn(unhandled) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Titles of failed tests, and names of files that failed without one. */
function failures({ testResults }: VitestReport): string[] {
  return testResults.flatMap(file => {
    const titles = file.assertionResults.filter(test => test.status === 'failed').map(test => test.fullName)
    return titles.length === 0 && file.status === 'failed' ? [nameOf(file.name)] : titles
  })
}

function nameOf(file: string): string {
  return relative(ROOT, file)
}

function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [head, ...lines]
}

/** Skipped suites state in their titles how to enable them. */
function skippedAdvice(report: VitestReport): string[] {
  const skipped = report.testResults.flatMap(file => file.assertionResults).filter(test => test.status !== 'passed')
  const reasons = skipped.map(
    test => /\S* (?:or Java )?is not installed: (?:apt-get|npm) [\w ./-]+/.exec(test.fullName)?.[0],
  )
  return [...new Set(reasons.filter(reason => reason !== undefined))]
}
