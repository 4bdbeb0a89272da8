export interface Quotation {
  readonly id: string
  readonly file: string
  readonly title: string
}

const ROW = /^\| ([EM]\d+\.\d+) \|/gm
const IDS = '[EM]\\d+\\.\\d+'

/** The ids of a table of requirements, in its order. */
export function requirementIds(page: string): string[] {
  return [...page.matchAll(ROW)].flatMap(([, id]) => id ?? [])
}

/** The ids that a test file quotes, each beside a title: `it('Name pattern', holds('E5.1', 'E5.2'), …)`, with other options `{ ...holds(…), timeout }`. */
export function quotationsIn(file: string, source: string): Quotation[] {
  const call = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1,\s*(?:\{\s*\.\.\.)?holds\(([^)]*)\)/g
  return [...source.matchAll(call)].flatMap(([, , title = '', ids = '']) =>
    [...ids.matchAll(new RegExp(IDS, 'g'))].map(([id]) => ({ id, file, title: title.replaceAll('\\', '').trim() })),
  )
}

/** Titles are sentences: an id among the words of one, or of a text in a table of cases, which becomes one, belongs beside it. */
export function titleProblems(file: string, source: string): string[] {
  const text = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g
  return [...source.matchAll(text)]
    .flatMap(([, , words = '']) => words)
    .filter(words => new RegExp(`\\b${IDS}\\b`).test(words) && !new RegExp(`^${IDS}$`).test(words))
    .map(words => `${file}: the ids of '${words}' belong beside it, in holds().`)
}

/** docs/specification.md: which test holds which requirement, and which requirement none. */
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
