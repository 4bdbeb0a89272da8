import { visibleText } from '@cadmus/model/display'
import type { EntityNode } from '@cadmus/model/entity'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { isEqual } from '@cadmus/model/equal'
import type { Field } from '@cadmus/model/fields/field'
import { relationshipFields, relationshipNames } from '@cadmus/model/fields/relationship'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import { FreeNames } from '@cadmus/model/free-names'
import { checkName } from '@cadmus/model/checks'
import { groupName } from '@cadmus/model/groups'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import { entityStep, manifestPlaces, type Problem, type ProblemStep } from '@cadmus/model/problem'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { type Draft, DraftCache } from '@cadmus/sql/drafts'
import { tableEntities } from '@cadmus/sql/name-conflicts'
import { type ExportWriter, fileStem, noteComments } from '../export-writer.ts'
import { identifierOf, type Model, type Property, propertyTypeOf, readTypes } from './format.ts'

/** Adds joins if the manifest's configuration has them. */
export const dataModelWriter: ExportWriter<'model'> = {
  write({ resolvedModel, configuration }) {
    const applyJoin = configuration?.configurationBuild.sqlConfiguration.applyJoin ?? false
    const { files, notes } = writeDataModel(resolvedModel, { applyJoin })
    return { files, notes: notes.length, suffix: 'model', preview: () => previewOf(files, notes) }
  },
}

/** Joins the files into one text, followed by a line per note. */
function previewOf(files: ReadonlyMap<string, string>, notes: readonly DataModelNote[]): string {
  return [...[...files].map(([path, text]) => `// ${path}\n${text}`), noteComments(notes)].join('\n')
}

type DataModelOptions = {
  /** Adds a property with the referenced record beside each foreign key. */
  applyJoin: boolean
  /** Folder of all models, a Java identifier; defaults to one derived from the manifest's name. */
  namespace?: string
}

/** A property of the model that the zip omits or changes. */
type DataModelNote = Problem & { severity: 'warning' | 'note' }

/**
 * Writes one integration platform model per entity of the resolved model, with inherited attributes. Files have the same paths
 * as in a package below `code/`, so that references resolve. Deterministic. Throws NameConflictError if two unrelated
 * entities have the same name.
 */
export function writeDataModel(
  resolvedModel: ResolvedModel,
  options: DataModelOptions,
): {
  files: ReadonlyMap<string, string>
  /** Dotted path of each entity's model, by entity id. */
  references: ReadonlyMap<number, string>
  notes: readonly DataModelNote[]
} {
  const writer = new Writer(resolvedModel, options)
  const files = new Map(writer.models().map(([path, model]) => [path, `${JSON.stringify(model, null, 2)}\n`]))
  return { files, references: writer.references(), notes: writer.notes }
}

class Writer {
  readonly notes: DataModelNote[] = []
  readonly #resolvedModel: ResolvedModel
  readonly #options: DataModelOptions
  readonly #draftOf: (entity: EntityNode) => Draft
  readonly #tables: readonly EntityNode[]
  readonly #standsFor: ReadonlyMap<number, EntityNode>
  readonly #places: ReturnType<typeof manifestPlaces>
  readonly #folder: string
  /** Type at the end of each foreign key chain; null if it cannot be a key type. */
  readonly #types = new Map<ResolvedAttribute, Exclude<Property['type'], 'model'> | null>()
  readonly #stems = new Map<number, string>()

  constructor(resolvedModel: ResolvedModel, options: DataModelOptions) {
    this.#resolvedModel = resolvedModel
    this.#options = options
    this.#draftOf = new DraftCache().at(resolvedModel)
    const { tables, standsFor } = tableEntities(resolvedModel)
    this.#tables = tables
    this.#standsFor = standsFor
    this.#places = manifestPlaces(resolvedModel)
    this.#folder = options.namespace ?? identifierOf(resolvedModel.root.name)
    const free = new FreeNames({ join: '' })
    for (const { id, name } of tables) this.#stems.set(id, free.take(fileStem(name, 'entity')))
  }

  models(): [path: string, model: Model][] {
    const { root, manifests } = this.#resolvedModel
    const place = this.#places.get(root.id) ?? []
    this.#note('unsaid', unsupportedProperties, place)
    if (manifests.length > 1) {
      this.#note('subManifests', 'The format has no sub-manifests: the entities of all are written together.', place)
    }
    for (const manifest of manifests) {
      const names = manifest.enumerations.map(({ name }) => name)
      if (names.length === 0) continue
      const message = `Not written of '${manifest.name}': its enumerations ${listed(names)}. Attributes have their values as choices.`
      this.#note('lost', message, this.#places.get(manifest.id) ?? [])
    }
    return this.#tables.map(entity => [this.#pathOf(entity), this.#modelOf(entity)])
  }

  references(): ReadonlyMap<number, string> {
    return new Map(this.#tables.map(entity => [entity.id, this.#referenceOf(entity)]))
  }

  #modelOf(entity: EntityNode): Model {
    const draft = this.#draftOf(entity)
    const place = this.#placeOf(entity)
    if (entity.extendsEntity !== null) {
      this.#note(
        'extends',
        `'${entity.name}' is written with what it inherits from '${entity.extendsEntity.name}'.`,
        place,
      )
    }
    if (draft.key.length === 0) this.#note('noKey', `'${entity.name}' has no primary key.`, place, 'warning')
    const groups = draft.groups.map(({ group }) => groupName(group))
    if (groups.length > 0) this.#note('lost', `Not written of '${entity.name}': its groups ${listed(groups)}.`, place)
    const checks = draft.checks.map(({ check }) => checkName(check))
    if (checks.length > 0) this.#note('lost', `Not written of '${entity.name}': its checks ${listed(checks)}.`, place)
    const free = new FreeNames({ taken: draft.attributes.map(({ name }) => name), join: '' })
    return {
      name: entity.name,
      type: 'model',
      ...(entity.description === '' ? {} : { comments: entity.description }),
      gloopProperties: draft.attributes.flatMap(attribute => this.#propertiesOf(attribute, draft, free, place)),
    }
  }

  #propertiesOf(
    attribute: ResolvedAttribute,
    draft: Draft,
    free: FreeNames,
    place: readonly ProblemStep[],
  ): Property[] {
    const { name } = attribute
    const step = stepOf(attribute)
    const at = [...place, step]
    const target = attribute.kind === 'foreignKey' ? this.#joinedWith(attribute, at) : undefined
    const losses = lossesOf(attribute, target !== undefined)
    if (losses.length > 0) this.#note('lost', `Not written of '${name}': ${listed(losses)}.`, at)
    if (attribute.kind === 'type') return [typeProperty(attribute)]
    const key = this.#keyProperty(attribute, draft)
    if (!target) return [key]
    return [key, { name: free.take(joinName(name, target.name)), type: 'model', reference: this.#referenceOf(target) }]
  }

  #keyProperty(attribute: ResolvedAttribute & { kind: 'foreignKey' }, draft: Draft): Property {
    const { nullable, description } = attribute.relationship
    const type = this.#foreignKeyType(attribute, draft)
    return { name: attribute.name, type, allowNull: nullable, ...(description === '' ? {} : { comments: description }) }
  }

  /**
   * The entity whose record is joined beside the foreign key. Otherwise adds a note with the reason and returns
   * undefined.
   */
  #joinedWith(
    { name, relationship }: ResolvedAttribute & { kind: 'foreignKey' },
    path: readonly ProblemStep[],
  ): EntityNode | undefined {
    const { associatedEntity, alternativeTargets } = relationship
    const target = this.#standsFor.get(associatedEntity.id)
    const other = associatedEntity.name
    if (!target) {
      this.#note('external', `'${name}' refers to '${other}', which has no model.`, path, 'warning')
    } else if (alternativeTargets.length > 0) {
      const message = `'${name}' may refer to more than one entity: it is a plain property.`
      this.#note('alternatives', message, path, 'warning')
    } else if (!this.#options.applyJoin) {
      const message = `'${name}' is a plain property without joins: its reference to '${other}' is not written.`
      this.#note('plainKey', message, path)
    } else return target
    return undefined
  }

  /** Resolves the key chain once and caches the type for every key in it. */
  #foreignKeyType(key: ResolvedAttribute & { kind: 'foreignKey' }, draft: Draft): Exclude<Property['type'], 'model'> {
    const passed = new Set<ResolvedAttribute>()
    let at: ResolvedAttribute | undefined = key
    for (let owner = draft; at?.kind === 'foreignKey' && !passed.has(at) && !this.#types.has(at);) {
      passed.add(at)
      const { associatedEntity, associatedEntityTypeAttribute }: typeof at.relationship = at.relationship
      const entity = this.#standsFor.get(associatedEntity.id) ?? this.#resolvedModel.byId.get(associatedEntity.id)
      if (!entity) break
      owner = this.#draftOf(entity)
      at = owner.byName.get(foldName(associatedEntityTypeAttribute))
    }
    const resolved = at?.kind === 'type' ? propertyTypeOf(at.attribute) : at && this.#types.get(at)
    const type = resolved === undefined || resolved === 'object' ? null : resolved
    for (const one of passed) this.#types.set(one, type)
    return type ?? propertyTypeOf({ dataType: key.relationship.foreignKeyDataType, format: null, precision: null })
  }

  #pathOf({ id }: EntityNode): string {
    return `${this.#folder}/models/${this.#stems.get(id)}.model`
  }

  #referenceOf({ id }: EntityNode): string {
    return `${this.#folder}.models.${this.#stems.get(id)}`
  }

  #placeOf(entity: EntityNode): readonly ProblemStep[] {
    return [...(this.#places.get(this.#resolvedModel.owner.get(entity.id) ?? 0) ?? []), entityStep(entity)]
  }

  #note(code: string, message: string, path: readonly ProblemStep[], severity: 'warning' | 'note' = 'note'): void {
    const whole = visibleText(message)
    this.notes.push({
      severity,
      code,
      message: whole.length <= 500 ? whole : `${whole.slice(0, 240)} … ${whole.slice(-240)}`,
      path,
    })
  }
}

const unsupportedProperties =
  'Identities, versions, scopes, traits, imports, the configuration and the order of entities are not part of the format.'

function stepOf(attribute: ResolvedAttribute): ProblemStep {
  const { name } = attribute
  if (attribute.kind === 'type') return { kind: 'typeAttribute', uid: attribute.attribute.uid, name }
  return { kind: 'entityAttribute', uid: attribute.relationship.uid, name }
}

function typeProperty({ name, attribute }: ResolvedAttribute & { kind: 'type' }): Property {
  const { choices, defaultValue, description, maxLength, nullable } = attribute
  return {
    name,
    type: propertyTypeOf(attribute),
    allowNull: nullable,
    ...(defaultValue === null ? {} : { defaultValue }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(choices.length === 0 ? {} : { choices, allowOtherValues: false }),
    ...(description === '' ? {} : { comments: description }),
  }
}

/** `customerId` joins `customer`; any other key joins its entity's name. */
function joinName(key: string, entity: string): string {
  const stem = key.replace(/_?id$/i, '')
  const name = stem === key || stem === '' ? entity : stem
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
}

/**
 * Describes the properties of an attribute that the format cannot express; empty if none. Targets of foreign keys
 * that are not joined are reported separately.
 */
function lossesOf(resolved: ResolvedAttribute, isJoined: boolean): string[] {
  const purpose = resolved.kind === 'type' ? resolved.attribute.purpose : resolved.relationship.foreignKeyPurpose
  const losses =
    purpose === 'identifiedBy' ? ['that it is the key'] : purpose === 'hasA' ? [] : [`its purpose ${purpose}`]
  return [...losses, ...(resolved.kind === 'type' ? ofType(resolved) : ofRelationship(resolved.relationship, isJoined))]
}

function ofType({ attribute }: ResolvedAttribute & { kind: 'type' }): string[] {
  const { dataType, format } = attribute
  const type = propertyTypeOf(attribute)
  const read = type === 'bigDecimal' ? { dataType: 'double', format: 'decimal' } : readTypes[type]
  return [
    ...(dataType === read.dataType ? [] : [`its data type ${dataType}`]),
    ...(format === null || format === read.format ? [] : [`its format ${format}`]),
    ...lossesIn(typeAttributeFields, typeAttributeNames, attribute),
  ]
}

function ofRelationship(relationship: EntityAttribute, isJoined: boolean): string[] {
  return [
    ...(isJoined ? [`that it points at '${relationship.associatedEntityTypeAttribute}'`] : []),
    ...lossesIn(relationshipFields, relationshipNames, relationship),
  ]
}

function lossesIn<T extends object>(
  fields: { readonly [name in keyof T]: Field<T> },
  names: readonly (keyof T)[],
  item: T,
): string[] {
  return names.flatMap(name => {
    const { carried, default: fresh } = fields[name]
    if (typeof carried.dataModel !== 'object' || isEqual(item[name], fresh)) return []
    return [carried.dataModel.lost(item[name])]
  })
}

function listed(words: readonly string[]): string {
  const [last = ''] = words.slice(-1)
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
