// `npm run mutate [area …]`: mutates the code of the areas and counts the mutants that a test kills.
// Writes the counts to bench/mutations.json and lists the survivors. Takes some minutes for each area; with
// `--again` it repeats only the survivors of the last run, to see what new tests kill.
import { Instrumenter, type InstrumentResult } from '@stryker-mutator/instrumenter'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node'
import type { Finding } from './mutate-runner.ts'
import { ROOT } from './processes.ts'

/** Source files and the tests that have to kill their mutants, as globs; quick ones first. */
interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** The tests whose names match; the others would take hours. */
  readonly names?: RegExp
  readonly isolate?: boolean
  /** Counts one of so many mutants, drawn by a hash with `SEED`; the others would take hours. */
  readonly lot?: number
}

/** These tests merge and undo edits as the page does. */
const ENTITY_DRAFTS = ['apps/web/src/features/entity/entity-*.test.ts', 'packages/model/src/merge/entity.test.ts']

const AREAS: Readonly<Record<string, Area>> = {
  merge: {
    sources: ['packages/model/src/merge/**/*.ts'],
    tests: [
      'packages/model/src/merge/**/*.test.ts',
      'packages/model/src/oracles.test.ts',
      ...ENTITY_DRAFTS,
      'apps/web/src/features/configuration/*.test.ts',
      'apps/web/src/drafts/configuration-store.test.ts',
    ],
  },
  edits: {
    sources: ['packages/model/src/edits/**/*.ts'],
    tests: ['packages/model/src/{edits,stored}/**/*.test.ts', ...ENTITY_DRAFTS],
  },
  reader: {
    sources: ['packages/sql/src/read/**/*.ts'],
    tests: [
      'packages/sql/src/read/**/*.test.ts',
      'packages/formats/src/ddl/{mssql-generator,own-scripts,scripts}.test.ts',
    ],
    names: /^(?!.*beyond the limit)/,
    lot: 4,
  },
  queries: {
    sources: ['packages/sql/src/queries/**/*.ts'],
    tests: [
      'packages/sql/src/queries/{scenarios,lists,statements,operations}.test.ts',
      'packages/sql/src/queries/queries.proof.test.ts',
    ],
    names: /^(?!.*(on (PostgreSQL|MariaDB|HSQLDB)|100,000))/,
    lot: 5,
  },
  alter: {
    sources: ['packages/sql/src/alter*.ts'],
    tests: [
      'packages/sql/src/alter{-changes,}.test.ts',
      'packages/sql/src/alter{-records,-refusals,-conversions}.test.ts',
      'packages/sql/src/alter.proof.test.ts',
    ],
  },
  guard: { sources: ['apps/server/src/store/guard.ts'], tests: ['apps/server/src/store/guard*.test.ts'] },
  'draft-life': {
    sources: ['apps/web/src/drafts/draft-machine.ts'],
    tests: ['apps/web/src/drafts/*.test.ts'],
    // Modules with state: each file loads new ones.
    isolate: true,
  },
  'package-life': {
    sources: ['apps/instance/src/packages/lifecycle.ts'],
    tests: ['apps/instance/src/packages/lifecycle*.test.ts'],
  },
}

type Mutant = InstrumentResult['mutants'][number]

/** The share of killed mutants that an area must reach. */
const REQUIRED = 0.9
const SEED = '2026-11-29'
const EXCLUDED = ['**/*.test.ts', '**/testing/**']
const REPORT = join(ROOT, 'bench', 'mutations.json')

interface Count {
  readonly noticed: number
  readonly missed: number
  /** Killed mutants as a share of all, 0 to 1. */
  readonly share: number
  /** One of so many mutants was counted, drawn with this seed. */
  readonly lot?: number
  readonly seed?: string
}

const isAgain = process.argv.includes('--again')
const names = process.argv.slice(2).filter(name => name !== '--again')
const unknown = names.filter(name => !(name in AREAS))
if (unknown.length > 0)
  throw new Error(`Unknown areas: ${unknown.join(', ')}. Areas: ${Object.keys(AREAS).join(', ')}.`)
for (const name of names.length > 0 ? names : Object.keys(AREAS))
  record(name, await mutate(name, AREAS[name] ?? area(name)))

function area(folder: string): Area {
  return { sources: [`${folder}/**/*.ts`], tests: [`${folder}/**/*.test.ts`] }
}

async function mutate(name: string, area: Area): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'cadmus-mutations-'))
  const file = join(folder, 'findings')
  const memory = join(ROOT, 'node_modules', '.cache', `mutations-${name}.json`)
  const { mutants, texts } = await mutantsOf(globSync(area.sources, { cwd: ROOT, exclude: EXCLUDED }))
  const keyOf = keysOf(mutants)
  const before = new Set<string>(isAgain && existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : [])
  const outside = new Set(mutants.map(({ id }) => id).filter(id => !isInLot(keyOf(id), area.lot ?? 1)))
  const known: Finding[] = [
    { kind: 'outside', ids: [...outside] },
    { kind: 'killed', ids: mutants.map(({ id }) => id).filter(id => !outside.has(id) && before.has(keyOf(id))) },
  ]
  writeFileSync(file, known.map(finding => `${JSON.stringify(finding)}\n`).join(''))
  await runTests(area, texts, file)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const findings = lines.map((line): Finding => JSON.parse(line))
  rmSync(folder, { recursive: true })
  const idsOf = (kind: Finding['kind']) =>
    new Set(findings.flatMap(finding => (finding.kind === kind ? finding.ids : [])))
  const [killed, covered, atStart] = [idsOf('killed'), idsOf('covered'), idsOf('static')]
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, JSON.stringify([...killed].map(keyOf)))
  // Module-level values are computed once, before a mutant can be activated.
  const isCounted = ({ id }: Mutant) => killed.has(id) || covered.has(id) || !atStart.has(id)
  const counted = mutants.filter(mutant => !outside.has(mutant.id) && isCounted(mutant))
  const survivors = counted.filter(({ id }) => !killed.has(id))
  for (const mutant of survivors) console.log(lineOf(mutant, covered.has(mutant.id)))
  for (const test of idsOf('unrepeatable')) console.log(`Cannot be repeated: ${test}`)
  const [noticed, missed] = [counted.length - survivors.length, survivors.length]
  console.log(`${noticed} of ${counted.length} mutants killed, ${mutants.length - counted.length} not counted`)
  const share = Math.round((1000 * noticed) / Math.max(1, counted.length)) / 1000
  return { noticed, missed, share, ...(area.lot && { lot: area.lot, seed: SEED }) }
}

function isInLot(key: string, size: number): boolean {
  return createHash('sha256').update(`${SEED}\n${key}`).digest().readUInt32BE() % size === 0
}

/** Runs the area's tests on the texts with mutants. */
async function runTests(area: Area, texts: ReadonlyMap<string, string>, file: string): Promise<void> {
  process.env['CADMUS_MUTATE_FILE'] = file
  process.env['CADMUS_SEARCH'] = 'short'
  process.env['CADMUS_PROVE_QUERIES'] = '20'
  process.env['CADMUS_PROVE_ALTER'] = '4'
  class InOrder extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rankOf = ({ moduleId }: TestSpecification): number =>
        area.tests.findIndex(glob => matchesGlob(relative(ROOT, moduleId), glob))
      return files.toSorted((one, other) => rankOf(one) - rankOf(other))
    }
  }
  const vitest = await startVitest(
    'test',
    [],
    {
      root: ROOT,
      config: false,
      watch: false,
      // It would return texts of earlier runs, whose mutants have other ids.
      fsModuleCache: false,
      include: [...area.tests],
      testNamePattern: area.names,
      alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
      setupFiles: './testing/src/seed-setup.ts',
      globalSetup: ['./testing/src/vitest-setup.ts'],
      runner: './scripts/mutate-runner.ts',
      testTimeout: 30_000,
      isolate: area.isolate ?? false,
      maxWorkers: 1,
      sequence: { sequencer: InOrder },
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', transform: (_code, id) => texts.get(id) ?? null }] },
  )
  await vitest.close()
}

/** The mutants of files, and the files' texts with a switch for each mutant. */
async function mutantsOf(paths: readonly string[]) {
  const log = () => undefined
  const off = () => false
  const loggers = { trace: log, debug: log, info: log, warn: log, error: log, fatal: log }
  const levels = { isTraceEnabled: off, isDebugEnabled: off, isInfoEnabled: off }
  const more = { isWarnEnabled: off, isErrorEnabled: off, isFatalEnabled: off }
  const instrumenter = new Instrumenter({ ...loggers, ...levels, ...more })
  const files = paths.map(path => {
    const name = join(ROOT, path)
    return { name, mutate: true, content: readFileSync(name, 'utf8') }
  })
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: true }
  const result = await instrumenter.instrument(files, options)
  return { mutants: result.mutants, texts: new Map(result.files.map(({ name, content }) => [name, content])) }
}

function lineOf(mutant: Mutant, isCovered: boolean): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  const { line, column } = mutant.location.start
  const place = `${relative(ROOT, mutant.fileName)}:${line + 1}:${column + 1}`
  return `${place}${isCovered ? '' : ' (no test)'}  ${short(textOf(mutant))}  →  ${short(mutant.replacement)}`
}

/** A key of each mutant that does not depend on the text around it. */
function keysOf(mutants: readonly Mutant[]): (id: string) => string {
  const times = new Map<string, number>()
  const keys = new Map<string, string>()
  for (const { id, fileName, replacement, ...mutant } of mutants) {
    const text = [relative(ROOT, fileName), textOf({ fileName, ...mutant }), replacement].join('\n')
    const time = times.get(text) ?? 0
    times.set(text, time + 1)
    keys.set(id, `${text}\n${time}`)
  }
  return id => keys.get(id) ?? ''
}

function textOf({ fileName, location: { start, end } }: Pick<Mutant, 'fileName' | 'location'>): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1)
  return [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, end.column)].join('\n').slice(start.column)
}

function record(name: string, count: Count): void {
  const before: Record<string, Count> = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')) : {}
  writeFileSync(REPORT, `${JSON.stringify({ ...before, [name]: count }, null, 2)}\n`)
  if (count.share < REQUIRED) process.exitCode = 1
}
