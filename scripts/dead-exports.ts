/** An export as knip reports it. */
export interface DeadExport {
  readonly file: string
  readonly name: string
}

interface Exception extends DeadExport {
  readonly reason: string
}

const edits = 'every edit can be applied and taken back, also where the page does not yet'

/** Exports that only tests use, for now, and why they stay. One that the product uses, or that is gone, leaves this list. */
const exceptions: readonly Exception[] = [
  { file: 'packages/model/src/edits/manifest-edits.ts', name: 'invertManifestEdits', reason: edits },
]

/** What `knip --production` calls unused, as JSON, without what is there for tests. */
export function deadExportsIn(report: string): DeadExport[] {
  const { issues }: { issues: { file: string; exports?: { name: string }[] }[] } = JSON.parse(report)
  return issues
    .filter(({ file }) => !file.includes('/testing/'))
    .flatMap(({ file, exports = [] }) => exports.map(({ name }) => ({ file, name })))
}

export function deadExportProblems(dead: readonly DeadExport[], known: readonly Exception[] = exceptions): string[] {
  const same = (one: DeadExport) => (other: DeadExport) => one.file === other.file && one.name === other.name
  return [
    ...dead.filter(one => !known.some(same(one))).map(({ file, name }) => `${file}: only tests use ${name}.`),
    ...known
      .filter(one => !dead.some(same(one)))
      .map(({ file, name }) => `${file}: ${name} is no exception any more (scripts/dead-exports.ts).`),
  ]
}
