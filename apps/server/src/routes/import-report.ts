import { setImmediate as nextTurn } from 'node:timers/promises'
import { textAt } from '@cadmus/formats/cdm/report'
import { csvLines, writeCsv } from '@cadmus/formats/csv'
import type { downloadImportReport } from '@cadmus/model/contract/manifest-transfer'
import type { HandlerInput } from '@cadmus/model/contract/call'
import type { FullImportLine, ImportLine } from '../commands/manifest/import-messages.ts'
import { unpackLines } from '../jobs/packed-entities.ts'

type FormatName = HandlerInput<typeof downloadImportReport>['query']['format']

/** `between`: separates pages. */
type Format = {
  type: string
  ending: string
  head: string
  between: string
  tail: string
  write: (lines: readonly FullImportLine[]) => string
}

/** The report as a file of a format, page by page. */
export function reportFile(
  name: FormatName,
  pages: AsyncIterable<string>,
  signal: AbortSignal,
): { content: AsyncGenerator<Uint8Array>; type: string; ending: string } {
  const format = formats[name]
  return { content: reportChunks(pages, format, signal), type: format.type, ending: format.ending }
}

/** Other requests run in between: a report may have 500,000 lines. */
async function* reportChunks(
  pages: AsyncIterable<string>,
  { head, between, tail, write }: Format,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (head !== '') yield Buffer.from(head)
  let isFirst = true
  for await (const body of pages) {
    signal.throwIfAborted()
    yield Buffer.from(`${isFirst ? '' : between}${write(unpackLines(body))}`)
    isFirst = false
    await nextTurn()
  }
  if (tail !== '') yield Buffer.from(tail)
}

const formats: Readonly<Record<FormatName, Format>> = {
  csv: {
    type: 'text/csv',
    ending: 'csv',
    head: writeCsv([['Severity', 'Place', 'Message']]),
    between: '',
    tail: '',
    write: lines => csvLines(lines.flatMap(findingsOf).map(({ severity, path, message }) => [severity, path, message])),
  },
  text: {
    type: 'text/plain',
    ending: 'txt',
    head: '',
    between: '',
    tail: '',
    write: lines => lines.flatMap(findingsOf).map(textLine).join(''),
  },
  json: {
    type: 'application/json',
    ending: 'json',
    head: '[',
    between: ',\n',
    tail: ']\n',
    write: lines => lines.map(line => JSON.stringify(line)).join(',\n'),
  },
}

/** A line for each place of its findings. */
function findingsOf({ text, places, ...line }: FullImportLine): ImportLine[] {
  if (text === undefined || places === undefined) return [line]
  return places.map(place => ({ ...line, path: place.path, message: textAt(text, place) }))
}

function textLine({ severity, kind, path, message }: ImportLine): string {
  return [kind ?? severity, path, message].filter(part => part !== '').join(': ') + '\n'
}
