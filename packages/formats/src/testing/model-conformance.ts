// Test helper: checks models against the package format description (§1 and §2), independent of the writer.

const types = new Set('string integer long short double bigDecimal bigInteger boolean date object model'.split(' '))
const words: Readonly<Record<string, 'text' | 'boolean' | 'number' | 'texts' | 'list'>> = {
  name: 'text',
  type: 'text',
  reference: 'text',
  array: 'boolean',
  required: 'boolean',
  allowNull: 'boolean',
  defaultValue: 'text',
  maxLength: 'number',
  choices: 'texts',
  allowOtherValues: 'boolean',
  comments: 'text',
  gloopProperties: 'list',
}

/** Deviations of the files from the package format, one sentence each. */
export function conformanceFaults(files: ReadonlyMap<string, string>): string[] {
  const references = new Set([...files.keys()].map(path => path.replace(/\.model$/, '').replaceAll('/', '.')))
  const folded = [...files.keys()].map(path => path.toLowerCase())
  const twins = new Set(folded).size < folded.length ? ['Two files differ in the case of their letters only.'] : []
  return [
    ...twins,
    ...[...files].flatMap(([path, text]) => fileFaults(path, text, references).map(fault => `${path}: ${fault}`)),
  ]
}

function fileFaults(path: string, text: string, references: ReadonlySet<string>): string[] {
  const place = /^([^/]+)\/models\/([A-Za-z0-9_-]+)\.model$/.exec(path)
  const faults = place ? [] : ['It does not lie at <ns>/models/<Entity>.model.']
  if (!/^[A-Za-z_$][\w$]*$/.test(place?.[1] ?? '')) faults.push('Its folder is no Java identifier.')
  const model: unknown = JSON.parse(text)
  if (!isRecord(model)) return [...faults, 'It is no object.']
  for (const word of Object.keys(model)) {
    if (!['name', 'type', 'comments', 'gloopProperties'].includes(word)) faults.push(`A model has no ${word}.`)
  }
  if (typeof model['name'] !== 'string') faults.push('It has no name.')
  if (model['type'] !== 'model') faults.push('Its type is not model.')
  if ('comments' in model && typeof model['comments'] !== 'string') faults.push('Its comments are no text.')
  const properties = model['gloopProperties']
  if (!Array.isArray(properties)) return [...faults, 'It has no list of properties.']
  const names = properties.map(property => (isRecord(property) ? String(property['name']).toLowerCase() : ''))
  if (new Set(names).size < names.length) faults.push('Two of its properties have one name.')
  return [...faults, ...properties.flatMap(property => propertyFaults(property, references))]
}

function propertyFaults(property: unknown, references: ReadonlySet<string>): string[] {
  if (!isRecord(property)) return ['A property is no object.']
  const faults: string[] = []
  for (const [word, value] of Object.entries(property)) {
    const kind = words[word]
    if (kind === undefined) faults.push(`A property has no ${word}.`)
    else if (!isOf(kind, value)) faults.push(`${word} is no ${kind}.`)
  }
  const { name, type = 'string', reference, choices, allowOtherValues, maxLength } = property
  if (typeof name !== 'string') faults.push('A property has no name.')
  if (typeof type !== 'string' || !types.has(type)) faults.push(`${String(type)} is no type.`)
  if (type === 'model' && !references.has(String(reference))) faults.push(`${String(reference)} is no model.`)
  if (type !== 'model' && reference !== undefined) faults.push('Only a model has a reference.')
  if (Array.isArray(choices) && allowOtherValues !== false)
    faults.push('Choices of an attribute allow no other values.')
  if (typeof maxLength === 'number' && (!Number.isInteger(maxLength) || maxLength < 1))
    faults.push('maxLength is no length.')
  return faults
}

function isOf(kind: 'text' | 'boolean' | 'number' | 'texts' | 'list', value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'texts') return Array.isArray(value) && value.every(item => typeof item === 'string')
  return typeof value === kind
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
