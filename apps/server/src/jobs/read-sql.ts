import { readSqlText } from '@cadmus/formats/ddl/read'
import { ImportError } from '@cadmus/formats/import-error'
import { importedContent } from '@cadmus/formats/imported-model'
import { columnName, columnsOf } from '@cadmus/model/columns'
import { readSqlText as call } from '@cadmus/model/contract/text'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { textTexts } from '@cadmus/model/messages/text'
import { foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { importLines } from './import-lines.ts'
import { visibleLine } from './packed-entities.ts'

/** The answer as JSON, or the reason why there is none. */
export type ReadSql = { json: Uint8Array } | { refused: string }

/** The tables of a script as contents of new entities. */
export function readSql(sql: string, options: { database?: DatabaseType | undefined }): ReadSql {
  try {
    const { database, entities, report } = readSqlText(sql, options)
    const uids = new Map(entities.map(({ corpusPath }) => [corpusPath, newUid()]))
    const references = new Map(
      entities.map(({ corpusPath, name }) => [corpusPath, { id: -1, uid: uids.get(corpusPath) ?? '', name, path: '' }]),
    )
    const contents = entities.map(entity => {
      const uid = uids.get(entity.corpusPath) ?? newUid()
      return importedContent(entity, { uid, type: 'EXCLUSIVE', referenceOf: path => references.get(path) })
    })
    if (isLongerThan(limits.sqlTextAnswer, contents)) return { refused: textTexts.sqlTooLarge }
    const lines = importLines({ report })
    const answer = call.answer.parse({
      database,
      entities: withTargets(contents),
      report: lines.slice(0, limits.importReportLines).map(visibleLine),
      reportLines: lines.length,
    })
    return { json: new TextEncoder().encode(JSON.stringify(answer)) }
  } catch (error) {
    if (error instanceof ImportError) return { refused: error.message }
    throw error
  }
}

/** Whether contents are longer as JSON, without writing all of it. */
function isLongerThan(max: number, contents: readonly EntityContent[]): boolean {
  let length = 0
  for (const content of contents)
    for (const part of [{ ...content, typeAttributes: [], entityAttributes: [] }, ...columnsOf(content)]) {
      length += JSON.stringify(part).length
      if (length > max) return true
    }
  return false
}

/** Relationships with the uids of the columns that they refer to. */
function withTargets(contents: readonly EntityContent[]): EntityContent[] {
  const columns = new Map(
    contents.map(content => [
      content.uid,
      new Map(columnsOf(content).map(column => [foldName(columnName(column)), column.uid])),
    ]),
  )
  return contents.map(content => ({
    ...content,
    entityAttributes: content.entityAttributes.map(relationship => ({
      ...relationship,
      associatedEntityTypeAttributeUid:
        columns
          .get(relationship.associatedEntity.uid ?? '')
          ?.get(foldName(relationship.associatedEntityTypeAttribute)) ?? null,
    })),
  }))
}
