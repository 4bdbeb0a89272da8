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
})

describe('repeating files with failed tests alone', () => {
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

  it('counts and names tests that pass in the repetition', () => {
    const again = {
      report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] },
      ...calmly,
      code: 0,
    }
    const { details, ...counted } = outcomeOf(first, again)
    expect(counted).toEqual({ passed: 4, failed: 0, skipped: 0, repeated: 1 })
    expect(details).toContain('fourth')
  })

  it('counts tests that fail in the repetition, even if they passed before', () => {
    const again = {
      report: { testResults: [file('busy.test.ts', { third: 'failed', fourth: 'failed' })] },
      ...calmly,
      code: 1,
    }
    const { details, ...counted } = outcomeOf(first, again)
    expect(counted).toEqual({ passed: 2, failed: 2, skipped: 0 })
    expect(details).toBe('Failed:\nthird\nfourth')
  })

  it('counts a failed second run although each test passed', () => {
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

  it('counts and names an error outside of tests of an unknown file', () => {
    const { details, ...counted } = outcomeOf({ ...first, unhandled: [lost] }, well)
    expect(counted).toEqual({ passed: 4, failed: 1, skipped: 0, repeated: 1 })
    expect(details).toContain('nobody waited for this')
  })

  it('repeats a file with an error outside of its tests', () => {
    const errors = [{ ...lost, file: 'busy.test.ts' }]
    const run = { ...first, unhandled: [...errors, { ...lost, file: 'calm.test.ts' }] }
    expect(filesToRepeat(run)).toEqual(['busy.test.ts', 'calm.test.ts'])
    const { details, ...counted } = outcomeOf({ ...first, unhandled: errors }, well)
    expect(counted).toEqual({ passed: 4, failed: 0, skipped: 0, repeated: 2 })
    expect(details).toContain('busy.test.ts: Error: nobody waited for this')
    const still = outcomeOf({ ...first, unhandled: errors }, { ...well, unhandled: errors, code: 1 })
    expect(still.failed).toBe(1)
    expect(still.details).toContain('nobody waited for this')
  })

  it('names a file that failed before its first test and passes in the repetition', () => {
    const broken = { ...file(join(ROOT, 'broken.test.ts'), {}), status: 'failed' }
    const again = { report: { testResults: [{ ...broken, status: 'passed' }] }, ...calmly, code: 0 }
    const { details } = outcomeOf({ ...first, report: { testResults: [calm, broken] } }, again)
    expect(details).toContain('broken.test.ts')
    const failing = { report: { testResults: [file(broken.name, { fifth: 'failed' })] }, ...calmly, code: 1 }
    const still = outcomeOf({ ...first, report: { testResults: [calm, broken] } }, failing)
    expect(still).toMatchObject({ details: 'Failed:\nfifth', failed: 1 })
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
