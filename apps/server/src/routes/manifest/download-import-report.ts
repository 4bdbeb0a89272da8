import { setImmediate as nextTurn } from 'node:timers/promises'
import { csvLines, writeCsv } from '@cadmus/formats/csv'
import { downloadImportReport } from '@cadmus/model/contract/manifest-transfer'
import type { ImportLine } from '../../commands/manifest/import-messages.ts'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { unpackLines } from '../../jobs/report-page.ts'
import { reportPages } from '../../store/import-report.ts'
import { jobAt } from '../../store/job.ts'

export const downloadImportReportRoute = handle(downloadImportReport, async ({ params, query }, request) => {
  const { context, organisation } = request
  const { store } = context
  const job = await jobAt(store.shared, { organisationId: organisation.id, kind: 'import', key: params.key })
  if (job?.state !== 'done') throw notFound('The report')
  const format = formats[query.format]
  const pages = reportPages(store.of(organisation.id), organisation.id, job.id)
  return request.sendBinary(
    reportChunks(pages, format, request.signal),
    `import-report.${format.ending}`,
    `${format.type}; charset=utf-8`,
  )
})

type Format = { head: string; write: (lines: readonly ImportLine[]) => string }

/** Streams page by page, with other requests in between: a report may have 500,000 lines. */
async function* reportChunks(
  pages: AsyncIterable<string>,
  { head, write }: Format,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (head !== '') yield Buffer.from(head)
  for await (const body of pages) {
    signal.throwIfAborted()
    yield Buffer.from(write(unpackLines(body)))
    await nextTurn()
  }
}

const formats = {
  csv: {
    head: writeCsv([['Severity', 'Place', 'Message']]),
    write: (lines: readonly ImportLine[]) =>
      csvLines(lines.map(({ severity, path, message }) => [severity, path, message])),
    type: 'text/csv',
    ending: 'csv',
  },
  text: {
    head: '',
    write: (lines: readonly ImportLine[]) =>
      lines.map(({ severity, path, message }) => `${severity}: ${path}: ${message}\n`).join(''),
    type: 'text/plain',
    ending: 'txt',
  },
}
