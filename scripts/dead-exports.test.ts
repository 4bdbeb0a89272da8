import { expect, it } from 'vitest'
import { deadExportProblems, deadExportsIn } from './dead-exports.ts'

const report = JSON.stringify({
  issues: [
    {
      file: 'packages/model/src/paths.ts',
      exports: [
        { name: 'old', line: 1 },
        { name: 'exempt', line: 2 },
      ],
    },
    { file: 'packages/model/src/testing/builders.ts', exports: [{ name: 'aKey', line: 1 }] },
    { file: 'packages/model/src/quiet.ts' },
  ],
})
const exempt = { file: 'packages/model/src/paths.ts', name: 'exempt', reason: 'soon' }

it('an export used only by tests is reported unless it is an exception', () => {
  expect(deadExportProblems(deadExportsIn(report), [exempt])).toEqual([
    'packages/model/src/paths.ts: only tests use old.',
  ])
})

it('an exception that is used or missing is reported', () => {
  expect(deadExportProblems([], [exempt])).toEqual([
    'packages/model/src/paths.ts: exempt no longer needs an exception (scripts/dead-exports.ts).',
  ])
})
