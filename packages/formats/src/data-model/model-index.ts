import { foldName } from '@cadmus/model/paths'
import { nameOf, textOf, type JsonObject } from '../cdm/json.ts'

/** A model as its file says it. */
export type ModelFile = {
  path: string
  corpusPath: string
  name: string
  comments: string
  properties: readonly JsonObject[]
}

/** What of a model others may refer to. */
type Columns = { key: string | undefined; first: string; byName: ReadonlyMap<string, string> }

/** Models by the dotted paths under which others refer to them: below `code/` in a package, else below the archive's top. */
export class ModelIndex {
  readonly #byReference = new Map<string, ModelFile>()
  readonly #columns = new Map<ModelFile, Columns>()

  constructor(models: readonly ModelFile[]) {
    for (const model of models) this.#byReference.set(dotted(model.path), model)
  }

  find(reference: string): ModelFile | undefined {
    return this.#byReference.get(reference)
  }

  /** The property that is most likely the key; undefined where none is. */
  keyOf(model: ModelFile): string | undefined {
    return this.#columnsOf(model).key
  }

  /** What a foreign key of the name refers to: the key, else what is called as it, else the first property. */
  targetOf(model: ModelFile, foreignKey: string): string {
    const { key, byName, first } = this.#columnsOf(model)
    return key ?? byName.get(foldName(foreignKey)) ?? first
  }

  /** Found once each: many properties may refer to one model of many. */
  #columnsOf(model: ModelFile): Columns {
    const known = this.#columns.get(model)
    if (known) return known
    const names = model.properties.flatMap(property => nameOf(property['name']) ?? [])
    const byName = new Map(names.toReversed().map(name => [foldName(name), name] as const))
    const columns = { key: guessedKey(model), first: names[0] ?? 'id', byName }
    this.#columns.set(model, columns)
    return columns
  }
}

function dotted(path: string): string {
  const stem = path.replace(/\.model$/i, '')
  const code = stem.lastIndexOf('/code/')
  const below = code >= 0 ? stem.slice(code + 6) : stem.replace(/^code\//, '')
  return below.replaceAll('/', '.')
}

/** Of a key's type, always there, and called `id` or after the model. */
function guessedKey({ name, properties }: ModelFile): string | undefined {
  const wanted = ['id', `${name}id`, `${name}_id`].map(foldName)
  const able = properties.flatMap(property => {
    const type = textOf(property['type']) ?? 'string'
    const isAble = type === 'string' || type === 'integer' || type === 'long' || type === 'short'
    return isAble && property['allowNull'] !== true && property['array'] !== true
      ? (nameOf(property['name']) ?? [])
      : []
  })
  const folded = able.map(foldName)
  return wanted.flatMap(one => able[folded.indexOf(one)] ?? [])[0]
}
