import { foldName } from '@cadmus/model/paths'
import { nameOf, textOf, type JsonObject } from '../cdm/json.ts'

export type ModelFile = {
  path: string
  corpusPath: string
  name: string
  comments: string
  properties: readonly JsonObject[]
}

/** Possible targets of references to a model. */
type Columns = { key: string | undefined; first: string; byName: ReadonlyMap<string, string> }

/** Models by dotted path, below `code/` in a package, otherwise below the archive's root. */
export class ModelIndex {
  readonly #byReference = new Map<string, ModelFile>()
  readonly #columns = new Map<ModelFile, Columns>()

  constructor(models: readonly ModelFile[]) {
    for (const model of models) this.#byReference.set(dotted(model.path), model)
  }

  find(reference: string): ModelFile | undefined {
    return this.#byReference.get(reference)
  }

  /** Guesses the primary key; undefined if no property qualifies. */
  keyOf(model: ModelFile): string | undefined {
    return this.#columnsOf(model).key
  }

  /** The property a foreign key refers to: the key, else the property of the same name, else the first property. */
  targetOf(model: ModelFile, foreignKey: string): string {
    const { key, byName, first } = this.#columnsOf(model)
    return key ?? byName.get(foldName(foreignKey)) ?? first
  }

  /** Cached, because many properties may refer to one model with many properties. */
  #columnsOf(model: ModelFile): Columns {
    const cached = this.#columns.get(model)
    if (cached) return cached
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

/** Requires a key type and not null, and the name `id` or one derived from the model's name. */
function guessedKey({ name, properties }: ModelFile): string | undefined {
  const candidates = ['id', `${name}id`, `${name}_id`].map(foldName)
  const able = properties.flatMap(property => {
    const type = textOf(property['type']) ?? 'string'
    const isAble = type === 'string' || type === 'integer' || type === 'long' || type === 'short'
    return isAble && property['allowNull'] !== true && property['array'] !== true
      ? (nameOf(property['name']) ?? [])
      : []
  })
  const folded = able.map(foldName)
  return candidates.flatMap(one => able[folded.indexOf(one)] ?? [])[0]
}
