import type { Files } from '../archive.ts'
import { bounds } from '../cdm/bounds.ts'
import { isInvalidList, isObject, listOf, nameOf, parseJson, textOf, type JsonObject } from '../cdm/json.ts'
import { checkSignal, type ReadOptions } from '../cdm/folder.ts'
import { Report } from '../cdm/report.ts'
import { ImportError, isAboutOneDocument, quoted } from '../import-error.ts'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { attributesOf } from './read-attributes.ts'
import { ModelIndex, type ModelFile } from './model-index.ts'

const modelFile = /\.model$/i

/**
 * Reads the models of a data model zip or a package. Each model becomes an entity; a property that holds another
 * model turns the property before it into a relationship. Reports information that is missing or has no equivalent in
 * an entity. Throws ImportError if nothing can be imported.
 */
export function readDataModel(files: Files, options: ReadOptions = {}): ImportedModel {
  const report = new Report()
  const models = loadModels(files, report, options)
  if (models.length === 0) throw new ImportError('not-a-model', 'The archive has no readable .model file.')
  const index = new ModelIndex(models)
  const name = rootName(models)
  report.note('', 'The format does not state keys, unique values, indexes and inheritance: review the entities.')
  const entities: ImportedEntity[] = []
  const paths: string[] = []
  for (const model of models) {
    checkSignal(options)
    options.onProgress?.(paths.length, models.length, 'convert')
    paths.push(model.corpusPath)
    const entity = toEntity(model, index, report)
    if (options.take) options.take(entity)
    else entities.push(entity)
  }
  const manifest = {
    path: name,
    name,
    description: '',
    entities: paths,
    subManifests: [],
    importsPath: [],
    enumerations: [],
    uid: null,
    version: null,
  }
  return { name, manifests: [manifest], entities, report: report.lines() }
}

function loadModels(files: Files, report: Report, options: ReadOptions): ModelFile[] {
  const budget = { containers: 0 }
  const paths = [...files.keys()].filter(path => modelFile.test(path)).toSorted((a, b) => (a < b ? -1 : 1))
  let properties = 0
  return paths.flatMap((path, done) => {
    checkSignal(options)
    options.onProgress?.(done, paths.length, 'read')
    try {
      const onRepeated = (message: string) => report.changed(path, message)
      const json = parseJson(files.get(path) ?? '', path, { budget, onRepeated })
      if (isObject(json) && json['type'] === 'model') {
        const model = modelOf(json, path, report)
        properties += model.properties.length
        if (properties <= bounds.attributesInAll) return [model]
        throw new ImportError('too-much', `The models have more than ${bounds.attributesInAll} properties.`)
      }
      report.error(path, 'It is not a model.')
    } catch (error) {
      if (!isAboutOneDocument(error)) throw error
      report.error(path, error.message)
    }
    return []
  })
}

function modelOf(json: JsonObject, path: string, report: Report): ModelFile {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(modelFile, '')
  const name = nameOf(json['name'])
  if (name === undefined) report.changed(path, `It has no name: it takes that of its file, ${quoted(stem)}.`)
  const items = listOf(json['gloopProperties'])
  const properties = items.filter(isObject)
  if (properties.length < items.length || isInvalidList(json['gloopProperties'])) {
    report.lost(path, 'A property that is not an object is left out.')
  }
  if (properties.length > bounds.attributesPerEntity) {
    throw new ImportError('too-large', `${quoted(path)} has more than ${bounds.attributesPerEntity} properties.`)
  }
  return { path, corpusPath: `/${path}`, name: name ?? stem, comments: textOf(json['comments']) ?? '', properties }
}

/** The folder common to all models, if there is one; otherwise a default name. */
function rootName(models: readonly ModelFile[]): string {
  const folders = new Set(models.map(({ path }) => /^(?:.*\/)?([^/]+)\/models\/[^/]+$/.exec(path)?.[1]))
  const [folder] = folders
  return folders.size === 1 && folder !== undefined ? folder : 'default'
}

function toEntity(model: ModelFile, index: ModelIndex, report: Report): ImportedEntity {
  const place = report.at(model.path)
  const key = index.keyOf(model)
  if (key === undefined)
    place.note('The format does not state which property is the key, and no name suggests one: the entity has none.')
  else place.changed(`The format does not state which property is the key: ${quoted(key)} is used.`)
  return {
    name: model.name,
    corpusPath: model.corpusPath,
    description: model.comments,
    extendsEntity: null,
    referenceImportPaths: [],
    groups: [],
    checks: [],
    traits: [],
    ...attributesOf(model, index, place),
    uid: null,
    copiedFrom: null,
    version: null,
  }
}
