import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { predefinedPrefix } from '@cadmus/model/paths'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'

const signInName = 'The name that the person signs in with.'
const shownName = 'The name that others see.'

/** Users and groups of an instance's directory: valid relationship targets, never editable. */
export function identityEntities(): { corpusPath: string; path: string; content: EntityContent }[] {
  return [
    identity('User', 'A person in the user directory of the instance that runs the package.', userAttributes()),
    identity('Group', 'A group of users in the directory of the instance that runs the package.', groupAttributes()),
  ]
}

function userAttributes(): TypeAttribute[] {
  const texts = { maxLength: 255 }
  const optional = { ...texts, nullable: true }
  return [
    newTypeAttribute({ ...texts, name: 'username', purpose: 'identifiedBy', description: signInName, position: 0 }),
    newTypeAttribute({ ...optional, name: 'fullName', purpose: 'namedBy', description: shownName, position: 1 }),
    newTypeAttribute({ ...optional, name: 'email', description: 'Where messages reach the person.', position: 2 }),
  ]
}

function groupAttributes(): TypeAttribute[] {
  const key = {
    name: 'groupName',
    purpose: 'identifiedBy',
    description: 'The name that scopes are granted to.',
  } as const
  return [
    newTypeAttribute({ ...key, maxLength: 255, position: 0 }),
    newTypeAttribute({ name: 'description', nullable: true, description: 'What the group is for.', position: 1 }),
  ]
}

function identity(name: string, description: string, typeAttributes: EntityContent['typeAttributes']) {
  return {
    corpusPath: `identity:/${name}`,
    path: `${predefinedPrefix}/identity/${name}`,
    content: newEntityContent({ name, description, type: 'CADMUS', typeAttributes }),
  }
}
