// Test helper: name resolution in a CDM folder by the rules of the format, independent of the product's reader.

export type Json = { readonly [key: string]: unknown }

export type ContractDocument = { path: string; entity: Json; imports: { path: string; moniker: string | undefined }[] }

/** An entry of the resolved attribute list: a plain attribute, or a foreign key with its target entity. */
export type ContractAttribute = {
  name: string
  json: Json
  to: ContractDocument | undefined
  reference: string
  source: string | undefined
  /** Whether the entity has it as a plain attribute, the only kind that a foreign key may refer to. */
  isPlain: boolean
}

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Resolves a corpus path in a document: `/x` from the root, other paths from the document's folder. */
export function located(corpusPath: string, folder: string): string {
  if (corpusPath.startsWith('/')) return corpusPath.slice(1)
  return folder === '' ? corpusPath : `${folder}/${corpusPath}`
}

export function folderOfFile(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

export function nameIn({ entity }: ContractDocument): string {
  return text(entity['entityName'])
}

/** Resolves names as documents see them. */
export class ContractNames {
  readonly #documents: ReadonlyMap<string, ContractDocument>
  readonly #views = new Map<
    string,
    { plain: ContractDocument[]; behind: Map<string, ContractDocument>; last: ContractDocument[] }
  >()

  constructor(documents: ReadonlyMap<string, ContractDocument>) {
    this.#documents = documents
  }

  /** Looks up an entity from a document: own definitions, then imports from the last to the first, breadth first. */
  entity(name: string, from: ContractDocument): ContractDocument | undefined {
    if (nameIn(from) === name) return from
    const { plain, behind, last } = this.#view(from)
    const match = [...plain, ...last].find(document => nameIn(document) === name)
    if (match) return match
    const slash = name.indexOf('/')
    const document = slash < 0 ? undefined : behind.get(name.slice(0, slash))
    return document && this.entity(name.slice(slash + 1), document)
  }

  /**
   * The inheritance chain, farthest ancestor first, each name looked up from the document that contains it; undefined
   * for a cycle or a missing parent.
   */
  chain(of: ContractDocument): ContractDocument[] | undefined {
    const chain = [of]
    for (let one = of; ;) {
      const name = text(one.entity['extendsEntity'])
      if (name === 'CdmEntity') return chain
      const parent = this.entity(name, of)
      if (!parent || chain.includes(parent)) return undefined
      chain.unshift(parent)
      one = parent
    }
  }

  /** Resolved attributes by name; a later definition replaces the earlier one in place. */
  attributes(of: ContractDocument): Map<string, ContractAttribute> {
    const all = new Map<string, ContractAttribute>()
    for (const one of this.chain(of) ?? [])
      for (const member of list(one.entity['hasAttributes']).map(object)) {
        const attribute = this.#attribute(member, of)
        const isPlain = attribute.isPlain || all.get(attribute.name)?.isPlain === true
        all.set(attribute.name, { ...attribute, isPlain })
      }
    return all
  }

  #attribute(member: Json, view: ContractDocument): ContractAttribute {
    if (member['entity'] === undefined)
      return {
        name: text(member['name']),
        json: member,
        to: undefined,
        reference: '',
        source: undefined,
        isPlain: true,
      }
    const entity = object(member['entity'])
    const operation = object(list(entity['operations'])[0])
    const json = object(operation['replaceWith'])
    const source = text(entity['source'])
    return {
      name: text(json['name']),
      json,
      to: this.entity(source, view),
      reference: text(operation['reference']),
      source,
      isPlain: false,
    }
  }

  #view(from: ContractDocument) {
    const cached = this.#views.get(from.path)
    if (cached) return cached
    const plain: ContractDocument[] = []
    const behind = new Map<string, ContractDocument>()
    const seen = new Set([from.path])
    const queue = [from]
    for (const document of queue)
      for (const { path, moniker } of document.imports.toReversed()) {
        const imported = this.#documents.get(path)
        if (!imported) continue
        if (moniker !== undefined) {
          if (!behind.has(moniker)) behind.set(moniker, imported)
          continue
        }
        if (seen.has(path)) continue
        seen.add(path)
        plain.push(imported)
        queue.push(imported)
      }
    const last = from.imports.flatMap(({ path, moniker }) =>
      moniker === undefined ? [] : (this.#documents.get(path) ?? []),
    )
    const view = { plain, behind, last }
    this.#views.set(from.path, view)
    return view
  }
}
