import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isEnding, programOf, ROOT, runNode } from './processes.ts'
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

/**
 * One vitest project as a stage; its output is shown while it runs. With `again`, up to five files with failed tests
 * are repeated alone, to distinguish timeouts on a busy machine from real failures; the summary names tests that passed
 * only then. An error outside of tests counts for its file, or as a failure if the file is unknown.
 */
export function vitestStage(name: string, project: string, options: StageOptions = {}): Stage {
  return { name, run: () => runStage(project, options) }
}

/** More failures are not due to chance. */
const maxRepeated = 5

type StageOptions = {
  readonly again?: boolean
  /** Number of parallel files; by default as configured in vitest.config.ts. */
  readonly workers?: number
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

async function runStage(project: string, { again = false, workers }: StageOptions): Promise<Outcome> {
  const atOnce = workers === undefined ? [] : [`--maxWorkers=${workers}`]
  const first = await runVitest(project, atOnce)
  const longest = longestOf(first.report)
  const files = filesToRepeat(first)
  if (!again || isEnding() || files.length === 0 || files.length > maxRepeated) return { ...outcomeOf(first), longest }
  return { ...outcomeOf(first, await runVitest(project, ['--no-file-parallelism', ...files])), longest }
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

/** Files with a failed test or an error outside of tests. */
export function filesToRepeat({ report, unhandled }: Run): string[] {
  return [...new Set([...failedFiles(report), ...unhandled.flatMap(({ file }) => file ?? [])])]
}

/** Merges a run with the repetition of its failed files. */
export function outcomeOf(first: Run, repeated?: Run): Outcome {
  const { report, code } = first
  if (!repeated)
    return withDetails(countTests(report, code), [
      ...skippedAdvice(report),
      ...outside(first.unhandled),
      ...headed('Failed:', failures(report)),
    ])
  const files = new Map(repeated.report.testResults.map(file => [file.name, file]))
  const merged = { testResults: report.testResults.map(file => files.get(file.name) ?? file) }
  const failing = [...failures(merged), ...failedFiles(merged).map(nameOf)]
  const stray = first.unhandled.filter(({ file }) => file === undefined || !files.has(file))
  const ofFiles = first.unhandled.filter(error => !stray.includes(error))
  const passedAgain = [
    ...failures(report).filter(title => !failing.includes(title)),
    ...(repeated.unhandled.length === 0 ? ofFiles.map(described) : []),
  ]
  const outcome = countTests(merged, repeated.code)
  const counted = { ...outcome, failed: outcome.failed + stray.length }
  return withDetails(passedAgain.length === 0 ? counted : { ...counted, repeated: passedAgain.length }, [
    ...skippedAdvice(merged),
    ...outside([...stray, ...repeated.unhandled]),
    ...headed('Failed beside the others, held when run again alone:', passedAgain),
    ...headed('Failed:', failures(merged)),
  ])
}

function outside(errors: readonly UnhandledError[]): string[] {
  return headed('Went wrong outside of any test:', errors.map(described))
}

function described({ text, file }: UnhandledError): string {
  return file === undefined ? text : `${nameOf(file)}: ${text}`
}

type Run = {
  readonly report: VitestReport
  readonly code: number
  readonly unhandled: readonly UnhandledError[]
}

async function runVitest(project: string, args: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'cadmus-report-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
    const unhandled = join(folder, 'unhandled.txt')
    const { code } = await runNode([programOf('vitest'), 'run', '--project', project, ...args, ...reporters], {
      show: true,
      env: { [UNHANDLED_FILE]: unhandled },
    })
    const report: VitestReport = JSON.parse(readFileSync(file, 'utf8'))
    return { report, code, unhandled: unhandledErrorsIn(unhandled) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failedFiles({ testResults }: VitestReport): string[] {
  return testResults.filter(file => file.status === 'failed').map(file => file.name)
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

function withDetails(outcome: Outcome, lines: readonly string[]): Outcome {
  return lines.length === 0 ? outcome : { ...outcome, details: lines.join('\n') }
}

/** Skipped suites state in their titles how to enable them. */
function skippedAdvice(report: VitestReport): string[] {
  const skipped = report.testResults.flatMap(file => file.assertionResults).filter(test => test.status !== 'passed')
  const reasons = skipped.map(test => /\S* (?:or Java )?is not installed: apt-get [\w .-]+/.exec(test.fullName)?.[0])
  return [...new Set(reasons.filter(reason => reason !== undefined))]
}
