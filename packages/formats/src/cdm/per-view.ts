import type { LoadedDocument } from './corpus.ts'
import type { Outlook } from './lookup.ts'

/** What names mean from one document, each found once: entities are read one after the other, and long chains would be followed anew. */
export class PerView<T> {
  readonly #find: (name: string, outlook: Outlook) => T
  readonly #known = new Map<LoadedDocument, Map<string, T>>()
  #view: LoadedDocument | undefined

  constructor(find: (name: string, outlook: Outlook) => T) {
    this.#find = find
  }

  get(name: string, outlook: Outlook): T {
    if (outlook.view !== this.#view) this.#known.clear()
    this.#view = outlook.view
    const known = this.#known.get(outlook.written) ?? new Map<string, T>()
    this.#known.set(outlook.written, known)
    const found = known.get(name) ?? this.#find(name, outlook)
    known.set(name, found)
    return found
  }
}
