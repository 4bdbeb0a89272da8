import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf, runNode } from './processes.ts'
import type { Outcome, Stage } from './stages.ts'

/** The parts of vitest's JSON report that are counted. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** One vitest project as a stage; its own output is shown while it runs. */
export function vitestStage(name: string, project: string): Stage {
  return { name, run: () => runVitest(project) }
}

/** Counts tests; a file that failed before its first test, and a run that failed without one, count as one failure. */
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

async function runVitest(project: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cadmus-report-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await runNode([programOf('vitest'), 'run', '--project', project, ...reporters], { show: true })
    const report: VitestReport = JSON.parse(readFileSync(file, 'utf8'))
    return { ...countTests(report, code), ...skippedDetails(report) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Skipped suites carry in their titles what would be needed to run them. */
function skippedDetails(report: VitestReport): { details?: string } {
  const skipped = report.testResults.flatMap(file => file.assertionResults).filter(test => test.status !== 'passed')
  const reasons = skipped.map(test => /\S* (?:or Java )?is not installed: apt-get [\w .-]+/.exec(test.fullName)?.[0])
  const advice = [...new Set(reasons.filter(reason => reason !== undefined))]
  return advice.length === 0 ? {} : { details: advice.join('\n') }
}
