import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { missingDocFiles } from './doc-files.ts'
import { deadExportProblems, deadExportsIn } from './dead-exports.ts'
import { foreignLicences, type Lock, lockProblems } from './lock.ts'
import { programOf, ROOT, runNode } from './processes.ts'
import { titleProblems } from './requirements.ts'
import { readersOf, singleReads } from './single-reads.ts'
import { filesBelow, readSource } from './sources.ts'
import { check, type Stage } from './stages.ts'

/** Results of checks for reuse by the next run. */
const CACHE = join(ROOT, 'node_modules/.cache')

/** The checks that do not run any tests. */
export function staticChecks(): Stage[] {
  return [
    check('format', () => problemsOf([programOf('oxfmt'), '--check', '.'])),
    check('lint', () => problemsOf([programOf('oxlint'), '--deny-warnings', '.'])),
    check('types', typeProblems),
    check('dead code', () => problemsOf([programOf('knip'), '--no-progress', ...knipCache('all')])),
    check('only for tests', onlyForTests),
    check('titles', async () => idsInTitles().join('\n')),
    check('reads', async () => valuesReadOnce().join('\n')),
    check('documents', async () => outdatedDocs().join('\n')),
    check('licences', async () => foreignLicences(readLock()).join('\n')),
    check('lock', async () => lockProblems(readLock()).join('\n')),
  ]
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
}

async function problemsOf(args: readonly string[]): Promise<string> {
  const { code, output } = await runNode(args)
  return code === 0 ? '' : output
}

function knipCache(name: string): string[] {
  return ['--cache', '--cache-location', join(CACHE, `knip-${name}`)]
}

/** Exports that only tests use are dead code. */
async function onlyForTests(): Promise<string> {
  const args = ['--production', '--include', 'exports', '--reporter', 'json', '--no-exit-code', ...knipCache('product')]
  const { code, output } = await runNode([programOf('knip'), '--no-progress', ...args])
  return code === 0 ? deadExportProblems(deadExportsIn(output)).join('\n') : output
}

function idsInTitles(): string[] {
  return filesBelow('.', /\.test\.tsx?$/).flatMap(file => titleProblems(file, readSource(file)))
}

function valuesReadOnce(): string[] {
  const readers = new Set(filesBelow('journeys/driver', /\.ts$/).flatMap(file => [...readersOf(readSource(file))]))
  return filesBelow('journeys', /\.ts$/).flatMap(file => singleReads(file, readSource(file), readers))
}

/** Decisions and the changelog may name files that no longer exist. */
function outdatedDocs(): string[] {
  const present = new Set(filesBelow('.', /\.(?:ts|tsx|js)$/).map(file => basename(file)))
  return filesBelow('.', /\.md$/)
    .filter(file => !/docs\/(?:decisions|specification)|CHANGELOG/.test(file))
    .flatMap(file =>
      missingDocFiles(readSource(file), present).map(name => `${file} names ${name}, which does not exist.`),
    )
}

/**
 * The web app is a separate program (JSX, bundler resolution); all other workspaces form one, so that nothing is
 * checked twice. A later check reads only what changed. Each has one checker: further ones repeat half of the work, and
 * other checks run beside.
 */
async function typeProblems(): Promise<string> {
  const programs = ['.', 'apps/web'].map(folder => {
    const last = join(CACHE, `types-of-${basename(join(ROOT, folder))}.json`)
    const options = ['--checkers', '1', '--incremental', '--tsBuildInfoFile', last]
    return problemsOf([programOf('typescript', 'tsc'), '-p', join(ROOT, folder), ...options])
  })
  const outputs = await Promise.all(programs)
  return [...new Set(outputs.flatMap(output => output.split('\n')))].filter(line => line !== '').join('\n')
}
