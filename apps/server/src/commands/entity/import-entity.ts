import { type ReadEntity, readEntityDocument } from '@cadmus/formats/entity-document/read'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { defaults, limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { entityProblems } from '@cadmus/model/rules/entity-content-rules'
import { parseVersion } from '@cadmus/model/version'
import { ApiError } from '../../errors/api-error.ts'
import { importRefused } from '../../errors/import-refused.ts'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Db } from '../../store/database.ts'
import { entitiesByPaths } from '../../store/entity-paths.ts'
import { isUidTaken } from '../../store/entity.ts'
import { manifestById } from '../../store/manifest.ts'
import { type Change, transact } from '../change.ts'
import { copyEntity } from './copy-entity.ts'
import { insertEntity } from './insert-entity.ts'
import { placesInContent } from './invalid-entity.ts'

export type ReportLine = { severity: 'error' | 'warning' | 'info'; path: string; message: string }
export type ImportedEntity = { id: number; report: ReportLine[] }

/** A new entity from a file, in a manifest or in none. Answers its id and what the file brought that needs a look. */
export async function importEntity(
  change: Change,
  file: { fileName: string; bytes: Uint8Array },
  manifestId: number,
): Promise<ImportedEntity> {
  const read = readFile(file)
  return transact(change, 4, async (tx, work) => {
    const report: ReportLine[] = read.report.map(({ level, path, message }) => ({ severity: level, path, message }))
    const say = (severity: ReportLine['severity'], path: string, message: string) =>
      void report.push({ severity, path, message })
    const connected = await connect(tx, change.organisationId, read.content, manifestId, say)
    const content = await identify(tx, change.organisationId, connected, say)
    for (const problem of entityProblems(content)) say('warning', placesInContent(problem), problem.message)
    const id = await insertEntity(tx, change, work, {
      content,
      manifestId,
      version: read.version !== null && parseVersion(read.version) ? read.version : defaults.version,
      places: placesInContent,
      description: messages.audit.imported(content.name),
      isFromFile: true,
    })
    return { id, report }
  })
}

type Say = (severity: ReportLine['severity'], path: string, message: string) => void

function readFile({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): ReadEntity {
  if (bytes.byteLength > limits.requestBody) throw new ApiError(413, 'too_large', messages.entityFileTooLarge)
  try {
    return readEntityDocument(bytes, fileName)
  } catch (error) {
    throw importRefused(error)
  }
}

/** References name entities by path: those that are here are found, else a namesake of the manifest. The others stay open. */
async function connect(
  tx: Db,
  organisationId: number,
  content: EntityContent,
  manifestId: number,
  say: Say,
): Promise<EntityContent> {
  const manifest = manifestId > 0 ? await manifestById(tx, organisationId, manifestId) : undefined
  const near = manifest ? await namesInClosure(tx, organisationId, manifest) : []
  const namesakes = new Map(near.map(reference => [foldName(reference.name), reference]))
  const byPath = await entitiesByPaths(tx, organisationId, pathsIn(content))
  const found = (place: string, reference: EntityReference): EntityReference => {
    const here = byPath.get(reference.path) ?? namesakes.get(foldName(reference.name))
    if (!here) say('warning', place, messages.openReference(reference.name))
    return here ?? { ...reference, id: -1 }
  }
  return {
    ...content,
    extendsEntity: content.extendsEntity && found('extendsEntity', content.extendsEntity),
    entityAttributes: content.entityAttributes.map(item => {
      const place = `entityAttributes.${item.foreignKeyTypeAttribute}`
      return {
        ...item,
        associatedEntity: found(place, item.associatedEntity),
        alternativeTargets: item.alternativeTargets.map(({ entity, attribute }) => ({
          entity: found(place, entity),
          attribute,
        })),
      }
    }),
  }
}

/** A uid that another entity has makes this one a copy. What is imported is an ordinary entity of the organisation. */
async function identify(tx: Db, organisationId: number, content: EntityContent, say: Say): Promise<EntityContent> {
  if (content.type !== 'EXCLUSIVE') say('info', 'type', messages.importedAsExclusive)
  if (!(await isUidTaken(tx, organisationId, content.uid))) return { ...content, type: 'EXCLUSIVE' }
  say('info', 'uid', messages.importedAsCopy)
  return copyEntity(content)
}

function pathsIn(content: EntityContent): string[] {
  return [
    ...(content.extendsEntity ? [content.extendsEntity.path] : []),
    ...content.entityAttributes.flatMap(item => [
      item.associatedEntity.path,
      ...item.alternativeTargets.map(({ entity }) => entity.path),
    ]),
  ]
}
