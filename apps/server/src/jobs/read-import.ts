import { once } from 'node:events'
import { bounds } from '@cadmus/formats/cdm/bounds'
import { refusalsWithout } from '@cadmus/formats/ddl/export-problems'
import { ImportError } from '@cadmus/formats/import-error'
import { importFormatOf, readUpload, uploadStem } from '@cadmus/formats/import-formats'
import { countsOfEntity } from '@cadmus/formats/import-review'
import { limits } from '@cadmus/model/limits'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { hiddenCharacters, manifestName } from '@cadmus/model/rules/names'
import type { ImportedEntity, ImportedModel } from '@cadmus/formats/imported-model'
import type { MessagePort } from 'node:worker_threads'
import type {
  FromReader,
  ImportInput,
  FullImportLine,
  ImportLine,
  ImportOutcome,
  Outside,
  ToReader,
} from '../commands/manifest/import-messages.ts'
import type { PreparedEntity } from '../store/import-run.ts'
import { inWeighedBatches } from '../store/statements.ts'
import { importLines } from './import-lines.ts'
import { ImportPlan } from './import-plan.ts'
import { PackedEntities, packLines, visibleLine } from './packed-entities.ts'
import { progressReporter } from './progress-reporter.ts'

/** Limits of one transaction. Other writes run between two of them, and each costs a commit. Weight in characters. */
const slice = { items: 50, weight: 500_000 }
const reportPage = { items: 2000, weight: 20_000 }

/** Reads an upload and sends its rows in slices, each after the previous one was stored. */
export async function readImportFile(input: ImportInput): Promise<ImportOutcome> {
  const { port } = input
  try {
    const chosen = chosenEntities(input)
    const { model, entities: packed, outside, files, leftOut } = modelOf(input, chosen.take)
    const plan = new ImportPlan(model, packed, await requestPlaces(port, model, packed, outside), leftOut)
    let relationships = 0
    // Prepares one slice while the previous one is being stored.
    let stored: Promise<unknown> = Promise.resolve()
    for (const entities of inWeighedBatches(plan.entities(), slice, ({ body }) => body.length)) {
      for (const entity of entities) relationships += relationshipsOf(entity)
      await stored
      stored = request(port, { kind: 'entities', entities })
    }
    await stored
    await request(port, { kind: 'manifests', manifests: plan.manifests() })
    const counts = {
      files,
      entities: packed.size,
      manifests: model.manifests.length,
      relationships,
    }
    const lines = importLines(model, [
      ...plan.report,
      ...leftOutLines(leftOut),
      ...refusalLines(model, chosen.entities),
    ])
    for (const [page, part] of [...inWeighedBatches(lines, reportPage, placesOf)].entries()) {
      await request(port, { kind: 'report', page, body: packLines(part) })
    }
    const report = lines.slice(0, limits.importReportLines).map(visibleLine)
    return { refused: null, rootId: plan.rootId, counts, report, reportLines: lines.length }
  } catch (error) {
    if (error instanceof ImportError) return { refused: error.message, roots: error.roots }
    throw error
  } finally {
    port.close()
  }
}

/** The counts of the report are those of the file. */
function leftOutLines(leftOut: readonly ImportedEntity[]): ImportLine[] {
  if (leftOut.length === 0) return []
  const counts = leftOut.map(countsOfEntity)
  const sum = (of: 'attributes' | 'relationships') => counts.reduce((total, count) => total + count[of], 0)
  const message = reviewTexts.leftOut(leftOut.length, sum('attributes'), sum('relationships'))
  return [{ severity: 'info', kind: 'read', path: '', message }]
}

/** Collects what is imported if something is left out, unless it is too much to be checked. */
export function chosenEntities({ leftOut }: Pick<ImportInput, 'leftOut'>) {
  const entities: ImportedEntity[] = []
  let columns = leftOut.length === 0 ? Infinity : 0
  const take = (entity: ImportedEntity) => {
    columns += entity.typeAttributes.length + entity.entityAttributes.length
    if (columns <= bounds.checkedColumns) entities.push(entity)
    else entities.length = 0
  }
  return { entities, take }
}

/** What exports would refuse of the rest of a file. */
export function refusalLines(model: ImportedModel, entities: readonly ImportedEntity[]): ImportLine[] {
  if (entities.length === 0) return []
  return refusalsWithout(model, entities).map(({ message, entity }) => ({
    severity: 'error',
    kind: 'problem',
    path: entity.replace(/^\//, ''),
    message,
  }))
}

/**
 * Drops the unpacked files after reading, so that they use no memory while rows are stored. `onEntity` receives each
 * entity that is imported.
 */
export function modelOf(
  { kind, bytes, fileName, root, asksForRoot, database, leftOut: indexes, port }: ImportInput,
  onEntity: (entity: ImportedEntity, index: number) => void = () => undefined,
) {
  const { files, isSingle } = readUpload(kind, fileName, bytes)
  const entities = new PackedEntities()
  const outside = new Map<string, Outside>()
  const omitted = new Set(indexes)
  const leftOut: ImportedEntity[] = []
  let index = 0
  const take = (entity: ImportedEntity) => {
    const at = index++
    if (omitted.has(at)) return void leftOut.push(entity)
    entities.add(entity)
    onEntity(entity, at)
    for (const one of outsideOf(entity)) outside.set(one.path, one)
  }
  const chosen = root === undefined ? { asksForRoot } : { root }
  const model = importFormatOf(kind, files).read(files, {
    ...chosen,
    isSingle,
    database,
    onProgress: progressReporter(port),
    take,
  })
  return {
    model: nameAfterFile(uploadStem(kind, fileName), model),
    entities,
    outside: [...outside.values()],
    files: files.size,
    leftOut,
  }
}

/** References to entities outside the file. Corpus paths start with a slash, other paths do not. */
function outsideOf({ entityAttributes }: ImportedEntity): Outside[] {
  return entityAttributes
    .flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity,
      ...alternativeTargets.map(({ entity }) => entity),
    ])
    .filter(({ path }) => !path.startsWith('/'))
}

/** An unnamed root manifest takes the file's name, if that yields a valid name. */
function nameAfterFile(stem: string, model: ImportedModel): ImportedModel {
  const [root, ...others] = model.manifests
  if (root?.name.toLowerCase() !== 'default' || hiddenCharacters(stem) !== undefined) return model
  const name = manifestName(stem) === undefined ? stem : toValidName(stem)
  return manifestName(name) === undefined ? { ...model, name, manifests: [{ ...root, name }, ...others] } : model
}

/** Joins letters and digits with underscores: `my-model (2)` becomes `my_model_2`. */
function toValidName(text: string): string {
  const plain = text.slice(0, 500).normalize('NFKD').replace(/\p{M}/gu, '')
  const words = plain.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  const first = words.findIndex(word => /^[A-Za-z]/.test(word))
  return first < 0 ? '' : words.slice(first).join('_').slice(0, limits.manifestName.max).replace(/_$/, '')
}

/** A relationship may refer to several entities. */
function relationshipsOf({ references }: PreparedEntity): number {
  return new Set(references.map(item => item.attributeUid).filter(uid => uid !== '')).size
}

export async function requestPlaces(
  port: MessagePort,
  { manifests }: ImportedModel,
  { places }: PackedEntities,
  outside: Outside[],
) {
  // Attributes of an entity without uid are always new.
  const columns = places.flatMap(({ uid, columns: pairs }) =>
    uid === null ? [] : pairs.filter((_, at) => at % 2 === 1),
  )
  const uids = [...[...places, ...manifests].flatMap(({ uid }) => uid ?? []), ...columns]
  const subManifestPaths = new Set(manifests.flatMap(({ subManifests }) => subManifests))
  const answer = await request(port, {
    kind: 'counted',
    entities: places.length,
    manifests: manifests.length,
    tops: manifests.filter(({ path }) => !subManifestPaths.has(path)).length,
    uids,
    outside,
  })
  if (answer.kind !== 'places') throw new Error('The import received no ids.')
  return answer
}

export async function request(port: MessagePort, message: FromReader): Promise<ToReader> {
  const response = once(port, 'message')
  port.postMessage(message)
  const [answer]: ToReader[] = await response
  if (answer === undefined) throw new Error('The import received no answer.')
  return answer
}

function placesOf({ places = [] }: FullImportLine): number {
  return places.length + 1
}
