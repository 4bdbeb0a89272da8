/** Scripts in the order in which their migration tool plays them, and files that are not played, with the reason. */
export type PlayList = { played: readonly string[]; leftOut: readonly { path: string; reason: string }[] }

const script = /\.(?:sql|ddl|dump)(?:\.gz)?$/i
/** Read only where there are no scripts: most are not SQL. */
const plainText = /\.txt(?:\.gz)?$/i
/** Metadata files that macOS adds to archives. */
const metadata = /(?:^|\/)(?:__MACOSX\/|\._)/
const endings = /(?:\.(?:sql|ddl|dump|txt))?(?:\.gz)?$/i

/** The name of a script without folder and ending. */
export function scriptStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(endings, '')
}

/**
 * Orders the scripts of an archive: by folder and name, with numbers by value; those of Flyway by version, repeatable ones
 * last. Leaves out what undoes a migration, and what a baseline contains. `isSql`: whether a text without such an ending is SQL.
 */
export function playListOf(files: Iterable<string>, isSql: (path: string) => boolean): PlayList {
  const paths = [...files].filter(path => !metadata.test(path))
  const isScript = paths.some(path => script.test(path))
    ? (path: string) => script.test(path)
    : (path: string) => plainText.test(path) && isSql(path)
  const stems = new Set(paths.map(pathStem))
  const leftOut: { path: string; reason: string }[] = []
  const scripts: Script[] = []
  for (const path of paths) {
    const reason = isScript(path) ? undoes(path, stems) : 'it is no SQL script'
    if (reason === undefined) scripts.push(scriptAt(path))
    else leftOut.push({ path, reason })
  }
  const inOrder = scripts.toSorted((a, b) => a.turn - b.turn || byNumber(a.version, b.version) || byPath(a, b))
  const baseline = inOrder.findLast(({ kind }) => kind === 'B')
  const isContained = ({ kind, version }: Script) =>
    baseline !== undefined && 'BV'.includes(kind) && byNumber(version, baseline.version) <= 0
  const contained = inOrder.filter(one => one !== baseline && isContained(one))
  leftOut.push(...contained.map(({ path }) => ({ path, reason: 'a baseline script contains it' })))
  const played = inOrder.filter(one => one === baseline || !isContained(one))
  return { played: played.map(({ path }) => path), leftOut }
}

/** `kind`: the letter of Flyway's file names, empty for other scripts. */
type Script = { path: string; kind: string; turn: number; version: string; folders: readonly string[] }

const flyway = /^([VBR])(\d+(?:[._]\d+)*)?__/i
const undo = /^U\d+(?:[._]\d+)*__/i

function scriptAt(path: string): Script {
  const [, letter = '', version = ''] = flyway.exec(scriptStem(path)) ?? []
  const kind = letter.toUpperCase()
  const isVersioned = kind !== '' && (kind === 'R') === (version === '')
  const folders = pathStem(path).split('/')
  if (!isVersioned) return { path, kind: '', turn: 0, version: '', folders }
  return { path, kind, turn: kind === 'R' ? 2 : 1, version: version.replaceAll('_', '.'), folders }
}

const migrationFolder = /^(?:migrations?|migrate|\d{3,}.*)$/i

/** Whether a script is one of several that are played one after another: it has a version, or is in a folder of such. */
export function isVersioned(path: string): boolean {
  const stem = scriptStem(path)
  return (
    flyway.test(stem) ||
    /^\d/.test(stem) ||
    path
      .split('/')
      .slice(0, -1)
      .some(one => migrationFolder.test(one))
  )
}

/** Reason why a script is not played: it takes back what another one does. */
function undoes(path: string, stems: ReadonlySet<string>): string | undefined {
  const stem = pathStem(path)
  const [, before, separator] = /^(.*?)([./_-]|^)down$/is.exec(stem) ?? []
  const isDown = separator !== undefined && ('./'.includes(separator) || stems.has(`${before}${separator}up`))
  return isDown || undo.test(scriptStem(path)) ? 'it undoes a migration' : undefined
}

/** A path without the ending of its file. */
export function pathStem(path: string): string {
  return path.replace(endings, '')
}

const collator = new Intl.Collator('en', { numeric: true })

/** Dates are numbers with and without hyphens, as one folder can have both. */
function byNumber(a: string, b: string): number {
  return collator.compare(a.replace(dated, '$1$2$3'), b.replace(dated, '$1$2$3'))
}

const dated = /^(\d{4})-(\d{2})-(\d{2})-(?=\d)/

function byPath(a: Script, b: Script): number {
  for (const [index, folder] of a.folders.entries()) {
    const other = b.folders[index]
    const order = other === undefined ? 1 : byNumber(folder, other)
    if (order !== 0) return order
  }
  return a.folders.length - b.folders.length || (a.path < b.path ? -1 : 1)
}
