import { inReportOrder, type ReportLine } from '@cadmus/formats/cdm/report'
import type { FullImportLine } from '../commands/manifest/import-messages.ts'

/** The lines of a report, with those that arose when its model was stored. */
export function importLines(
  { report }: { report: readonly ReportLine[] },
  stored: readonly FullImportLine[] = [],
): FullImportLine[] {
  const lines = stored.map(({ severity, ...line }) => ({ ...line, level: severity }))
  return inReportOrder([...lines, ...report]).map(({ level, ...line }) => ({ severity: level, ...line }))
}
