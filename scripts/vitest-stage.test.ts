import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import config from '../vitest.config.ts'
import { programOf, ROOT } from './processes.ts'
import { keepUnhandledError, UNHANDLED_FILE, unhandledErrorsIn } from './unhandled-errors.ts'
import { countTests, longestOf, outcomeOf } from './vitest-stage.ts'

function report(...files: { status: string; tests: string[] }[]): Parameters<typeof countTests>[0] {
  return {
    testResults: files.map(({ status, tests }) => ({
      name: 'x.test.ts',
      status,
      message: '',
      assertionResults: tests.map(test => ({ status: test, fullName: 'x' })),
    })),
  }
}

describe('the summary of a stage', () => {
  it('counts passed, failed and skipped tests', () => {
    const files = report({ status: 'failed', tests: ['passed', 'failed', 'skipped', 'pending', 'todo', 'passed'] })
    expect(countTests(files, 1)).toEqual({ passed: 2, failed: 1, skipped: 3 })
  })

  it('counts a file that failed before its first test', () => {
    const files = report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] })
    expect(countTests(files, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('lists the slowest files, slowest first', () => {
    const file = (name: string, seconds: number) => ({
      name: join(ROOT, name),
      status: 'passed',
      message: '',
      startTime: 5000,
      endTime: 5000 + seconds * 1000,
      assertionResults: [],
    })
    const many = Array.from({ length: 9 }, (_, at) => file(`${at}.test.ts`, 1))
    const testResults = [file('short.test.ts', 0.4), ...many, file('long.test.ts', 61)]
    expect(longestOf({ testResults })).toBe(['long.test.ts 61', ...many.map((_, at) => `${at}.test.ts 1`)].join(', '))
  })

  it('counts a failed run without a failed test', () => {
    expect(countTests(report({ status: 'passed', tests: ['passed'] }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('names failed tests, files that failed before their first test and errors outside of tests', () => {
    const broken = { name: join(ROOT, 'broken.test.ts'), status: 'failed', message: '', assertionResults: [] }
    const assertionResults = [
      { status: 'passed', fullName: 'first' },
      { status: 'failed', fullName: 'second' },
    ]
    const testResults = [broken, { ...broken, name: join(ROOT, 'other.test.ts'), assertionResults }]
    const lost = { text: 'Error: nobody waited for this', file: join(ROOT, 'lost.test.ts') }
    const { details, passed, failed } = outcomeOf({ report: { testResults }, code: 1, unhandled: [lost] })
    expect([passed, failed]).toEqual([1, 2])
    expect(details?.split('\n')).toEqual([
      'Went wrong outside of any test:',
      'lost.test.ts: Error: nobody waited for this',
      'Failed:',
      'broken.test.ts',
      'second',
    ])
  })
})

it('vitest reports an error outside of tests and fails', () => {
  expect(config.test?.onUnhandledError).toBe(keepUnhandledError)
  // Inside the repository, for its node_modules.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.unhandled-'))
  try {
    const lost =
      "import { it } from 'vitest'\nit('holds', () => { void Promise.reject(new Error('nobody waited for this')) })\n"
    writeFileSync(join(folder, 'lost.test.ts'), lost)
    const config = `import { keepUnhandledError } from '${join(ROOT, 'scripts/unhandled-errors.ts')}'\nexport default { test: { onUnhandledError: keepUnhandledError } }\n`
    writeFileSync(join(folder, 'vitest.config.ts'), config)
    const file = join(folder, 'unhandled.txt')
    const env = { ...process.env, [UNHANDLED_FILE]: file }
    const { status } = spawnSync(process.execPath, [programOf('vitest'), 'run', '--root', folder], { env })
    expect(status).toBe(1)
    expect(unhandledErrorsIn(file)).toEqual([
      { text: expect.stringContaining('nobody waited for this'), file: join(folder, 'lost.test.ts') },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
