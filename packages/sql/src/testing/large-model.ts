import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'

// For tests only.

/** 1,000 entities with 20,000 type attributes and 3,000 relationships, a third of them a chain of cascading deletes. */
export function largeModel(): ResolvedModel {
  const entities: EntityNode[] = []
  for (let number = 0; number < 1000; number += 1) {
    const attributes = Array.from({ length: 19 }, (_, index) =>
      aTypeAttribute({
        name: `attribute${index}`,
        description: `What attribute ${index} says`,
        nullable: index % 2 === 0,
        maxLength: index % 3 === 0 ? null : 100,
        choices: index === 5 ? ['open', 'closed'] : [],
      }),
    )
    // The first entities have no targets: the last one gets additional ones.
    const targets = number < 3 ? [0, 0, 0].map(() => entities[0]) : entities.slice(number === 999 ? -6 : -3)
    const links = targets.flatMap((target, index) =>
      target
        ? [
            aRelationship(target, {
              foreignKeyTypeAttribute: `key${index}`,
              position: 20 + index,
              onDelete: index === 2 ? 'cascade' : 'restrict',
            }),
          ]
        : [],
    )
    entities.push(
      anEntity({
        name: `Entity${number}`,
        description: `Entity ${number}`,
        typeAttributes: aList(aKey(), ...attributes),
        entityAttributes: links,
      }),
    )
  }
  return aResolvedModel(entities)
}
