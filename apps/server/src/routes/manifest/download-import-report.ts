import { writeCsv } from '@cadmus/formats/csv'
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
  const lines: ImportLine[] = []
  for await (const body of reportPages(store.of(organisation.id), organisation.id, job.id)) {
    request.signal.throwIfAborted()
    for (const line of unpackLines(body)) lines.push(line)
  }
  const { text, type, ending } = query.format === 'csv' ? asCsv(lines) : asText(lines)
  return request.sendBinary(new TextEncoder().encode(text), `import-report.${ending}`, `${type}; charset=utf-8`)
})

function asCsv(lines: readonly ImportLine[]) {
  const rows = lines.map(({ severity, path, message }) => [severity, path, message])
  return { text: writeCsv([['Severity', 'Place', 'Message'], ...rows]), type: 'text/csv', ending: 'csv' }
}

function asText(lines: readonly ImportLine[]) {
  const text = lines.map(({ severity, path, message }) => `${severity}: ${path}: ${message}\n`).join('')
  return { text, type: 'text/plain', ending: 'txt' }
}
