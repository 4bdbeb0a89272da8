// For tests only: what names mean in a CDM folder, by the rules of the format, without the product's reader.

export type Json = { readonly [key: string]: unknown }

export type ContractDocument = { path: string; entity: Json; imports: { path: string; moniker: string | undefined }[] }

/** An attribute of the resolved list: a plain one, or a foreign key with the entity that it leads to. */
export type ContractAttribute = {
  name: string
  json: Json
  to: ContractDocument | undefined
  reference: string
  source: string | undefined
  /** Whether the entity has it as a plain attribute: a foreign key refers to no other. */
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

/** Where a corpus path in a document of that folder leads: `/x` from the root, anything else from there. */
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

/** Names as documents see them. */
export class ContractNames {
  readonly #documents: ReadonlyMap<string, ContractDocument>
  readonly #views = new Map<
    string,
    { plain: ContractDocument[]; behind: Map<string, ContractDocument>; last: ContractDocument[] }
  >()

  constructor(documents: ReadonlyMap<string, ContractDocument>) {
    this.#documents = documents
  }

  /** The entity that the name means from the document: its own, then of its imports the last first, then theirs, breadth first. */
  entity(name: string, from: ContractDocument): ContractDocument | undefined {
    if (nameIn(from) === name) return from
    const { plain, behind, last } = this.#view(from)
    const found = [...plain, ...last].find(document => nameIn(document) === name)
    if (found) return found
    const slash = name.indexOf('/')
    const document = slash < 0 ? undefined : behind.get(name.slice(0, slash))
    return document && this.entity(name.slice(slash + 1), document)
  }

  /** What the entity extends, the farthest first, each name looked up from the entity's own document; undefined for a cycle or a gap. */
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

  /** The resolved list by name: a later definition changes an earlier one in its place. */
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
    const known = this.#views.get(from.path)
    if (known) return known
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
