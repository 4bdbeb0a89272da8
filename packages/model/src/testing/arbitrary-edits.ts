import type { EntityEdit } from '../edits/entity-edits.ts'
import type { EntityContent } from '../entity.ts'
import { newEntityAttribute, onDeleteActions } from '../entity-attribute.ts'
import { dataTypes, newTypeAttribute } from '../type-attribute.ts'
import { newUid } from '../uid.ts'
import { arbitraryModel } from './arbitrary-model.ts'
import { seededRandom, type Random } from './seeded-random.ts'

// For tests only: contents and edits of every kind, some with a missing subject; reproducible by seed.

/** An entity with attributes, relationships, traits and scopes, as imported. */
export function arbitraryContent(seed: number): EntityContent {
  const random = seededRandom(seed)
  const { entities } = arbitraryModel(seed, { checks: true })
  const { id: _id, path: _path, ...content } = random.pick([...entities.values()])
  const scopes = { ...content.operationScopes, selectOperationScopes: random.chance(0.5) ? ['read'] : [] }
  return { ...content, operationScopes: scopes, traits: random.chance(0.3) ? ['is.entity', { a: [1] }] : [] }
}

type Make = (content: EntityContent, random: Random) => EntityEdit

const makers: Record<EntityEdit['kind'], Make> = {
  changeEntity: (_content, random) => ({
    kind: 'changeEntity',
    change: {
      ...(random.chance(0.5) ? { name: `Name${random.between(0, 9)}` } : {}),
      ...(random.chance(0.3) ? { description: 'two\nlines' } : {}),
      ...(random.chance(0.3) ? { extendsEntity: null } : {}),
    },
  }),
  changeScopes: (_content, random) => ({
    kind: 'changeScopes',
    change: { selectOperationScopes: random.chance(0.5) ? ['read', 'write'] : [], updateOperationScopes: ['write'] },
  }),
  addAttributes: (content, random) => ({
    kind: 'addAttributes',
    added: Array.from({ length: random.between(1, 3) }, (_, index) => ({
      item: newTypeAttribute({
        ...(random.chance(0.2) ? { uid: someUid(content, random) } : {}),
        name: `added${index}`,
        position: random.between(0, 20),
      }),
      before: random.chance(0.5) ? someUid(content, random) : null,
    })),
  }),
  removeAttributes: (content, random) => ({ kind: 'removeAttributes', uids: someUids(content, random) }),
  changeAttributes: (content, random) => ({
    kind: 'changeAttributes',
    changes: someUids(content, random).map(uid => ({
      uid,
      change: {
        dataType: random.pick(dataTypes),
        maxLength: random.pick([null, 40]),
        ...(random.chance(0.4) ? { name: 'renamed' } : {}),
        ...(random.chance(0.2) ? { choices: ['a', 'b'] } : {}),
      },
    })),
  }),
  addRelationships: (content, random) => ({
    kind: 'addRelationships',
    added: [
      {
        item: newEntityAttribute({
          ...(random.chance(0.3) ? { uid: someUid(content, random) } : {}),
          associatedEntity: { id: 7, name: 'Other', path: 'user-defined/Other' },
          associatedEntityTypeAttribute: 'id',
          foreignKeyTypeAttribute: 'otherId',
          position: random.between(0, 20),
        }),
        before: random.chance(0.5) ? someUid(content, random) : null,
      },
    ],
  }),
  removeRelationships: (content, random) => ({ kind: 'removeRelationships', uids: someUids(content, random) }),
  changeRelationships: (content, random) => ({
    kind: 'changeRelationships',
    changes: someUids(content, random).map(uid => ({
      uid,
      change: { onDelete: random.pick(onDeleteActions), nullable: random.chance(0.5), description: '' },
    })),
  }),
  moveColumns: (content, random) => ({
    kind: 'moveColumns',
    moves: someUids(content, random).map(uid => ({
      uid,
      before: random.chance(0.8) ? someUid(content, random) : null,
    })),
    places: random.chance(0.5) ? [] : someUids(content, random).map(uid => ({ uid, position: random.between(0, 20) })),
  }),
}

export const entityEditKinds = Object.keys(makers)

/** Up to ten consecutive edits, as in an editing session. */
export function arbitraryEdits(content: EntityContent, seed: number): EntityEdit[] {
  const random = seededRandom(seed)
  return Array.from({ length: random.between(1, 10) }, () => random.pick(Object.values(makers))(content, random))
}

function someUids(content: EntityContent, random: Random): string[] {
  return Array.from({ length: random.between(0, 4) }, () => someUid(content, random))
}

function someUid({ typeAttributes, entityAttributes }: EntityContent, random: Random): string {
  const uids = [...typeAttributes, ...entityAttributes].map(item => item.uid)
  return uids.length === 0 || random.chance(0.1) ? newUid() : random.pick(uids)
}
