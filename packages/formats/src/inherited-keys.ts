import { type InheritedKey, withInheritedKey } from '@cadmus/model/one-key'
import { foldName } from '@cadmus/model/paths'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import type { ImportedEntity } from './imported-model.ts'

type KeyedEntity = {
  name: string
  extendsEntity: string | null
  /** Names of the entity's own columns, if it extends another, and of its keys. */
  columns: readonly string[]
  keys: readonly string[]
}

/** Resolves inherited keys of imported entities: an entity that extends one with a key must not have its own. */
export class InheritedKeys {
  readonly #entities = new Map<string, KeyedEntity>()
  readonly #effective = new Map<string, readonly InheritedKey[]>()
  /** Folded column names that relationships refer to, prefixed with their corpus paths. */
  readonly #referred = new Set<string>()

  /** Must be called for every entity before `withSingleKey`. */
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
    this.#entities.set(corpusPath, { name, extendsEntity, columns: names, keys })
    for (const { associatedEntity, associatedEntityTypeAttribute, alsoBy, alternativeTargets } of entityAttributes) {
      this.#refer(associatedEntity.path, associatedEntityTypeAttribute)
      for (const { target } of alsoBy) this.#refer(associatedEntity.path, target)
      for (const { entity, attribute } of alternativeTargets) this.#refer(entity.path, attribute)
    }
  }

  /** Returns the entity with a single key and a message about the change, if there was one. */
  withSingleKey<T extends ImportedEntity>(imported: T): { entity: T; message: string | undefined } {
    const { name, corpusPath, extendsEntity, typeAttributes } = imported
    const uids = new Map(typeAttributes.map(item => [item.uid, foldName(item.name)]))
    const isReferredTo = (uid: string) => this.#referred.has(`${corpusPath}\n${uids.get(uid)}`)
    const keys = extendsEntity === null ? [] : this.#keysOf(extendsEntity)
    const { subtype, message } = withInheritedKey(imported, { name, keys, isReferredTo })
    return { entity: subtype, message }
  }

  /** Only names of automatic keys matter: all other columns are kept. */
  #refer(path: string, attribute: string): void {
    if (foldName(attribute) === 'id') this.#referred.add(`${path}\n${foldName(attribute)}`)
  }

  /** Own and inherited keys, the farthest ancestor's first. */
  #keysOf(corpusPath: string): readonly InheritedKey[] {
    const line: string[] = []
    const passed = new Set<string>()
    for (let path: string | null = corpusPath; path !== null && !passed.has(path);) {
      if (this.#effective.has(path)) break
      line.push(path)
      passed.add(path)
      path = this.#entities.get(path)?.extendsEntity ?? null
    }
    for (const path of line.toReversed()) this.#effective.set(path, this.#own(path))
    return this.#effective.get(corpusPath) ?? []
  }

  #own(path: string): readonly InheritedKey[] {
    const { name, extendsEntity, columns, keys } = this.#entities.get(path) ?? noEntity
    const above = (extendsEntity === null ? undefined : this.#effective.get(extendsEntity)) ?? []
    const own = new Set(above.length === 0 ? [] : columns.map(foldName))
    const inherited = above.filter(key => !own.has(foldName(key.name)))
    const names = new Set(above.map(key => foldName(key.name)))
    const isSecond = inherited.length > 0 && keys.some(key => !names.has(foldName(key)))
    return isSecond || keys.length === 0 ? inherited : keys.map(key => ({ name: key, declaredBy: { name } }))
  }
}

const noEntity: KeyedEntity = { name: '', extendsEntity: null, columns: [], keys: [] }
