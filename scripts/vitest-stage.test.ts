import { describe, expect, it } from 'vitest'
import { countTests } from './vitest-stage.ts'

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

  it('a run that failed although no test did', () => {
    expect(countTests(report({ status: 'passed', tests: ['passed'] }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })
})
