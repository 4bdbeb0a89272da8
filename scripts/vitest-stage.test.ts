import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import config from '../vitest.config.ts'
import { programOf, ROOT } from './processes.ts'
import { keepUnhandledError, UNHANDLED_FILE, unhandledErrorsIn } from './unhandled-errors.ts'
import { countTests, filesToRepeat, longestOf, outcomeOf } from './vitest-stage.ts'

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

describe('the closing line counts', () => {
  it('tests that passed, failed and were skipped', () => {
    const files = report({ status: 'failed', tests: ['passed', 'failed', 'skipped', 'pending', 'todo', 'passed'] })
    expect(countTests(files, 1)).toEqual({ passed: 2, failed: 1, skipped: 3 })
  })

  it('a file that failed before its first test', () => {
    const files = report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] })
    expect(countTests(files, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('and the files that took longest are named, the longest first', () => {
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

  it('a run that failed although no test did', () => {
    expect(countTests(report({ status: 'passed', tests: ['passed'] }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })
})

describe('files in which a test failed are run again alone', () => {
  const file = (name: string, tests: Record<string, string>) => ({
    name,
    status: Object.values(tests).includes('failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ status, fullName })),
  })
  const calmly = { unhandled: [] }
  const calm = file('calm.test.ts', { first: 'passed', second: 'passed' })
  const busy = file('busy.test.ts', { third: 'passed', fourth: 'failed' })
  const first = { report: { testResults: [calm, busy] }, code: 1, unhandled: [] }

  it('and what holds then is counted once and named', () => {
    const again = {
      report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] },
      ...calmly,
      code: 0,
    }
    const { details, ...counted } = outcomeOf(first, again)
    expect(counted).toEqual({ passed: 4, failed: 0, skipped: 0, again: 1 })
    expect(details).toContain('fourth')
  })

  it('and what fails then has failed, also where it had not before', () => {
    const again = {
      report: { testResults: [file('busy.test.ts', { third: 'failed', fourth: 'failed' })] },
      ...calmly,
      code: 1,
    }
    const { details, ...counted } = outcomeOf(first, again)
    expect(counted).toEqual({ passed: 2, failed: 2, skipped: 0 })
    expect(details).toBe('Failed:\nthird\nfourth')
  })

  it('and a second run that ends badly is a failure although each test held', () => {
    const again = {
      report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] },
      ...calmly,
      code: 1,
    }
    expect(outcomeOf(first, again)).toMatchObject({ failed: 1 })
  })

  const lost = { text: 'Error: nobody waited for this' }
  const well = {
    report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] },
    ...calmly,
    code: 0,
  }

  it('and what went wrong outside of any test of a file that nobody knows stays a failure, and is named', () => {
    const { details, ...counted } = outcomeOf({ ...first, unhandled: [lost] }, well)
    expect(counted).toEqual({ passed: 4, failed: 1, skipped: 0, again: 1 })
    expect(details).toContain('nobody waited for this')
  })

  it('and what went wrong beside the tests of a file is run again with it', () => {
    const errors = [{ ...lost, file: 'busy.test.ts' }]
    const run = { ...first, unhandled: [...errors, { ...lost, file: 'calm.test.ts' }] }
    expect(filesToRepeat(run)).toEqual(['busy.test.ts', 'calm.test.ts'])
    const { details, ...counted } = outcomeOf({ ...first, unhandled: errors }, well)
    expect(counted).toEqual({ passed: 4, failed: 0, skipped: 0, again: 2 })
    expect(details).toContain('busy.test.ts: Error: nobody waited for this')
    const still = outcomeOf({ ...first, unhandled: errors }, { ...well, unhandled: errors, code: 1 })
    expect(still.failed).toBe(1)
    expect(still.details).toContain('nobody waited for this')
  })

  it('and a file that failed before its first test is named as well when it held then', () => {
    const broken = { ...file(join(ROOT, 'broken.test.ts'), {}), status: 'failed' }
    const again = { report: { testResults: [{ ...broken, status: 'passed' }] }, ...calmly, code: 0 }
    const { details } = outcomeOf({ ...first, report: { testResults: [calm, broken] } }, again)
    expect(details).toContain('broken.test.ts')
    const failing = { report: { testResults: [file(broken.name, { fifth: 'failed' })] }, ...calmly, code: 1 }
    const still = outcomeOf({ ...first, report: { testResults: [calm, broken] } }, failing)
    expect(still).toMatchObject({ details: 'Failed:\nfifth', failed: 1 })
  })
})

it('vitest hands over what goes wrong outside of any test, and fails', () => {
  expect(config.test?.onUnhandledError).toBe(keepUnhandledError)
  // Below the repository, whose node_modules it needs.
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
