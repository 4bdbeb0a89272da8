import { type InheritedKey, withInheritedKey } from '@cadmus/model/one-key'
import { foldName } from '@cadmus/model/paths'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import type { ImportedEntity } from './imported-model.ts'

type Known = {
  name: string
  extendsEntity: string | null
  /** The names of its own columns, of one that extends another, and those of its keys. */
  columns: readonly string[]
  keys: readonly string[]
}

/** What imported entities inherit as their keys: an entity that extends one with a key has none of its own. */
export class InheritedKeys {
  readonly #known = new Map<string, Known>()
  readonly #effective = new Map<string, readonly InheritedKey[]>()
  /** Corpus paths with folded names of columns that relationships refer to. */
  readonly #referred = new Set<string>()

  /** Before any of them is asked for. */
  add({ name, corpusPath, extendsEntity, typeAttributes, entityAttributes }: ImportedEntity): void {
    const columns = [
      ...typeAttributes.map(item => ({ name: item.name, isKey: isPrimaryKey(item) })),
      ...entityAttributes.map(item => ({
        name: item.foreignKeyTypeAttribute,
        isKey: item.foreignKeyPurpose === 'identifiedBy',
      })),
    ]
    const keys = columns.filter(({ isKey }) => isKey).map(column => column.name)
    const names = extendsEntity === null ? [] : columns.map(column => column.name)
    this.#known.set(corpusPath, { name, extendsEntity, columns: names, keys })
    for (const { associatedEntity, associatedEntityTypeAttribute, alternativeTargets } of entityAttributes) {
      this.#refer(associatedEntity.path, associatedEntityTypeAttribute)
      for (const { entity, attribute } of alternativeTargets) this.#refer(entity.path, attribute)
    }
  }

  /** The entity with one key, and what became of its own. */
  settled<T extends ImportedEntity>(imported: T): { entity: T; message: string | undefined } {
    const { name, corpusPath, extendsEntity, typeAttributes } = imported
    const uids = new Map(typeAttributes.map(item => [item.uid, foldName(item.name)]))
    const isReferredTo = (uid: string) => this.#referred.has(`${corpusPath}\n${uids.get(uid)}`)
    const keys = extendsEntity === null ? [] : this.#keysOf(extendsEntity)
    const { heir, message } = withInheritedKey(imported, { name, keys, isReferredTo })
    return { entity: heir, message }
  }

  /** Of what automatic keys are called only: all others stay columns. */
  #refer(path: string, attribute: string): void {
    if (foldName(attribute) === 'id') this.#referred.add(`${path}\n${foldName(attribute)}`)
  }

  /** The keys that an entity has, its own or inherited, the farthest ancestor's before the nearer ones'. */
  #keysOf(corpusPath: string): readonly InheritedKey[] {
    const line: string[] = []
    const passed = new Set<string>()
    for (let path: string | null = corpusPath; path !== null && !passed.has(path);) {
      if (this.#effective.has(path)) break
      line.push(path)
      passed.add(path)
      path = this.#known.get(path)?.extendsEntity ?? null
    }
    for (const path of line.toReversed()) this.#effective.set(path, this.#own(path))
    return this.#effective.get(corpusPath) ?? []
  }

  #own(path: string): readonly InheritedKey[] {
    const { name, extendsEntity, columns, keys } = this.#known.get(path) ?? nothing
    const above = (extendsEntity === null ? undefined : this.#effective.get(extendsEntity)) ?? []
    const own = new Set(above.length === 0 ? [] : columns.map(foldName))
    const inherited = above.filter(key => !own.has(foldName(key.name)))
    const names = new Set(above.map(key => foldName(key.name)))
    const isSecond = inherited.length > 0 && keys.some(key => !names.has(foldName(key)))
    return isSecond || keys.length === 0 ? inherited : keys.map(key => ({ name: key, declaredBy: { name } }))
  }
}

const nothing: Known = { name: '', extendsEntity: null, columns: [], keys: [] }
