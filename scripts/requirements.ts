export interface Quotation {
  readonly id: string
  readonly file: string
  readonly title: string
}

const ROW = /^\| ([EM]\d+\.\d+) \|/gm
const IDS = '[EM]\\d+\\.\\d+'

/** The ids of a table of requirements, in order. */
export function requirementIds(page: string): string[] {
  return [...page.matchAll(ROW)].flatMap(([, id]) => id ?? [])
}

/**
 * The ids quoted beside titles: `it('Name pattern', holds('E5.1', 'E5.2'), …)`, or with further options `{ ...holds(…),
 * timeout }`.
 */
export function quotationsIn(file: string, source: string): Quotation[] {
  const call = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1,\s*(?:\{\s*\.\.\.)?holds\(([^)]*)\)/g
  return [...source.matchAll(call)].flatMap(([, , title = '', ids = '']) =>
    [...ids.matchAll(new RegExp(IDS, 'g'))].map(([id]) => ({ id, file, title: title.replaceAll('\\', '').trim() })),
  )
}

/** Titles are sentences: ids in a title, or in a table of cases that becomes one, belong beside it. */
export function titleProblems(file: string, source: string): string[] {
  const text = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g
  return [...source.matchAll(text)]
    .flatMap(([, , words = '']) => words)
    .filter(words => new RegExp(`\\b${IDS}\\b`).test(words) && !new RegExp(`^${IDS}$`).test(words))
    .map(words => `${file}: the ids of '${words}' belong beside it, in holds().`)
}

/** docs/specification.md: the tests of each requirement, and requirements without a test. */
export function specificationPage(
  ids: readonly string[],
  quotations: readonly Quotation[],
  testsWithoutAssertion: readonly string[],
): string {
  const sections = Map.groupBy(ids, id => id.split('.')[0] ?? '')
  const held = new Set(quotations.map(({ id }) => id))
  const count = (list: readonly string[]): number => list.filter(id => held.has(id)).length
  return [
    '# Which test holds which requirement',
    '',
    'Written by `npm run specification` from what the tests say that they hold; E… numbers the statements of the first specification',
    '(entities), M… those of the second (manifests and packages).',
    '',
    `${count(ids)} of ${ids.length} requirements are quoted by a test; ${ids.length - count(ids)} are not yet.`,
    `Tests without an assertion: ${testsWithoutAssertion.length}.`,
    ...[...sections].flatMap(([section, list]) => sectionOf(section, list, quotations, count(list))),
    '',
  ].join('\n')
}

function sectionOf(section: string, ids: readonly string[], quotations: readonly Quotation[], held: number): string[] {
  const rows = ids.flatMap(id => quotations.filter(quotation => quotation.id === id).map(rowOf))
  const missing = ids.filter(id => !quotations.some(quotation => quotation.id === id))
  return [
    '',
    `## ${section} (${held} of ${ids.length})`,
    ...(rows.length === 0 ? [] : ['', '| id | test |', '|---|---|', ...rows]),
    ...(missing.length === 0 ? [] : ['', `Without a test: ${missing.join(' ')}`]),
  ]
}

function rowOf({ id, file, title }: Quotation): string {
  return `| ${id} | \`${file}\` ${title.replaceAll('|', '\\|')} |`
}
