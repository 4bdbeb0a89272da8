import { inReportOrder, type ReportLine } from '@cadmus/formats/cdm/report'
import type { FullImportLine } from '../commands/manifest/import-messages.ts'

type Line = Omit<ReportLine, 'kind'> & Partial<Pick<ReportLine, 'kind'>>

/** The lines of a report, with those that arose when its model was stored. */
export function reportLines(
  { report }: { report: readonly ReportLine[] },
  stored: readonly FullImportLine[] = [],
): Line[] {
  const lines = stored.map(({ severity, ...line }): Line => ({ ...line, level: severity }))
  return inReportOrder([...lines, ...report])
}

export function importLines(...lines: Parameters<typeof reportLines>): FullImportLine[] {
  return reportLines(...lines).map(({ level, entity: _entity, ...line }) => ({ severity: level, ...line }))
}
