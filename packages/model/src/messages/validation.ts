import { formatCount, visibleText } from '../display.ts'

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
  otherKeyType: (entity: string, key: string, type: string) =>
    `The primary key ${short(key)} of ${short(entity)} is ${type}: integers and strings are served best.`,
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

/** Texts about settings without the expected effect. */
export const configurationWarningTexts = {
  sotEmpty: 'Source of Truth is on, but no entity is selected: nothing is recorded. Select entities, or turn it off.',
  securityUnused: 'A security setting is selected, but no API type: nothing is protected. Select an API type.',
  rbacUnused: 'RBAC is on, but Security is None: scopes are not checked. Select a security setting.',
  unscoped: (sum: string) => `${sum} Assign scopes to the entities' operations.`,
  exclusionScoped: (labels: readonly string[]) => {
    const named = labels.slice(0, 3).map(label => visibleText(label))
    const more = labels.length > 3 ? ` and ${formatCount(labels.length - 3)} more` : ''
    return labels.length === 1
      ? `${named.join('')} is excluded: its scopes have no effect.`
      : `${named.join(', ')}${more} are excluded: their scopes have no effect.`
  },
} as const

/** Texts about name conflicts and their resolution. */
export const nameConflictTexts = {
  title: 'Name conflicts',
  strategies: {
    prefix: { label: 'Prefix by folder', hint: "Puts the folder's name before the entity names: Sales_Order." },
    rename: { label: 'Number', hint: 'Puts a number after the entity names: Order2.' },
    leaveOut: {
      label: 'Leave out',
      hint: 'Removes the entities from the manifest; entities that a manifest owns are deleted.',
    },
  },
  preview: 'Result',
  looking: 'Resolving…',
  stays: 'is unchanged.',
  deleted: (manifests: string) => `deleted and removed from ${manifests}; columns that refer to it are kept.`,
  leftOut: (manifests: string) => `removed from ${manifests}; the entity itself is kept.`,
  undo: (deletes: boolean) =>
    deletes
      ? 'The message that follows offers Undo; the audit logs can restore deleted entities later.'
      : 'References are updated. The message that follows offers Undo.',
  apply: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    [renamed > 0 && `Rename ${formatCount(renamed)}`, leftOut > 0 && `Leave out ${formatCount(leftOut)}`]
      .filter(Boolean)
      .join(', '),
  done: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    `Name conflicts resolved: ${formatCount(renamed)} renamed, ${formatCount(leftOut)} left out.`,
  changed: 'Others have changed these entities. Check the result again.',
  elsewhere: 'It belongs to a manifest outside of this one.',
  bound: (manifest: string) =>
    manifest === '' ? 'No manifest lists it.' : `${manifest} is predefined: remove that sub-manifest instead.`,
} as const

/** Common text for many problems of one code, without their names. */
export const problemSummaries: Readonly<Record<string, string>> = {
  // Problems of validations
  parentGone: 'The extended entity does not exist.',
  noKey: 'They have no primary key.',
  twoKeys: 'They have their own key and an inherited one.',
  targetNotUnique: 'The target is neither a primary key nor unique: no constraint.',
  setNullRequired: 'They are required: deleting the target is refused.',
  groupIncomplete: 'An attribute of their groups does not exist: the groups are left out.',
  checkLeftOut: 'Their checks do not fit their attributes: they are left out.',
  checkInexpressible: 'Their checks cannot be expressed on the database: they are left out.',
  checkCleared: 'Their checks have columns that the database sets: they are left out.',
  checkTooLong: 'Their checks are too long: they are left out.',
  groupType: 'The data type of an attribute in a group can be neither unique nor indexed.',
  notIndexable: 'Their data type can be neither unique nor indexed.',
  choicesLength: 'Some choices are longer than the max length and can never be stored.',
  choicesType: 'Their choices do not fit the data type: they are not checked.',
  maxLength: 'Their max length is not supported by databases.',
  defaultType: 'Their default values are invalid and left out.',
  external: 'They refer to entities outside the manifest: no constraint.',
  alternatives: 'They may refer to more than one entity: no constraint.',
  name: 'Their names break a rule.',
  reservedWord: 'Their names are reserved words: an export quotes them.',
  nameTooLong: 'Their names are too long for a database: an export shortens them.',
  // Problems of database adaptations
  noColumns: 'They have no attributes: no table.',
  repeatedAttribute: 'They are declared more than once: one column each.',
  keyType: 'Their data type cannot be a key: no primary key.',
  indexTooLong: 'They are too long for an index: they get none.',
  keyShortened: 'They are part of a key and limited to fewer characters.',
  lengthGiven:
    'They have no max length and are limited to 255 characters because they are keys, unique, indexed or referenced.',
  lengthAsCheck: 'They are stored as text with a checked length.',
  rowTooLong: 'A row of their tables may exceed the row size of the database.',
  columnsLeftOut: 'Their tables have more columns than the database allows.',
  columnsTooMany: 'Their tables need more columns than the database allows.',
  rowKey: 'No index and no constraint: the row would be too long.',
  tooManyKeys: 'No index and no constraint: the table has reached the limit of keys.',
  choicesUncompared: 'Databases cannot compare their data type: choices are not checked.',
  choicesUnheld: 'Some choices are left out: the database cannot store them.',
  lengthUnchecked: 'Their max length is not checked on this database: their table has too many checks.',
  choicesTooLong: 'Their choices are too long for the database: they are not checked.',
  choicesGenerated: 'Their values are generated: their choices are not checked.',
  defaultNotComputed: 'The database cannot compute their default values: they are left out.',
  defaultGenerated: 'Their values are generated: their default values are left out.',
  keyNotGenerated: 'They are keys with a precision: databases do not generate their values.',
  emptyText: 'Their empty string is left out: Oracle treats it as NULL.',
  singleEmptyRow: 'They are unique and referenced: only one row may be NULL.',
  jsonUnchecked: 'They are stored as text: the database does not check that it is JSON.',
  unitsCounted: 'Their length is counted in UTF-16 units: an emoji counts as two.',
  guidLetters: 'They accept lower-case GUIDs only.',
  typeUnchecked: 'Their data type is not fully checked: the table has too many checks.',
  trailingBlanks: 'They are unique, and trailing spaces are ignored in comparisons.',
  targetGone: 'The target does not exist: no constraint.',
  targetAttributeGone: 'The target does not exist: no constraint.',
  keyPairs: 'Their further columns or targets do not fit: no constraint.',
  updateRefused: 'Oracle refuses a change of the key that they refer to.',
  referenceCycle: 'They form a cycle of foreign keys: the data type was guessed.',
  cascadePath:
    'Deleting the target is refused: the database allows neither cycles nor multiple paths of cascading deletes.',
  renamed: 'They are exported under another name.',
  commentShortened: 'Their descriptions are longer than the database allows and are truncated.',
  commentLeftOut: 'Their descriptions are left out: the database has no room for them.',
  guidLength: 'They are GUIDs: their shorter max length is ignored.',
  commentChanged: 'Their descriptions contain characters that the database does not accept: they are replaced.',
  numberRounded: 'They are rounded to the scale of the database.',
  notStrict: 'Without strict mode the server truncates values that are too long or too large instead of refusing them.',
  numberShortened: 'They are stored with another precision than the model specifies.',
}
