/** An export as knip reports it. */
export interface DeadExport {
  readonly file: string
  readonly name: string
}

interface Exception extends DeadExport {
  readonly reason: string
}

const edits = 'every edit can be applied and taken back, also where the page does not yet'

/**
 * Exports that only tests use for now, with the reason. Entries that are used by the product or no longer exist must be
 * removed.
 */
const exceptions: readonly Exception[] = [
  { file: 'packages/model/src/edits/manifest-edits.ts', name: 'invertManifestEdits', reason: edits },
]

/** Unused exports in the JSON report of `knip --production`, without those in testing folders. */
export function deadExportsIn(report: string): DeadExport[] {
  const { issues }: { issues: { file: string; exports?: { name: string }[] }[] } = JSON.parse(report)
  return issues
    .filter(({ file }) => !file.includes('/testing/'))
    .flatMap(({ file, exports = [] }) => exports.map(({ name }) => ({ file, name })))
}

export function deadExportProblems(dead: readonly DeadExport[], allowed: readonly Exception[] = exceptions): string[] {
  const same = (one: DeadExport) => (other: DeadExport) => one.file === other.file && one.name === other.name
  return [
    ...dead.filter(one => !allowed.some(same(one))).map(({ file, name }) => `${file}: only tests use ${name}.`),
    ...allowed
      .filter(one => !dead.some(same(one)))
      .map(({ file, name }) => `${file}: ${name} no longer needs an exception (scripts/dead-exports.ts).`),
  ]
}
