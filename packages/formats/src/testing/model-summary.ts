import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { resolvedAttributes, type ResolvedAttribute } from '@cadmus/model/inherit'
import { nameConflictsOf } from '@cadmus/model/name-conflicts'
import type { ImportedModel } from '../imported-model.ts'

// Test helper: the information that integration platform models can express, in a form common to written and imported
// models.

export type ModelSummary = { name: string; description: string; attributes: AttributeSummary[] }
type AttributeSummary = { name: string; is: string; nullable: boolean; description: string } & (
  | { choices: readonly string[]; maxLength: number | null; defaultValue: string | null }
  | { refersTo: string }
)

/** Expected contents of the resolved model's zip by the documented mapping. */
export function summarizeModel(resolvedModel: ResolvedModel, applyJoin: boolean): ModelSummary[] {
  const { standsFor } = nameConflictsOf(resolvedModel)
  return resolvedModel.entities
    .filter(entity => standsFor.get(entity.id) === entity)
    .map(entity => ({
      name: entity.name,
      description: entity.description,
      attributes: resolvedAttributes(entity, id => resolvedModel.byId.get(id)).map(attribute => {
        if (attribute.kind === 'type') return ofType(attribute)
        const { relationship } = attribute
        const { name, nullable } = attribute
        const target = standsFor.get(relationship.associatedEntity.id)
        const common = { name, nullable, description: relationship.description }
        if (applyJoin && target && relationship.alternativeTargets.length === 0) {
          return { ...common, is: 'relationship', refersTo: target.name }
        }
        return { ...common, is: 'foreign key', choices: [], maxLength: null, defaultValue: null }
      }),
    }))
}

/**
 * Contents of an imported model. `isPlainKey`: foreign keys to entities that are not exported become plain
 * properties.
 */
export function summarizeImport(
  model: ImportedModel,
  isPlainKey: (entity: number, name: string) => boolean,
): ModelSummary[] {
  return model.entities.map((entity, index) => ({
    name: entity.name,
    description: entity.description,
    attributes: [
      ...entity.typeAttributes.map(
        ({ position, name, nullable, description, choices, maxLength, defaultValue, ...rest }) => ({
          position,
          summary: {
            name,
            nullable,
            description,
            choices,
            maxLength,
            defaultValue,
            is: isPlainKey(index, name) ? 'foreign key' : `${rest.dataType} ${rest.format}`,
          },
        }),
      ),
      ...entity.entityAttributes.map(({ position, foreignKeyTypeAttribute: name, nullable, description, ...rest }) => ({
        position,
        summary: { name, nullable, description, is: 'relationship', refersTo: rest.associatedEntity.name },
      })),
    ]
      .toSorted((a, b) => a.position - b.position)
      .map(({ summary }) => summary),
  }))
}

function ofType({ attribute }: ResolvedAttribute & { kind: 'type' }): AttributeSummary {
  const { name, nullable, description, choices, maxLength, defaultValue, dataType, format, precision } = attribute
  const isExact = precision !== null || format === 'decimal'
  const is: Record<typeof dataType, string> = {
    string: 'string null',
    boolean: 'boolean null',
    object: 'object null',
    dateTime: 'dateTime null',
    integer:
      precision === null || format !== null ? `integer ${readFormats[format ?? ''] ?? null}` : ofDigits(precision),
    double: isExact ? 'double decimal' : 'double null',
    float: isExact ? 'double decimal' : 'double null',
  }
  return { name, nullable, description, choices, maxLength, defaultValue, is: is[dataType] }
}

const readFormats: Readonly<Record<string, string>> = { int16: 'int16', int64: 'int64' }

/** An integer of that many digits, of which data models keep the number of bits. */
function ofDigits(precision: number): string {
  if (precision > 18) return 'double decimal'
  return `integer ${precision > 9 ? 'int64' : precision > 4 ? null : 'int16'}`
}
