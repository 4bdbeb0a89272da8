import type { LoadedDocument } from './corpus.ts'
import type { ResolutionScope } from './lookup.ts'

/**
 * Caches name lookups per document. Only the current document is kept, because entities are resolved consecutively;
 * without the cache, long import chains would be followed repeatedly.
 */
export class DocumentCache<T> {
  readonly #find: (name: string, resolution: ResolutionScope) => T
  readonly #cache = new Map<LoadedDocument, Map<string, T>>()
  #view: LoadedDocument | undefined

  constructor(find: (name: string, resolution: ResolutionScope) => T) {
    this.#find = find
  }

  get(name: string, resolution: ResolutionScope): T {
    if (resolution.view !== this.#view) this.#cache.clear()
    this.#view = resolution.view
    const cache = this.#cache.get(resolution.written) ?? new Map<string, T>()
    this.#cache.set(resolution.written, cache)
    const result = cache.get(name) ?? this.#find(name, resolution)
    cache.set(name, result)
    return result
  }
}
