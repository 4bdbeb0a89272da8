import { formatCount, visibleText } from '../display.ts'

/** Words of each repair of problems: `one`, with the name or value that it introduces or removes, and `all` of them. */
const words = {
  useValidName: { one: name => `Rename to ${name}`, all: 'Use the Offered Names' },
  shortenName: { one: name => `Shorten to ${name}`, all: 'Shorten the Names' },
  avoidReserved: { one: name => `Rename to ${name}`, all: 'Rename Reserved Words' },
  numberName: { one: name => `Rename to ${name}`, all: 'Number the Names' },
  addKey: { one: name => `Add the Key ${name}`, all: 'Add Keys' },
  makeOrdinary: { one: () => 'Make It an Ordinary Attribute', all: 'Make Them Ordinary Attributes' },
  keyAsInteger: { one: () => 'Change to Integer', all: 'Change to Integer' },
  keyAsString: { one: () => 'Change to String', all: 'Change to String' },
  removeDefault: { one: () => 'Remove the Default Value', all: 'Remove the Default Values' },
  removeChoices: { one: () => 'Remove Invalid Choices', all: 'Remove Invalid Choices' },
  raiseMaxLength: { one: length => `Raise Max Length to ${length}`, all: 'Raise Max Lengths' },
  limitMaxLength: { one: length => `Set Max Length to ${length}`, all: 'Set the Greatest Max Length' },
  removeMaxLength: { one: () => 'Remove Max Length', all: 'Remove Max Lengths' },
  removeIndex: { one: () => 'Remove Unique and Indexed', all: 'Remove Unique and Indexed' },
  removeParent: { one: name => `Stop Extending ${name}`, all: 'Remove the Parents' },
  useNamesake: { one: target => `Refer to ${target}`, all: 'Refer to Entities of the Same Name' },
  useKey: { one: target => `Refer to ${target}`, all: 'Refer to Primary Keys' },
  matchType: { one: type => `Change to ${type}`, all: 'Use the Data Types of the Targets' },
  makeTargetUnique: { one: target => `Make ${target} Unique`, all: 'Make the Targets Unique' },
  makeNullable: { one: () => 'Make It Nullable', all: 'Make Them Nullable' },
  refuseDeletion: { one: () => 'Refuse the Deletion (restrict)', all: 'Refuse the Deletions (restrict)' },
  removeRelationship: { one: name => `Remove the Relationship ${name}`, all: 'Remove the Relationships' },
  defineScope: { one: scope => `Define the Scope ${scope}`, all: 'Define the Scopes' },
  removeScope: { one: scope => `Remove the Scope ${scope} Here`, all: 'Remove the Undefined Scopes' },
  removeExcludedScopes: { one: () => 'Remove the Scopes of Excluded Operations', all: 'Remove Their Scopes' },
  removeQuery: { one: () => 'Remove the Aggregate Query', all: 'Remove the Aggregate Queries' },
  removeQueryColumns: { one: () => 'Remove the Column of the Query', all: 'Remove the Columns of the Queries' },
  removeExclusion: { one: () => 'Remove the Excluded Operation', all: 'Remove the Excluded Operations' },
  removeSotEntity: { one: () => 'Remove the Entity from the List', all: 'Remove the Entities from the List' },
  turnOffSot: { one: () => 'Turn Off Source of Truth', all: 'Turn Off Source of Truth' },
  turnOffSecurity: { one: () => 'Set Security to None', all: 'Set Security to None' },
  turnOffRbac: { one: () => 'Turn Off RBAC', all: 'Turn Off RBAC' },
} as const satisfies Record<string, { one: (detail: string) => string; all: string }>

export type FixKind = keyof typeof words

export const fixTexts = {
  one: (kind: FixKind, detail: string) => words[kind].one(short(detail)),
  all: (kind: FixKind, count: number) => `${words[kind].all} (${formatCount(count)})`,
}

function short(name: string): string {
  const clean = visibleText(name)
  return clean.length > 80 ? `${clean.slice(0, 40)} … ${clean.slice(-30)}` : clean
}
