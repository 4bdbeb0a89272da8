import { describe, expect, it } from 'vitest'
import { countTests, outcomeOf } from './vitest-stage.ts'

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

describe('files in which a test failed are run again alone', () => {
  const file = (name: string, tests: Record<string, string>) => ({
    name,
    status: Object.values(tests).includes('failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ status, fullName })),
  })
  const calm = file('calm.test.ts', { first: 'passed', second: 'passed' })
  const busy = file('busy.test.ts', { third: 'passed', fourth: 'failed' })

  it('and what holds then is counted once and named', () => {
    const again = { report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] }, code: 0 }
    const { details, ...counted } = outcomeOf({ report: { testResults: [calm, busy] }, code: 1 }, again)
    expect(counted).toEqual({ passed: 4, failed: 0, skipped: 0, again: 1 })
    expect(details).toContain('fourth')
  })

  it('and what fails then has failed, also where it had not before', () => {
    const again = { report: { testResults: [file('busy.test.ts', { third: 'failed', fourth: 'failed' })] }, code: 1 }
    expect(outcomeOf({ report: { testResults: [calm, busy] }, code: 1 }, again)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 0,
    })
  })

  it('and a second run that ends badly is a failure although each test held', () => {
    const again = { report: { testResults: [file('busy.test.ts', { third: 'passed', fourth: 'passed' })] }, code: 1 }
    expect(outcomeOf({ report: { testResults: [calm, busy] }, code: 1 }, again)).toMatchObject({ failed: 1 })
  })
})
