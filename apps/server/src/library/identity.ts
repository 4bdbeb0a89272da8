import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { predefinedPrefix } from '@cadmus/model/paths'
import { newTypeAttribute } from '@cadmus/model/type-attribute'

/** Users and groups of an instance's directory: they can be related to, never edited. */
export function identityEntities(): { corpusPath: string; path: string; content: EntityContent }[] {
  return [
    identity('User', 'A person in the user directory of the instance that runs the package.', [
      newTypeAttribute({
        name: 'username',
        purpose: 'identifiedBy',
        maxLength: 255,
        description: 'The name that the person signs in with.',
        position: 0,
      }),
      newTypeAttribute({
        name: 'fullName',
        purpose: 'namedBy',
        nullable: true,
        maxLength: 255,
        description: 'The name that others see.',
        position: 1,
      }),
      newTypeAttribute({
        name: 'email',
        nullable: true,
        maxLength: 255,
        description: 'Where messages reach the person.',
        position: 2,
      }),
    ]),
    identity('Group', 'A group of users in the directory of the instance that runs the package.', [
      newTypeAttribute({
        name: 'groupName',
        purpose: 'identifiedBy',
        maxLength: 255,
        description: 'The name that scopes are granted to.',
        position: 0,
      }),
      newTypeAttribute({
        name: 'description',
        nullable: true,
        maxLength: 4000,
        description: 'What the group is for.',
        position: 1,
      }),
    ]),
  ]
}

function identity(name: string, description: string, typeAttributes: EntityContent['typeAttributes']) {
  return {
    corpusPath: `identity:/${name}`,
    path: `${predefinedPrefix}/identity/${name}`,
    content: newEntityContent({ name, description, type: 'CADMUS', typeAttributes }),
  }
}
