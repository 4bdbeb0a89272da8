// `npm run mutate [area …]`: changes the code of the areas line by line and counts the changes that a test notices.
// Writes the counts to bench/mutations.json and lists the others. Takes minutes to an hour for each area.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { ROOT } from './processes.ts'

/** Source files and the tests that have to notice a change in them, as globs. */
interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const AREAS: Readonly<Record<string, Area>> = {
  merge: area('packages/model/src/merge'),
  edits: area('packages/model/src/edits'),
  reader: area('packages/sql/src/read'),
  queries: area('packages/sql/src/queries'),
  alter: { sources: ['packages/sql/src/alter*.ts'], tests: ['packages/sql/src/alter*.test.ts'] },
  guard: { sources: ['apps/server/src/store/guard.ts'], tests: ['apps/server/src/store/guard*.test.ts'] },
}

/** The share of noticed changes that an area must reach. */
const REQUIRED = 0.9
const REPORT = join(ROOT, 'bench', 'mutations.json')

interface Count {
  readonly noticed: number
  readonly missed: number
  /** Noticed changes of all, 0 to 1. */
  readonly share: number
}

const names = process.argv.slice(2)
const unknown = names.filter(name => !(name in AREAS))
if (unknown.length > 0)
  throw new Error(`Unknown areas: ${unknown.join(', ')}. Areas: ${Object.keys(AREAS).join(', ')}.`)
for (const name of names.length > 0 ? names : Object.keys(AREAS)) record(name, await mutate(AREAS[name] ?? area(name)))

function area(folder: string): Area {
  return { sources: [`${folder}/**/*.ts`], tests: [`${folder}/**/*.test.ts`] }
}

async function mutate({ sources, tests }: Area): Promise<Count> {
  process.env['CADMUS_MUTATE_TESTS'] = tests.join(' ')
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { related: false, configFile: 'scripts/mutate.vitest.ts' },
    mutate: [...sources, '!**/*.test.ts', '!**/testing/**'],
    coverageAnalysis: 'perTest',
    // Values of modules are computed once, before a change can be switched on.
    ignoreStatic: true,
    concurrency: 2,
    reporters: ['clear-text'],
    clearTextReporter: { logTests: false },
    tempDirName: join(tmpdir(), 'cadmus-mutations'),
    // Stryker would read it with an older compiler; vitest does not need it.
    tsconfigFile: 'none',
  }).runMutationTest()
  const count = (...states: string[]): number => results.filter(({ status }) => states.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const missed = count('Survived', 'NoCoverage')
  return { noticed, missed, share: Math.round((1000 * noticed) / Math.max(1, noticed + missed)) / 1000 }
}

function record(name: string, count: Count): void {
  const before: Record<string, Count> = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')) : {}
  writeFileSync(REPORT, `${JSON.stringify({ ...before, [name]: count }, null, 2)}\n`)
  if (count.share < REQUIRED) process.exitCode = 1
}
