import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { EntityNode } from '@cadmus/model/entity'

/** Derives the relationships of a manifest's own entities. Omits relationships whose target is missing. */
export function relationshipsOf(
  entities: readonly EntityNode[],
  nameOf: (id: number) => string | undefined,
): ManifestAnswer['relationships'] {
  return entities.flatMap(from =>
    from.entityAttributes.flatMap(attribute => {
      const toEntity = nameOf(attribute.associatedEntity.id)
      if (toEntity === undefined) return []
      return [
        {
          fromEntity: from.name,
          fromEntityAttribute: attribute.foreignKeyTypeAttribute,
          toEntity,
          toEntityAttribute: attribute.associatedEntityTypeAttribute,
        },
      ]
    }),
  )
}
