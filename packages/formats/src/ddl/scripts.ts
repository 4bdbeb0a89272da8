import type { Files } from '../archive.ts'
import { bounds } from '../cdm/bounds.ts'
import { ImportError, quoted } from '../import-error.ts'

/** All scripts of an archive as one text, because scripts may refer to each other's tables. */
export type Scripts = {
  paths: readonly string[]
  text: string
  /** Maps a line of the combined text to its script and the line in it. */
  placeOf(line: number): { path: string; line: number }
}

const scriptFile = /\.(?:sql|ddl)$/i
/** Metadata files that macOS adds to archives. */
const metadataFile = /(?:^|\/)(?:__MACOSX\/|\._)/
/** Terminates an unfinished statement and line. */
const between = '\n;\n'

/** Throws ImportError if there are no scripts or they exceed the limit. */
export function loadScripts(files: Files): Scripts {
  const paths = [...files.keys()]
    .filter(path => scriptFile.test(path) && !metadataFile.test(path))
    .toSorted((a, b) => (a < b ? -1 : 1))
  if (paths.length === 0) throw new ImportError('not-sql', 'The archive has no .sql file.')
  let size = 0
  const texts = paths.map(path => {
    const content = files.get(path) ?? ''
    size += content.length
    if (size > bounds.documentBytes) {
      throw new ImportError(
        'too-large',
        `The scripts are larger than ${bounds.documentBytes / 1024 / 1024} MB together.`,
      )
    }
    return typeof content === 'string' ? content.replace(/^\uFEFF/, '') : decoded(content, path)
  })
  const starts: number[] = []
  let lines = 1
  for (const text of texts) {
    starts.push(lines)
    lines += linesOf(text) + 2
  }
  return { paths, text: texts.join(between), placeOf: line => placeOf(line, starts, paths) }
}

function placeOf(line: number, starts: readonly number[], paths: readonly string[]): { path: string; line: number } {
  const index = Math.max(
    0,
    starts.findLastIndex(start => start <= line),
  )
  return { path: paths[index] ?? '', line: line === 0 ? 0 : line - (starts[index] ?? 1) + 1 }
}

function linesOf(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** SQL Server tools write UTF-16 with a byte-order mark, others UTF-8. */
function decoded(content: Uint8Array, path: string): string {
  const [first, second] = content
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    throw new ImportError('not-text', `${quoted(path)} is neither UTF-8 nor UTF-16 text.`)
  }
}
