import { databaseTypeTable } from '@cadmus/model/database-types'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { printModel } from '@cadmus/model/text/print'
import { messageOf } from '../api/error.ts'
import { readSql } from '../api/sql-text.ts'
import { notify } from '../ui/notices.ts'

/** The tables of a SQL script as the text of a model; null if it cannot be read, and a notice says why. */
export async function textOfSql(manifestId: number, sql: string): Promise<string | null> {
  try {
    const { database, entities, report, reportLines } = await readSql(manifestId, sql)
    const lost = report.filter(({ severity }) => severity !== 'info').map(({ message }) => message)
    notify(
      lost.length > 0 ? 'warning' : 'info',
      paneTexts.readSql(databaseTypeTable[database].label, lost, reportLines),
    )
    const contents = entities.map((content, index) => ({
      // Not stored yet: any ids that differ.
      id: -2 - index,
      path: '',
      content,
      isEditable: true,
      primaryKey: null,
    }))
    return printModel({ project: null, entities: contents, others: [] }).text
  } catch (failure) {
    notify('error', messageOf(failure, paneTexts.sqlNotRead))
    return null
  }
}
