/** Texts of all findings. Names may come from a file and have any length. */
export const texts = {
  noEntity: (manifest: string) => `${short(manifest)} has no entity.`,
  subManifestCycle: (names: readonly string[]) => `A manifest contains itself: ${names.map(short).join(', ')}.`,
  nameConflicts: (name: string, first: string, second: string) =>
    `Two entities are named "${short(name)}" and neither extends the other: ${short(first)} and ${short(second)}.`,
  parentGone: (child: string, parent: string) => `${short(child)} extends ${short(parent)}, which does not exist.`,
  repeatedAttribute: (entity: string, name: string) =>
    `${short(entity)} has more than one attribute named "${short(name)}".`,
  noKey: (entity: string) => `${short(entity)} has no primary key.`,
  twoKeys: (entity: string, own: string, inherited: string, parent: string) =>
    `${short(entity)} has two keys: ${short(own)} of its own, and ${short(inherited)}, which it inherits from ${short(parent)}. Make ${short(own)} an ordinary attribute.`,
  keyType: (entity: string, key: string, type: string) =>
    `The primary key ${short(key)} of ${short(entity)} is ${type}: it must be an integer or a string.`,
  targetGone: (key: string, target: string) => `${short(key)} refers to ${short(target)}, which does not exist.`,
  targetAttributeGone: (key: string, target: string, attribute: string) =>
    `${short(key)} refers to ${short(target)}.${short(attribute)}, which does not exist.`,
  targetType: (key: string, type: string, target: string, attribute: string, targetType: string) =>
    `${short(key)} is ${type}, but ${short(target)}.${short(attribute)}, which it refers to, is ${targetType}.`,
  targetNotUnique: (key: string, target: string, attribute: string) =>
    `${short(key)} refers to ${short(target)}.${short(attribute)}, which is neither the primary key nor unique: its column has no constraint.`,
  setNullRequired: (key: string) =>
    `${short(key)} is required, so deleting its target cannot clear it: the deletion is refused.`,
  uniqueObject: (name: string) => `${short(name)} is an object: it can be neither unique nor indexed.`,
  choiceLength: (name: string, choice: string, message: string) =>
    `The choice "${short(choice)}" of ${short(name)} can never be stored: ${message}`,
  choice: (name: string, choice: string, message: string) =>
    `The choice "${short(choice)}" of ${short(name)} is not a valid value, so choices are not checked: ${message}`,
  maxLength: (name: string, message: string) =>
    `The max length of ${short(name)} is not supported by databases: ${message}`,
  defaultValue: (name: string, message: string) => `The default value of ${short(name)} is invalid: ${message}`,
  external: (key: string, target: string) =>
    `${short(key)} refers to ${short(target)} outside the manifest: its column has no constraint.`,
  alternatives: (key: string) => `${short(key)} may refer to more than one entity: its column has no constraint.`,
  brokenName: (name: string, message: string) => `The name "${short(name)}" breaks a rule: ${message}`,
  reserved: (name: string, databases: readonly string[]) =>
    `"${short(name)}" is a reserved word of ${databases.join(', ')}: an export quotes it.`,
  tooLong: (name: string, databases: readonly string[]) =>
    `"${short(name)}" is too long for ${databases.join(', ')}: an export shortens it.`,
  aggregateEntity: (query: string, entity: string) =>
    `The aggregate query ${short(query)} is about ${short(entity)}, which is not in the manifest.`,
  aggregateField: (query: string, entity: string, field: string) =>
    `The aggregate query ${short(query)} uses ${short(entity)}.${short(field)}, which does not exist.`,
  aggregateType: (query: string, type: string, field: string, dataType: string) =>
    `The aggregate query ${short(query)} takes ${type} of ${short(field)}, which is ${dataType}.`,
  exclusion: (text: string) => `The excluded operation "${short(text)}" matches no operation.`,
  sotEntity: (entity: string) => `The source of truth includes ${short(entity)}, which is not in the manifest.`,
  scope: (scope: string) => `The scope "${short(scope)}" is used but not defined.`,
} as const

function short(name: string): string {
  const clean = name.length > 300 ? `${name.slice(0, 120)} … ${name.slice(-120)}` : name
  return clean.replace(/\p{Cc}/gu, ' ')
}
