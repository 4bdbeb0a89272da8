import { fileEnd } from '@cadmus/sql/read/lexer'
import type { Files } from '../archive.ts'
import { bounds } from '../cdm/bounds.ts'
import type { ReadOptions } from '../cdm/folder.ts'
import { ImportError } from '../import-error.ts'
import { afterDump, type PlayedScript } from './dumped-state.ts'
import { playListOf } from './play-order.ts'
import { forOneDatabase } from './script-databases.ts'
import { scriptText } from './script-text.ts'
import { linesIn, upSections } from './sections.ts'

/** All scripts of an archive as one text in the order of their migrations, because scripts refer to each other's tables. */
export type Scripts = {
  paths: readonly string[]
  text: string
  /** Maps a line of the combined text to its script and the line in it. */
  placeOf(line: number): { path: string; line: number }
  /** What is not read, and how the rest is. */
  remarks: readonly { path: string; message: string }[]
}

/** Terminates an unfinished statement, batch and line. */
const between = `\n${fileEnd}\n`

/** Throws ImportError if there are no scripts or they exceed the limit. */
export function loadScripts(
  files: Files,
  { isSingle = false, database }: Pick<ReadOptions, 'isSingle' | 'database'> = {},
): Scripts {
  const { played, leftOut: unplayed } = isSingle
    ? { played: [...files.keys()], leftOut: [] }
    : playListOf(files.keys(), sqlDetector(files))
  const { paths, leftOut: others } = forOneDatabase(played, isSingle ? undefined : database)
  const leftOut = [...unplayed, ...others]
  if (paths.length === 0) throw new ImportError('not-sql', 'The archive has no .sql file.')
  const remarks = leftOut.map(({ path, reason }) => ({ path, message: `The file is not read: ${reason}.` }))
  let left: number = bounds.documentBytes
  const all = paths.map((path): PlayedScript => {
    const content = files.get(path) ?? ''
    if (content.length > left) throw tooLarge()
    const { text, remark } = scriptText(content, path, left)
    left -= Math.max(content.length, text.length)
    if (left < 0) throw tooLarge()
    if (remark !== null) remarks.push({ path, message: remark })
    const { text: up, undone } = upSections(text)
    for (const lines of undone)
      remarks.push({ path, message: `${lineRange(lines)} not read: a migration is undone there.` })
    return { path, text: up }
  })
  const { played: read, remarks: contained } = afterDump(all)
  remarks.push(...contained)
  const starts: number[] = []
  let lines = 1
  for (const { text } of read) {
    starts.push(lines)
    lines += linesIn(text) + 2
  }
  const playedPaths = read.map(({ path }) => path)
  const text = read.map(one => one.text).join(between)
  return { paths: playedPaths, text, placeOf: line => placeOf(line, starts, playedPaths), remarks }
}

/** Whether the text of a file looks like a script. All texts together are limited, compressed ones as well. */
function sqlDetector(files: Files): (path: string) => boolean {
  let left: number = bounds.documentBytes
  return path => {
    const { text } = scriptText(files.get(path) ?? '', path, left)
    left -= text.length
    if (left < 0) throw tooLarge()
    return /\bcreate\s[^;]{0,40}\btable\b/i.test(text)
  }
}

function tooLarge(): ImportError {
  const megabytes = bounds.documentBytes / 1024 / 1024
  return new ImportError('too-large', `The scripts are larger than ${megabytes} MB together.`)
}

function lineRange([first, last]: readonly [number, number]): string {
  return first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`
}

function placeOf(line: number, starts: readonly number[], paths: readonly string[]): { path: string; line: number } {
  if (line === 0) return { path: paths[0] ?? '', line }
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return { path: paths[low] ?? '', line: line - (starts[low] ?? 1) + 1 }
}
