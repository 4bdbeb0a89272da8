import type { ImportedEntity, ImportedModel } from '../imported-model.ts'

// Test helper: builds small CDM folders from objects.

type Json = Record<string, unknown>

export function cdmFolder(documents: Record<string, unknown>): Map<string, string> {
  return new Map(Object.entries(documents).map(([path, json]) => [path, JSON.stringify(json)]))
}

/** A manifest of entities beside it or at the given paths, e.g. `sub/Book.cdm.json/Book`. */
export function manifest(name: string, entities: string[], more: Json = {}): Json {
  return {
    jsonSchemaSemanticVersion: '1.0.0',
    manifestName: name,
    imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }],
    entities: entities.map(entityPath => ({
      type: 'LocalEntity',
      entityName: entityPath.slice(entityPath.lastIndexOf('/') + 1),
      entityPath,
    })),
    subManifests: [],
    relationships: [],
    ...more,
  }
}

/** A document that defines one entity. `imports`: paths or `moniker=path`, in addition to the foundations. */
export function entityDocument(
  entityName: string,
  hasAttributes: unknown[],
  more: Json = {},
  imports: string[] = [],
): Json {
  return document([{ entityName, extendsEntity: 'CdmEntity', hasAttributes, ...more }], imports)
}

export function document(definitions: unknown[], imports: string[] = []): Json {
  return {
    jsonSchemaSemanticVersion: '1.0.0',
    imports: ['cdm:/foundations.cdm.json', ...imports].map(text => {
      const [moniker, path] = text.split('=')
      return path === undefined ? { corpusPath: text } : { corpusPath: path, moniker }
    }),
    definitions,
  }
}

export function key(name: string, dataType = 'entityId'): Json {
  return { name, purpose: 'identifiedBy', dataType }
}

/** A reference with resolution guidance and the given foreign key. */
export function guided(entityReference: unknown, foreignKey: string | Json, target?: string): Json {
  const attribute =
    typeof foreignKey === 'string' ? { name: foreignKey, dataType: 'entityId', isNullable: true } : foreignKey
  const traits =
    target === undefined ? [] : [{ traitReference: 'is.identifiedBy', arguments: [`X/(resolvedAttributes)/${target}`] }]
  return {
    name: `to_${String(attribute['name'])}`,
    entity: { entityReference, appliedTraits: traits },
    resolutionGuidance: {
      renameFormat: '{m}',
      entityByReference: { allowReference: true, foreignKeyAttribute: attribute },
    },
  }
}

/** A reference written as a projection. */
export function projected(source: string, reference: string, replaceWith: string | Json): Json {
  const attribute = typeof replaceWith === 'string' ? { name: replaceWith, dataType: 'entityId' } : replaceWith
  return {
    name: `to_${String(attribute['name'])}`,
    entity: { source, operations: [{ $type: 'replaceAsForeignKey', reference, replaceWith: attribute }] },
  }
}

export function entityOf(model: ImportedModel, name: string): ImportedEntity {
  const entity = model.entities.find(one => one.name === name)
  if (!entity) throw new Error(`${name} was not imported.`)
  return entity
}

export function table(entityShape: string, constantValues: unknown[][]) {
  return { entityReference: { entityShape, constantValues } }
}
