import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { missingDocFiles } from './doc-files.ts'
import { deadExportProblems, deadExportsIn } from './dead-exports.ts'
import { foreignLicences, type Lock, lockProblems } from './lock.ts'
import { programOf, ROOT, runNode } from './processes.ts'
import { titleProblems } from './requirements.ts'
import { filesBelow, readSource } from './sources.ts'
import { check, type Stage } from './stages.ts'

/** The checks that do not run any tests. */
export function staticChecks(): Stage[] {
  return [
    check('format', () => problemsOf([programOf('oxfmt'), '--check', '.'])),
    check('lint', () => problemsOf([programOf('oxlint'), '--deny-warnings', '.'])),
    check('types', typeProblems),
    check('dead code', () => problemsOf([programOf('knip'), '--no-progress'])),
    check('only for tests', onlyForTests),
    check('titles', async () => idsInTitles().join('\n')),
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

/** Exports that only tests use are dead code. */
async function onlyForTests(): Promise<string> {
  const args = ['--production', '--include', 'exports', '--reporter', 'json', '--no-exit-code']
  const { code, output } = await runNode([programOf('knip'), '--no-progress', ...args])
  return code === 0 ? deadExportProblems(deadExportsIn(output)).join('\n') : output
}

function idsInTitles(): string[] {
  return filesBelow('.', /\.test\.tsx?$/).flatMap(file => titleProblems(file, readSource(file)))
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
 * checked twice.
 */
async function typeProblems(): Promise<string> {
  const programs = ['.', 'apps/web'].map(folder =>
    problemsOf([programOf('typescript', 'tsc'), '-p', join(ROOT, folder)]),
  )
  const outputs = await Promise.all(programs)
  return [...new Set(outputs.flatMap(output => output.split('\n')))].filter(line => line !== '').join('\n')
}
