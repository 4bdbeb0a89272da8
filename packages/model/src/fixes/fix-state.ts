import { type Column, columnName, columnsOf, isTypeAttribute } from '../columns.ts'
import { type Configuration, newConfiguration } from '../configuration.ts'
import type { EntityContent, EntityNode } from '../entity.ts'
import { resolvedAttributes, type EntityLookup, type ResolvedAttribute } from '../inherit.ts'
import { mayEditAttributes } from '../locks.ts'
import { newNamesOfModel } from '../names-of-model.ts'
import { foldName, isDefaultPath } from '../paths.ts'
import { entityIn, type Problem, rowIn } from '../problem.ts'
import { type ResolvedModel, resolveModel } from '../resolved-model.ts'
import type { NamingRules } from '../validation/subject.ts'

/** A problem as its repair needs it: what it is about. */
export type FixedProblem = {
  code: string
  entity: number | null
  /** Uid of the attribute or relationship. */
  row: string | null
  value: string | null
}

export function fixedProblem({ code, path, value }: Pick<Problem, 'code' | 'path' | 'value'>): FixedProblem {
  return { code, entity: entityIn(path)?.id ?? null, row: rowIn(path)?.uid ?? null, value: value ?? null }
}

type FixInput = {
  model: ResolvedModel
  configuration: Configuration | undefined
  databases: readonly NamingRules[]
}

/** A model that repairs change step by step; the original stays as it is. */
export class FixState {
  readonly model: ResolvedModel
  readonly databases: readonly NamingRules[]
  readonly lookup: EntityLookup = id => this.#changed.get(id) ?? this.model.byId.get(id)
  readonly #changed = new Map<number, EntityNode>()
  #configuration: Configuration | undefined
  #entityNames: Set<string> | undefined

  constructor({ model, configuration, databases }: FixInput) {
    this.model = model
    this.databases = databases
    this.#configuration = configuration
  }

  get changed(): ReadonlyMap<number, EntityNode> {
    return this.#changed
  }

  /** Undefined if none was saved and none is needed. */
  get configuration(): Configuration | undefined {
    return this.#configuration
  }

  entity(id: number | null): EntityNode | undefined {
    return id === null ? undefined : this.lookup(id)
  }

  column({ entity, row }: Pick<FixedProblem, 'entity' | 'row'>): Column | undefined {
    const node = this.entity(entity)
    return node && columnsOf(node).find(({ uid }) => uid === row)
  }

  /** The columns that an entity has, with inherited ones. */
  attributesOf(entity: EntityNode): ResolvedAttribute[] {
    return resolvedAttributes(entity, this.lookup)
  }

  /** Folded names of all columns of an entity but one. */
  columnNames(entity: EntityNode, but: Column): Set<string> {
    const inherited = this.attributesOf(entity).filter(({ origin }) => origin === 'inherited')
    const own = columnsOf(entity).filter(({ uid }) => uid !== but.uid)
    return new Set([...inherited.map(({ name }) => name), ...own.map(columnName)].map(foldName))
  }

  /** Folded names of all entities. */
  get entityNames(): Set<string> {
    this.#entityNames ??= new Set([...this.model.byId.values()].map(({ name }) => foldName(name)))
    return this.#entityNames
  }

  /** Changes an entity; false if that is not allowed. On a locked entity only its scopes can be changed. */
  change(id: number, change: (content: EntityNode) => EntityNode, { onlyScopes = false } = {}): boolean {
    const entity = this.lookup(id)
    if (!entity || (!onlyScopes && isLocked(entity))) return false
    const after = change(entity)
    if (after.name !== entity.name) this.entityNames.add(foldName(after.name))
    this.#changed.set(id, after)
    return true
  }

  /** Changes one column of an entity; false if that is not allowed or there is none. */
  changeColumn({ entity, row }: FixedProblem, change: ColumnChange): boolean {
    if (entity === null) return false
    const one = <C extends Column>(column: C, fields: (column: C) => Partial<C>): C =>
      column.uid === row ? { ...column, ...fields(column) } : column
    return this.change(entity, content => ({
      ...content,
      typeAttributes: content.typeAttributes.map(item => one(item, change.attribute ?? nothing)),
      entityAttributes: content.entityAttributes.map(item => one(item, change.relationship ?? nothing)),
    }))
  }

  renameColumn(place: FixedProblem, name: string): boolean {
    return this.changeColumn(place, {
      attribute: () => ({ name }),
      relationship: () => ({ foreignKeyTypeAttribute: name }),
    })
  }

  changeConfiguration(change: (build: Build) => Build): void {
    const before = this.#configuration ?? newConfiguration(this.model.root.name)
    this.#configuration = { ...before, configurationBuild: change(before.configurationBuild) }
  }

  /** The changed model, with the changed names in references. */
  result(): ResolvedModel {
    const { root, manifests, byId } = this.model
    const entities = newNamesOfModel()(
      new Map(Array.from(byId, ([id, entity]) => [id, this.#changed.get(id) ?? entity])),
    )
    return resolveModel(root, { manifests: new Map(manifests.map(one => [one.id, one])), entities })
  }
}

type Build = Configuration['configurationBuild']
type Fields<C> = (column: C) => Partial<C>
type ColumnChange = {
  attribute?: Fields<EntityContent['typeAttributes'][number]>
  relationship?: Fields<EntityContent['entityAttributes'][number]>
}

const nothing = () => ({})

function isLocked({ path, type }: EntityNode): boolean {
  const state = { isDefault: isDefaultPath(path), type, currentVersion: '', latestVersion: '' }
  return !mayEditAttributes(state).allowed
}

/** Whether a column is an ordinary attribute. */
export function isAttribute(column: Column | undefined): column is EntityContent['typeAttributes'][number] {
  return column !== undefined && isTypeAttribute(column)
}
