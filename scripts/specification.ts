// `npm run specification`: writes docs/specification.md, which lists the tests of each requirement, if the numbered
// requirements are available. Fails on unknown ids and on tests without an assertion.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf, ROOT, runNode } from './processes.ts'
import { type Quotation, quotationsIn, requirementIds, specificationPage } from './requirements.ts'
import { filesBelow, readSource } from './sources.ts'

const REQUIREMENTS = join(ROOT, '../shared/spec')
const PAGE = join(ROOT, 'docs/specification.md')

if (existsSync(REQUIREMENTS)) await writePage()
else console.log('The numbered requirements are not available; docs/specification.md is unchanged.')

async function writePage(): Promise<void> {
  const ids = readdirSync(REQUIREMENTS)
    .filter(name => /^requirements-.*\.md$/.test(name))
    .sort()
    .flatMap(name => requirementIds(readFileSync(join(REQUIREMENTS, name), 'utf8')))
  const quotations = filesBelow('.', /\.test\.tsx?$/).flatMap(file => quotationsIn(file, readSource(file)))
  const idle = await testsWithoutAssertion()
  mkdirSync(join(ROOT, 'docs'), { recursive: true })
  writeFileSync(PAGE, specificationPage(ids, quotations, idle))
  const unknown = quotations.filter(({ id }) => !ids.includes(id))
  report(ids, quotations, unknown, idle)
}

function report(
  ids: readonly string[],
  quotations: readonly Quotation[],
  unknown: readonly Quotation[],
  idle: readonly string[],
): void {
  const held = new Set(quotations.map(({ id }) => id))
  console.log(`${ids.filter(id => held.has(id)).length} of ${ids.length} requirements are quoted by a test.`)
  for (const { id, file } of unknown) console.error(`${file} quotes ${id}, which no requirement has.`)
  for (const test of idle) console.error(test)
  if (unknown.length + idle.length > 0) process.exitCode = 1
}

/** Reported by the lint rule expect-expect with this repository's settings. */
async function testsWithoutAssertion(): Promise<string[]> {
  const { output } = await runNode([programOf('oxlint'), '--format', 'unix', '.'])
  return output.split('\n').filter(line => line.includes('vitest(expect-expect)'))
}
